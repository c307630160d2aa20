/** Live: event volume, the newest messages and rejects, and the use of the write limit. */
import { Hono } from "hono";

import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { newestArrivals, readTraffic } from "../../services/events.ts";
import { readWriteLimitUsage } from "../../services/limiter.ts";
import { Card, Heading } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { Page } from "../layout/page.tsx";
import { Arrivals } from "./arrivals.tsx";
import { Rejects } from "./rejects.tsx";
import { isSpan, Traffic } from "./traffic.tsx";

const SHOWN_MESSAGES = 25;
const REFRESH_SECONDS = 2;
/** Without script the whole page reloads, so less often. */
const RELOAD_SECONDS = 10;

export const livePages = new Hono<AppEnv>().get("/", operation("console_live"), async (c) => {
  const workspace = c.get("workspace");
  const chosen = c.req.query("span");
  const span = isSpan(chosen) ? chosen : "hour";
  const now = Date.now();
  const [[newest, buckets], usage] = await Promise.all([
    timed(c, "databaseMs", () =>
      Promise.all([newestArrivals(c.env, workspace, SHOWN_MESSAGES), readTraffic(c.env, workspace, span, now)]),
    ),
    timed(c, "limiterMs", () => readWriteLimitUsage(c.env, workspace.id)),
  ]);
  const refresh = { "data-refresh": REFRESH_SECONDS };
  return c.html(
    <Page c={c} title="Live" tab="live" reloadSeconds={RELOAD_SECONDS}>
      <Heading title="Live" lead="Messages as they arrive, and why messages are rejected." />
      <div id="traffic" {...refresh}>
        <Traffic buckets={buckets} usage={usage} span={span} windowSeconds={WRITE_WINDOW_MS / 1_000} />
      </div>
      <div class="live">
        <Card title="Newest messages">
          <div id="arrivals" {...refresh}>
            <p class="lead">{formatNumber(newest.stored)} stored in total. Personal data removed.</p>
            <Arrivals workspace={workspace} messages={newest.messages} now={now} />
          </div>
        </Card>
        <Card
          title="Rejected messages"
          lead="These messages are not stored. Unsupported types, and messages without a user or an account, aren’t listed."
        >
          <div id="rejects" {...refresh}>
            <Rejects rejections={newest.rejections} now={now} />
          </div>
        </Card>
      </div>
    </Page>,
  );
});
