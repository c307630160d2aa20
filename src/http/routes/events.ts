/** Reads events and rejected messages: docs/wire/README.md §1, docs/wire/batches.md §4.5. */
import * as z from "zod";

import { listRejections } from "../../db/events/rejections.ts";
import { invalidCursor, pageOf, readCursor } from "../../edge/cursor.ts";
import { failed } from "../../edge/errors.ts";
import { response } from "../../edge/named-schemas.ts";
import { listEventsPage } from "../../edge/operations/events.ts";
import { iso, isoDate } from "../../services/present/iso.ts";
import { events } from "../../edge/responses/event.ts";
import { count, date, moment, nextCursor, object, ok, text } from "../../edge/responses/fields.ts";
import { pageQuery } from "../../edge/schemas/list-queries.ts";
import { route } from "../declare-route.ts";

const rejectedMessage = response(
  "RejectedMessage",
  z.strictObject({
    receivedAt: moment,
    keyId: text,
    code: z.string().meta({ enum: ["invalid_message", "message_too_large"] }),
    message: text.describe("The reason, as a sentence."),
    path: z.string().nullable().describe("The invalid field."),
    type: z.string().nullable(),
    messageId: text.nullable(),
    userId: text.nullable(),
    accountId: text.nullable(),
    event: z.string().nullable(),
    properties: object.nullable(),
    traits: object.nullable(),
  }),
);

export const rejected = response(
  "RejectedResponse",
  z.strictObject({
    ok,
    rejected: z.array(rejectedMessage),
    counts: z
      .array(z.strictObject({ day: date, code: text, count: count.min(1) }))
      .describe("All rejected messages by day and code, including those that are only counted."),
    nextCursor,
  }),
);

const common = { method: "get", tag: "Reads", access: "read", query: pageQuery } as const;

export const eventsRoutes = [
  route(
    {
      ...common,
      paths: { "/api/v1/events": "listEvents" },
      summary: "List events, newest arrival first",
      response: { status: 200, description: "A page of events.", schema: events },
    },
    async (c) => {
      const page = await listEventsPage(c.env, c.get("grant"), c.req.valid("query"));
      return page.ok ? c.json(page, 200) : failed(c, page);
    },
  ),
  route(
    {
      ...common,
      paths: { "/api/v1/rejected": "listRejected" },
      summary: "List rejected messages, newest arrival first",
      description: "At most the newest 1,000 of the last 30 days. Personal data is removed.",
      response: { status: 200, description: "A page of rejected messages, and counts by day.", schema: rejected },
    },
    async (c) => {
      const { workspace } = c.get("grant");
      const { limit, cursor } = c.req.valid("query");
      const list = ["rejected", workspace.id];
      const before = readCursor(list, cursor);
      if (before === undefined) return invalidCursor(c);
      const { kept, counts } = await listRejections(c.env, workspace, { limit: limit + 1, before, now: Date.now() });
      const { page, nextCursor: next } = pageOf(kept, limit, list, ({ seq }) => seq);
      const listed = page.map(({ seq: _seq, reason, receivedAt, ...rest }) => ({
        ...rest,
        receivedAt: iso(receivedAt),
        message: reason,
      }));
      const byDay = counts.map(({ day, ...rest }) => ({ day: isoDate(day), ...rest }));
      return c.json({ ok: true, rejected: listed, counts: byDay, nextCursor: next }, 200);
    },
  ),
];
