/** Live: message volume, the use of the write limit, and the log of stored and rejected messages with its search. */
import { Hono } from "hono";
import * as z from "zod";

import { typedKeys } from "../../core/typed-keys.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { encodeCursor, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { LOG_KINDS, readLogAndTraffic } from "../../db/events/message-log.ts";
import { readWriteLimitUsage } from "../../limiter/call-limiter.ts";
import { Heading } from "../components/elements.tsx";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { LogCard } from "./log.tsx";
import { LiveSearch, livePath, MAX_SEARCH_CHARACTERS } from "./search.tsx";
import { SPANS, Traffic } from "./traffic.tsx";
import { LimitNotice, WriteLimit } from "./write-limit.tsx";

const SHOWN_MESSAGES = 40;
const REFRESH_SECONDS = 2;

/** Ignores what is invalid. `at` is the position of a page, and `next` that of the page that a button leads to. */
const liveFields = z.object({
  q: z.string().trim().max(MAX_SEARCH_CHARACTERS).catch(""),
  span: z.enum(typedKeys(SPANS)).catch("hour"),
  show: z.enum(LOG_KINDS).catch("all"),
  at: z.string().optional().catch(undefined),
  next: z.string().optional().catch(undefined),
  /** The number of the opened message. */
  open: z.string().optional().catch(undefined),
});

export const livePages = new Hono<AppEnv>()
  .use(operation("console_live"))
  .get("/", (c) => livePage(c, { ...c.req.query(), q: "" }))
  // Ids may be personal, and URLs are logged.
  .post("/", async (c) => livePage(c, await readForm(c)));

async function livePage(c: AppContext, entered: Record<string, unknown>): Promise<Response> {
  const workspace = c.get("workspace");
  const { at, next, open, ...filter } = liveFields.parse(entered);
  const { q, span, show } = filter;
  if (c.req.method === "POST" && q === "") return c.redirect(livePath(workspace, filter), 303);
  const list = ["console live", workspace.id, show, q];
  const before = readSortCursor(list, next ?? at) ?? null;
  const sought = q === "" ? null : q;
  const [{ log, buckets }, usage] = await Promise.all([
    readLogAndTraffic(c.env, workspace, span, { kind: show, sought, before, limit: SHOWN_MESSAGES, now: Date.now() }),
    readWriteLimitUsage(c.env, workspace.id),
  ]);
  const cursorOf = ([message, rejection]: readonly [number, number]) => encodeCursor(list, [message, rejection]);
  const isLive = q === "" && before === null;
  const refresh = isLive ? { "data-refresh": REFRESH_SECONDS } : {};
  return c.html(
    <Page c={c} title="Live" tab="live">
      <Heading title="Live" lead="Messages as they arrive. Personal data is removed." />
      <div id="live" class="column" hx-boost="true" hx-target="this" hx-select="#live" hx-swap="outerHTML show:none">
        <div id="traffic" class="column" {...refresh}>
          <LimitNotice usage={usage} />
          <Traffic {...{ workspace, filter, buckets }} total={log.stored} refused={usage.refused}>
            <WriteLimit usage={usage} />
          </Traffic>
        </div>
        <section class="card" aria-label="Log">
          <LiveSearch {...{ workspace, filter, isLive }} />
          <div id="log" class="column" {...refresh}>
            <LogCard
              {...{ workspace, filter, log, open }}
              at={cursorOf(log.position)}
              next={log.next && cursorOf(log.next)}
            />
          </div>
        </section>
      </div>
    </Page>,
  );
}
