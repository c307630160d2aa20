/** The inbox's page, and what people do with its items. */
import { Hono } from "hono";

import { DAY_MS } from "../../core/durations.ts";
import { readInboxPage } from "../../services/inbox.ts";
import {
  dismissItem,
  type Marker,
  type MarkOutcome,
  snoozeItem,
  takeBackDismissal,
  takeBackSnooze,
} from "../../services/inbox.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { pageOf, readSortCursor } from "../../edge/page.ts";
import { operation } from "../../edge/request-log.ts";
import { requireScope } from "../session/guard.ts";
import { formOf } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { forbiddenPage, missingPage } from "../layout/error-pages.tsx";
import { type Deed, type InboxFilter, inboxPath, inboxQuery, NO_FILTER, snoozeForm } from "./inbox-filter.ts";
import { InboxView } from "./inbox-view.tsx";

/** So few that a page stays small with everything that stands behind each item. */
const ITEMS_OF_A_PAGE = 20;

export const inboxPages = new Hono<AppEnv>()
  .get("/", operation("console_inbox"), async (c) => {
    const query = inboxQuery.safeParse(c.req.query());
    if (!query.success) return inboxPage(c, NO_FILTER, { fault: "There is no such filter: this is what is open." });
    const { done, item, ...filter } = query.data;
    return inboxPage(c, filter, { done, item });
  })
  .post("/:id/dismiss", operation("console_dismiss_item"), requireScope("inbox"), async (c) =>
    mark(c, "dismissed", (marker) => dismissItem(c.env, marker, c.req.param("id"), Date.now())),
  )
  .post("/:id/dismiss/undo", operation("console_take_back_dismissal"), requireScope("inbox"), async (c) =>
    mark(c, "restored", (marker) => takeBackDismissal(c.env, marker, c.req.param("id"))),
  )
  .post("/:id/snooze", operation("console_snooze_item"), requireScope("inbox"), async (c) => {
    const form = snoozeForm.safeParse(await formOf(c));
    if (!form.success) return inboxPage(c, filterOf(c), { fault: "“Snooze for” takes 1 day, 1 week or 1 month." });
    const until = Date.now() + form.data.days * DAY_MS;
    return mark(c, "snoozed", (marker) => snoozeItem(c.env, marker, c.req.param("id"), until));
  })
  .post("/:id/snooze/undo", operation("console_take_back_snooze"), requireScope("inbox"), async (c) =>
    mark(c, "restored", (marker) => takeBackSnooze(c.env, marker, c.req.param("id"))),
  );

interface Note {
  done?: Deed | undefined;
  item?: string | undefined;
  fault?: string;
}

async function inboxPage(c: AppContext, filter: InboxFilter, { done, item, fault }: Note): Promise<Response> {
  const workspace = c.get("workspace");
  const { status, kind } = filter;
  const list = ["inbox", workspace.id, status, kind ?? ""];
  const after = readSortCursor(c, list, filter.cursor);
  if (after instanceof Response) {
    return inboxPage(c, { status, kind }, { fault: "There is no such page any more: this is the first one." });
  }
  const now = Date.now();
  const read = await timed(c, "databaseMs", () =>
    readInboxPage(c.env, workspace, { status, kind, after, limit: ITEMS_OF_A_PAGE + 1, now, noted: item }),
  );
  const { page: items, nextCursor } = pageOf(read.items, ITEMS_OF_A_PAGE, list, ({ position }) => position);
  return c.html(
    <Page c={c} title="Inbox" tab="inbox">
      <InboxView {...{ workspace, filter, nextCursor, done, fault, now }} page={{ ...read, items }} />
    </Page>,
    fault === undefined ? 200 : 400,
  );
}

/** Does it, and leads back to the part of the inbox that it was done in. */
async function mark(c: AppContext, done: Deed, how: (marker: Marker) => Promise<MarkOutcome>): Promise<Response> {
  const [session, workspace] = [c.get("session"), c.get("workspace")];
  const marker = { workspace, keyId: session.who === "key" ? session.keyId : null };
  const marked = await timed(c, "databaseMs", () => how(marker));
  switch (marked.outcome) {
    case "marked":
      return c.redirect(inboxPath(workspace, filterOf(c), { done, item: marked.item.id }), 303);
    case "no_such_item":
      return missingPage(c, "There is no such item.");
    case "key_gone":
      return forbiddenPage(c, "What you signed in with does not open this workspace any more.");
  }
}

/** Of an action: where it leads back to. */
function filterOf(c: AppContext): InboxFilter {
  const query = inboxQuery.omit({ done: true, item: true }).safeParse(c.req.query());
  return query.success ? query.data : NO_FILTER;
}
