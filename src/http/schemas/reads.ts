/** Stored data: docs/wire.md §1, §4.5, §6. */
import * as z from "zod";

import { response } from "./registry.ts";
import { account, count, date, moment, nextCursor, object, ok, text, userRef } from "./shapes.ts";

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

export const events = response("EventsResponse", z.strictObject({ ok, events: z.array(event), nextCursor }));

export const userDetails = response(
  "UserDetails",
  userRef.extend({
    identity: z
      .strictObject({ name: text.optional(), email: text.optional() })
      .optional()
      .describe("Attached identity traits. Only for keys that also have the scope `identity`."),
    account: account
      .extend({ via: z.enum(["group", "implied", "solo"]).describe("How the user was assigned to the account.") })
      .nullable(),
    memberships: z.array(z.strictObject({ account, groupedAt: moment })).max(200),
    traits: object,
    createdAt: moment,
  }),
);

export const oneUser = response("UserResponse", z.strictObject({ ok, user: userDetails }));

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
