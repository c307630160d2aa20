/** The inbox, and the actions on its items. */
import { Hono } from "hono";

import { DAY_MS } from "../../core/durations.ts";
import { actorNameOf } from "../../edge/actor-name.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { itemPosition, readInboxPage } from "../../db/inbox/list-items.ts";
import { type Mark, markItem } from "../../db/inbox/marks.ts";
import { readForm } from "../forms/read-form.ts";
import { invalidPage, notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { requireScope } from "../session/guards.ts";
import { inboxPath, inboxQuery, snoozeForm } from "./inbox-filter.ts";
import { InboxView } from "./inbox-view.tsx";

/** Few enough for a small page, with the details of each item. */
const PAGE_ITEMS = 20;

export const inboxPages = new Hono<AppEnv>()
  .get("/", operation("console_inbox"), async (c) => {
    const workspace = c.get("workspace");
    const { item, show, ...filter } = inboxQuery.parse(c.req.query());
    const { status, kind, owner, cursor } = filter;
    const list = ["inbox", workspace.id, status, kind ?? "", owner ?? ""];
    const read = await readInboxPage(c.env, workspace, {
      status,
      kind,
      owner,
      after: readSortCursor(list, cursor) ?? null,
      limit: PAGE_ITEMS + 1,
      now: Date.now(),
      selected: show ?? item,
      withIdentity: hasScope(workspace, "identity"),
    });
    const { page: items, nextCursor } = pageOf(read.items, PAGE_ITEMS, list, itemPosition);
    return c.html(
      <Page c={c} title="Inbox" tab="inbox">
        <InboxView {...{ workspace, filter, nextCursor }} page={{ ...read, items }} isLinked={show !== undefined} />
      </Page>,
    );
  })
  .use("/:id/*", requireScope("inbox"))
  .post("/:id/dismiss", operation("console_dismiss_item"), (c) => mark(c, c.req.param("id"), { dismissed: true }))
  .post("/:id/dismiss/undo", operation("console_undo_dismissal"), (c) =>
    mark(c, c.req.param("id"), { dismissed: false }),
  )
  .post("/:id/snooze", operation("console_snooze_item"), async (c) => {
    const form = snoozeForm.safeParse(await readForm(c));
    if (!form.success) return invalidPage(c, "You can snooze an item for 1 day, 1 week or 1 month.");
    return mark(c, c.req.param("id"), { snoozedUntil: Date.now() + form.data.days * DAY_MS });
  })
  .post("/:id/snooze/undo", operation("console_undo_snooze"), (c) =>
    mark(c, c.req.param("id"), { snoozedUntil: null }),
  );

/** Marks an item and redirects back to the filter that the action was started from. */
async function mark(c: AppContext, id: string, change: Mark): Promise<Response> {
  const workspace = c.get("workspace");
  const act = { by: actorNameOf(workspace.key), at: Date.now() };
  const marked = await markItem(c.env, workspace, id, change, { ...act, withIdentity: false });
  if (marked === null) return notFoundPage(c, "This item does not exist.");
  return c.redirect(
    inboxPath(workspace, { ...inboxQuery.parse(c.req.query()), show: undefined, item: marked.id }),
    303,
  );
}
