/** Reads the inbox, and dismisses or snoozes its items: docs/wire/inbox.md §14. */
import * as z from "zod";

import type { Mark } from "../../db/inbox/marks.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { failed } from "../../edge/errors.ts";
import { request } from "../../edge/named-schemas.ts";
import { listItemsPage, markOneItem } from "../../edge/operations/inbox.ts";
import { inbox, marked } from "../../edge/responses/inbox-item.ts";
import { itemFilters, pageQuery } from "../../edge/schemas/list-queries.ts";
import { snooze } from "../../edge/schemas/snooze.ts";
import { route } from "../declare-route.ts";
import { idParam } from "../requests/path-params.ts";

const snoozeRequest = request("SnoozeRequest", snooze);

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
      const page = await listItemsPage(c.env, c.get("grant"), c.req.valid("query"));
      return page.ok ? c.json(page, 200) : failed(c, page);
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
    (c) => respond(c, c.req.valid("param").id, { dismissed: true }),
  ),
  route(
    {
      ...marking,
      method: "delete",
      paths: { "/api/v1/inbox/{id}/dismiss": "undismissItem" },
      summary: "Undo a dismissal",
    },
    (c) => respond(c, c.req.valid("param").id, { dismissed: false }),
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
  const updated = await markOneItem(c.env, c.get("grant"), id, mark);
  return updated.ok ? c.json(updated, 200) : failed(c, updated);
}
