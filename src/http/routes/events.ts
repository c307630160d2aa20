/** Reads events and rejected messages: docs/wire/README.md §1, docs/wire/batches.md §4.5. */
import * as z from "zod";

import { encodeCursor, invalidCursor, pageOf, readCursor } from "../../edge/cursor.ts";
import { iso, isoDate, isoOrNull } from "../../services/present/iso.ts";
import { pageQuery } from "../../edge/schemas/list-queries.ts";
import { listEvents } from "../../db/events/arrivals.ts";
import { listRejections } from "../../db/events/rejections.ts";
import { response } from "../named-schemas.ts";
import { account, count, date, moment, nextCursor, object, ok, text, userRef } from "../responses/fields.ts";
import { route } from "../declare-route.ts";

export const event = response(
  "Event",
  z.strictObject({
    messageId: text,
    name: text,
    account: account.nullable(),
    user: userRef.nullable(),
    properties: object,
    occurredAt: moment,
    receivedAt: moment,
    source: z.enum(["cdp", "native"]),
  }),
);

const events = response(
  "EventsResponse",
  z.strictObject({
    ok,
    events: z.array(event),
    nextCursor,
    archivedUntil: moment
      .nullable()
      .describe(
        "Messages received until this time are in the archive, not in this list. `null` if no messages are archived.",
      ),
  }),
);

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
      const { workspace } = c.get("grant");
      const { limit, cursor } = c.req.valid("query");
      const list = ["events", workspace.id];
      const before = readCursor(list, cursor);
      if (before === undefined) return invalidCursor(c);
      const listed = await listEvents(c.env, workspace, limit, before);
      const page = listed.events.map(
        ({ seq: _seq, type: _type, mapping: _mapping, event: name, properties, ...row }) => ({
          ...row,
          name: name ?? "",
          properties: properties ?? {},
          occurredAt: iso(row.occurredAt),
          receivedAt: iso(row.receivedAt),
        }),
      );
      const next = listed.next === null ? null : encodeCursor(list, listed.next);
      return c.json({ ok: true, events: page, nextCursor: next, archivedUntil: isoOrNull(listed.archivedUntil) }, 200);
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
