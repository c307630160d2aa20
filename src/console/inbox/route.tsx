/** The inbox, and the actions on its items. */
import { Hono } from "hono";
import * as z from "zod";

import { DISMISS_REASONS } from "../../core/inbox/marks.ts";
import { snoozedUntil } from "../../core/inbox/snooze-times.ts";
import { NOBODY } from "../../db/accounts/account-conditions.ts";
import { markOwnersOfItems } from "../../db/accounts/owners.ts";
import { readInboxPage } from "../../db/inbox/inbox-page.ts";
import { itemPosition, type StoredItem } from "../../db/inbox/list-items.ts";
import { type Mark, markItems } from "../../db/inbox/marks.ts";
import { userNameOf } from "../../edge/actor-name.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { noteText } from "../../edge/schemas/marks.ts";
import { MINE, ownerAsked, ownerOrNone } from "../forms/owner-form.ts";
import { readForm } from "../forms/read-form.ts";
import { invalidPage, notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { requireScope } from "../session/guards.ts";
import { ownerIds, withChosen } from "../owner-ids.ts";
import { DEEDS, inboxPath, inboxQuery, PAGE_ITEMS, type Place, UNDONE } from "./inbox-filter.ts";
import { InboxView } from "./inbox-view.tsx";

export const inboxPages = new Hono<AppEnv>()
  .get("/", operation("console_inbox"), async (c) => {
    const workspace = c.get("workspace");
    const { changed, did, show, ...asked } = inboxQuery.parse(c.req.query());
    const ids = await ownerIds(c);
    const owner = await ids.find(asked.owner);
    const isWord = asked.owner === MINE || asked.owner === NOBODY;
    const filter = { ...asked, owner: isWord ? asked.owner : owner?.id };
    const { status, kind, cursor } = filter;
    const list = ["inbox", workspace.id, status, kind ?? "", filter.owner ?? ""];
    const read = await readInboxPage(c.env, workspace, {
      status,
      kind,
      owner: filter.owner === NOBODY ? null : (owner?.name ?? ownerAsked(workspace.user, filter.owner)),
      after: readSortCursor(list, cursor) ?? null,
      limit: PAGE_ITEMS + 1,
      now: Date.now(),
      shown: show,
      changed,
      withIdentity: hasScope(workspace, "identity"),
    });
    const { page: items, nextCursor } = pageOf(read.items, PAGE_ITEMS, list, itemPosition);
    const owners = withChosen(await Promise.all(read.owners.map(ids.of)), owner);
    return c.html(
      <Page c={c} title="Inbox" tab="inbox">
        <InboxView {...{ workspace, filter, show, did, owners, nextCursor }} page={{ ...read, items }} />
      </Page>,
    );
  })
  .post("/mark", operation("console_mark_items"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const form = markForm.safeParse(await readForm(c));
    if (!form.success) return invalidPage(c, formErrorOf(form.error));
    const { ids, next, ...asked } = form.data;
    const at = Date.now();
    const mark = markOf(asked, workspace.timezone, at);
    if (mark === null) return invalidPage(c, "You can snooze an item until a day in the year after today.");
    const act = { by: userNameOf(workspace.user), at, withIdentity: false };
    const marked = await markItems(c.env, workspace, ids, mark, act);
    if (marked.length === 0) return notFoundPage(c, "This item does not exist.");
    // A note stays in the panel, and what is undone comes back, if there is one.
    const isKept = asked.mark === "note" || (next !== undefined && asked.mark.startsWith("undo"));
    const show = isKept ? ids[0] : next;
    // What somebody else did before is not this action's to undo.
    const changed = marked.filter((item) => isOf(item, mark, at)).map(({ id }) => id);
    return backTo(c, { did: DEEDS.find((deed) => asked.mark.startsWith(deed)), changed, show });
  })
  .post("/owner", operation("console_set_owner"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const form = ownerForm.safeParse(await readForm(c));
    if (!form.success) return invalidPage(c, formErrorOf(form.error));
    const { ids: changed, next, show = next, owner } = form.data;
    const act = { by: userNameOf(workspace.user), at: Date.now() };
    const owned = await markOwnersOfItems(c.env, workspace, changed, owner, act);
    return owned.length === 0
      ? notFoundPage(c, "This account does not exist.")
      : backTo(c, { did: "owner", changed, show });
  });

/** As many as a page has. */
const MAX_MARKED_ITEMS = PAGE_ITEMS;

/** Forms send a single choice as a string. */
const ids = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z.array(z.string()).min(1).max(MAX_MARKED_ITEMS),
);

const SNOOZE_CHOICES = ["tomorrow", "monday", "date"] as const;

const markForm = z.object({
  ids,
  /** What to do, and how: `snooze tomorrow`. */
  mark: z.union([
    z.enum(["contacted", "note"]),
    z.templateLiteral(["snooze ", z.enum(SNOOZE_CHOICES)]),
    z.templateLiteral(["dismiss ", z.enum(DISMISS_REASONS)]),
    z.templateLiteral(["undo ", z.enum(UNDONE)]),
  ]),
  date: z.string().optional(),
  /** The item to show then. The script adds it. */
  next: z.string().optional(),
  note: noteText.optional(),
});

const ownerForm = z.object({
  ids,
  /** The item to stay with. */
  show: z.string().optional(),
  next: z.string().optional(),
  owner: ownerOrNone,
});

const ERRORS: Record<string, string> = {
  ids: `Select 1 to ${MAX_MARKED_ITEMS} items.`,
  owner: "“Owner” must be one line of at most 128 characters.",
};

function formErrorOf({ issues: [issue] }: z.ZodError): string {
  const field = String(issue?.path[0]);
  return field === "note"
    ? `“Note” ${issue?.message}.`
    : (ERRORS[field] ?? "Incomplete form. Reload the page and try again.");
}

type Asked = Omit<z.infer<typeof markForm>, "ids" | "next">;

/** @returns `null` for a date that an item can't be snoozed until */
function markOf({ mark, date = "", note = null }: Asked, timezone: string, now: number): Mark | null {
  if (mark === "contacted") return { contacted: true };
  if (mark === "note") return { note };
  const [does, how = ""] = mark.split(" ");
  if (does === "dismiss") return { dismissed: true, reason: DISMISS_REASONS.find((reason) => reason === how) };
  if (does === "undo") {
    if (how === "contacted") return { contacted: false };
    return how === "dismiss" ? { dismissed: false } : { snoozedUntil: null };
  }
  const until = snoozedUntil(how === "date" ? date : how, timezone, now);
  return until === null ? null : { snoozedUntil: until };
}

/** Redirects back to the filter that the action was started from. */
function backTo(c: AppContext, { did, changed = [], show }: Pick<Place, "did" | "changed" | "show">): Response {
  const { did: _did, changed: _changed, show: _show, ...filter } = inboxQuery.parse(c.req.query());
  return c.redirect(inboxPath(c.get("workspace"), { ...filter, did, changed, show }), 303);
}

/** Whether the mark of an item is that of this action. A later mark of the same kind changes nothing. */
function isOf({ dismissedAt, contactedAt }: StoredItem, mark: Mark, at: number): boolean {
  if ("dismissed" in mark && mark.dismissed) return dismissedAt === at;
  return !("contacted" in mark && mark.contacted) || contactedAt === at;
}
