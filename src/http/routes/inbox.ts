/** Reads the inbox, and marks its items: docs/wire/inbox.md §14. */
import * as z from "zod";

import type { Mark } from "../../db/inbox/marks.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { failed } from "../../edge/errors.ts";
import { request } from "../../edge/named-schemas.ts";
import { listItemsPage, markOneItem } from "../../edge/operations/inbox.ts";
import { inbox, marked } from "../../edge/responses/inbox-item.ts";
import { itemFilters, pageQuery } from "../../edge/schemas/list-queries.ts";
import { dismissal, note } from "../../edge/schemas/marks.ts";
import { snooze } from "../../edge/schemas/snooze.ts";
import { route } from "../declare-route.ts";
import { idParam } from "../requests/path-params.ts";

const dismissRequest = request("DismissRequest", dismissal);
const snoozeRequest = request("SnoozeRequest", snooze);
const noteRequest = request("NoteRequest", note);

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
      description: "May be repeated: the first dismissal keeps its time and reason.",
      body: { schema: dismissRequest, example: { reason: "handled" }, isOptional: true },
    },
    (c) => respond(c, c.req.valid("param").id, { dismissed: true, ...c.req.valid("json") }),
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
  route(
    {
      ...marking,
      method: "post",
      paths: { "/api/v1/inbox/{id}/contacted": "markContacted" },
      summary: "Say that somebody has contacted the account about an item",
      description: "Needs no body, and may be repeated: the first contact keeps its time and person.",
    },
    (c) => respond(c, c.req.valid("param").id, { contacted: true }),
  ),
  route(
    {
      ...marking,
      method: "delete",
      paths: { "/api/v1/inbox/{id}/contacted": "unmarkContacted" },
      summary: "Undo a contact",
    },
    (c) => respond(c, c.req.valid("param").id, { contacted: false }),
  ),
  route(
    {
      ...marking,
      method: "put",
      paths: { "/api/v1/inbox/{id}/note": "setNote" },
      summary: "Write a note about an item, or remove it",
      body: { schema: noteRequest, example: { text: "They hire a new admin in June." } },
    },
    (c) => respond(c, c.req.valid("param").id, { note: c.req.valid("json").text }),
  ),
];

async function respond(c: AppContext, id: string, mark: Mark) {
  const updated = await markOneItem(c.env, c.get("grant"), id, mark);
  return updated.ok ? c.json(updated, 200) : failed(c, updated);
}
