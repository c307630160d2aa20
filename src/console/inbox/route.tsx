/** The inbox, and the actions on its items. */
import { Hono } from "hono";

import { DAY_MS } from "../../core/durations.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import {
  dismissItem,
  type Marker,
  type MarkOutcome,
  readInboxPage,
  snoozeItem,
  undismissItem,
  unsnoozeItem,
} from "../../services/inbox.ts";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { requireScope } from "../session/guards.ts";
import { type Action, DEFAULT_FILTER, type InboxFilter, inboxPath, inboxQuery, snoozeForm } from "./inbox-filter.ts";
import { InboxView } from "./inbox-view.tsx";

/** Few enough for a small page, with the details of each item. */
const PAGE_ITEMS = 20;

export const inboxPages = new Hono<AppEnv>()
  .get("/", operation("console_inbox"), async (c) => {
    const query = inboxQuery.safeParse(c.req.query());
    if (!query.success) return inboxPage(c, DEFAULT_FILTER, { error: "Invalid filter. Showing open items." });
    const { done, item, ...filter } = query.data;
    return inboxPage(c, filter, { done, item });
  })
  .post("/:id/dismiss", operation("console_dismiss_item"), requireScope("inbox"), async (c) =>
    mark(c, "dismissed", (marker) => dismissItem(c.env, marker, c.req.param("id"), Date.now())),
  )
  .post("/:id/dismiss/undo", operation("console_undo_dismissal"), requireScope("inbox"), async (c) =>
    mark(c, "reopened", (marker) => undismissItem(c.env, marker, c.req.param("id"))),
  )
  .post("/:id/snooze", operation("console_snooze_item"), requireScope("inbox"), async (c) => {
    const form = snoozeForm.safeParse(await readForm(c));
    if (!form.success)
      return inboxPage(c, filterOf(c), { error: "You can snooze an item for 1 day, 1 week or 1 month." });
    const until = Date.now() + form.data.days * DAY_MS;
    return mark(c, "snoozed", (marker) => snoozeItem(c.env, marker, c.req.param("id"), until));
  })
  .post("/:id/snooze/undo", operation("console_undo_snooze"), requireScope("inbox"), async (c) =>
    mark(c, "reopened", (marker) => unsnoozeItem(c.env, marker, c.req.param("id"))),
  );

interface ActionResult {
  done?: Action | undefined;
  item?: string | undefined;
  error?: string;
}

async function inboxPage(c: AppContext, filter: InboxFilter, { done, item, error }: ActionResult): Promise<Response> {
  const workspace = c.get("workspace");
  const { status, kind } = filter;
  const list = ["inbox", workspace.id, status, kind ?? ""];
  const after = readSortCursor(c, list, filter.cursor);
  if (after instanceof Response) {
    return inboxPage(c, { status, kind }, { error: "This page no longer exists. Showing the first page." });
  }
  const read = await timed(c, "databaseMs", () =>
    readInboxPage(c.env, workspace, {
      status,
      kind,
      after,
      limit: PAGE_ITEMS + 1,
      now: Date.now(),
      selected: item,
      withIdentity: hasScope(workspace, "identity"),
    }),
  );
  const { page: items, nextCursor } = pageOf(read.items, PAGE_ITEMS, list, ({ position }) => position);
  return c.html(
    <Page c={c} title="Inbox" tab="inbox">
      <InboxView {...{ workspace, filter, nextCursor, done, error }} page={{ ...read, items }} />
    </Page>,
    error === undefined ? 200 : 400,
  );
}

/** Runs an action and redirects back to the filter that it was started from. */
async function mark(c: AppContext, done: Action, run: (marker: Marker) => Promise<MarkOutcome>): Promise<Response> {
  const workspace = c.get("workspace");
  const marked = await timed(c, "databaseMs", () => run({ workspace, withIdentity: false }));
  switch (marked.outcome) {
    case "marked":
      return c.redirect(inboxPath(workspace, { ...filterOf(c), done, item: marked.item.id }), 303);
    case "no_such_item":
      return notFoundPage(c, "This item does not exist.");
  }
}

function filterOf(c: AppContext): InboxFilter {
  const query = inboxQuery.omit({ done: true, item: true }).safeParse(c.req.query());
  return query.success ? query.data : DEFAULT_FILTER;
}
