/** Reads the inbox, and dismisses or snoozes its items: docs/wire/inbox.md §14. */
import * as z from "zod";

import { MAX_SNOOZE_DAYS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { readIsoTime } from "../../core/ingest/iso-time.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { invalidCursor, pageOf, readSortCursor } from "../../edge/cursor.ts";
import { errorResponse, unauthorized } from "../../edge/errors.ts";
import { isoOrNull } from "../../edge/present/iso.ts";
import { presentItem } from "../../edge/present/present-item.ts";
import { itemFilters, pageQuery } from "../../edge/schemas/list-queries.ts";
import { itemPosition, listItems } from "../../db/inbox/list-items.ts";
import { type Mark, markItem } from "../../db/inbox/marks.ts";
import { hasScope, findWritable } from "../../services/workspaces/api-keys.ts";
import { request, response } from "../named-schemas.ts";
import { idParam } from "../requests/path-params.ts";
import { asOf, nextCursor, ok } from "../responses/fields.ts";
import { item } from "../responses/inbox-item.ts";
import { route } from "../declare-route.ts";

const inbox = response("InboxResponse", z.strictObject({ ok, asOf, items: z.array(item), nextCursor }));
const marked = response("InboxItemResponse", z.strictObject({ ok, item }));

const snoozeRequest = request(
  "SnoozeRequest",
  z.strictObject({
    until: z
      .string()
      .transform((text) => readIsoTime(text, false))
      .pipe(z.number("must be an ISO 8601 time with an offset or Z"))
      .refine(
        (until) => until > Date.now() && until <= Date.now() + MAX_SNOOZE_DAYS * DAY_MS,
        "must be in the future, at most a year ahead",
      )
      .meta({ format: "date-time", description: "A time in the future, at most a year ahead." }),
  }),
);

const marking = {
  tag: "Outcomes",
  access: "inbox",
  params: z.object({ id: idParam("The item's id (`itm_…`).") }),
  response: { status: 200, description: "The updated item.", schema: marked },
  errors: ["not_found"],
} as const;

export const inboxRoutes = [
  route(
    {
      method: "get",
      paths: { "/api/v1/inbox": "listInbox" },
      tag: "Outcomes",
      summary: "List inbox items, most urgent first",
      access: "read",
      query: pageQuery.extend(itemFilters),
      response: { status: 200, description: "A page of items.", schema: inbox },
    },
    async (c) => {
      const grant = c.get("grant");
      const { workspace } = grant;
      const { status, kind, owner, limit, cursor } = c.req.valid("query");
      const list = ["inbox", workspace.id, status, kind ?? "", owner ?? ""];
      const after = readSortCursor(list, cursor);
      if (after === undefined) return invalidCursor(c);
      const listed = await listItems(c.env, workspace, {
        status,
        kind,
        owner,
        after,
        limit: limit + 1,
        now: Date.now(),
        withIdentity: hasScope(grant, "identity"),
      });
      const { page, nextCursor: next } = pageOf(listed.items, limit, list, itemPosition);
      const items = page.map(presentItem);
      return c.json({ ok: true, asOf: isoOrNull(listed.asOf), items, nextCursor: next }, 200);
    },
  ),
  route(
    {
      ...marking,
      method: "post",
      paths: { "/api/v1/inbox/{id}/dismiss": "dismissItem" },
      summary: "Dismiss an item",
      description: "Needs no body, and may be repeated.",
    },
    (c) => respond(c, c.req.valid("param").id, { dismissedAt: Date.now() }),
  ),
  route(
    {
      ...marking,
      method: "delete",
      paths: { "/api/v1/inbox/{id}/dismiss": "undismissItem" },
      summary: "Undo a dismissal",
    },
    (c) => respond(c, c.req.valid("param").id, { dismissedAt: null }),
  ),
  route(
    {
      ...marking,
      method: "post",
      paths: { "/api/v1/inbox/{id}/snooze": "snoozeItem" },
      summary: "Snooze an item",
      body: { schema: snoozeRequest, example: { until: "2026-12-01T08:00:00Z" } },
    },
    (c) => respond(c, c.req.valid("param").id, { snoozedUntil: c.req.valid("json").until }),
  ),
  route(
    {
      ...marking,
      method: "delete",
      paths: { "/api/v1/inbox/{id}/snooze": "unsnoozeItem" },
      summary: "Undo a snooze",
    },
    (c) => respond(c, c.req.valid("param").id, { snoozedUntil: null }),
  ),
];

async function respond(c: AppContext, id: string, mark: Mark) {
  const grant = c.get("grant");
  const workspace = await findWritable(c.env, grant);
  if (workspace === null) return unauthorized(c);
  // Names are shown to keys that have the scopes `read` and `identity`, as in the lists.
  const withIdentity = hasScope(grant, "read") && hasScope(grant, "identity");
  const stored = await markItem(c.env, workspace, id, mark, withIdentity);
  if (stored === null) return errorResponse(c, "not_found", "No such item.");
  return c.json({ ok: true, item: presentItem(stored) }, 200);
}
