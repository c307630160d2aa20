/** What is stored, as it is read: docs/wire.md §1, §4.5, §6. */
import * as z from "zod";

import { account, count, date, moment, namedUser, nextCursor, object, ok, text } from "./shapes.ts";

export const event = z.strictObject({
  messageId: text,
  name: text,
  account: account.nullable(),
  user: namedUser.nullable(),
  properties: object,
  occurredAt: moment,
  receivedAt: moment,
  source: z.enum(["cdp", "native"]),
});

export const events = z.strictObject({ ok, events: z.array(event), nextCursor });

export const userDetails = namedUser.extend({
  identity: z
    .strictObject({ name: text.optional(), email: text.optional() })
    .optional()
    .describe("What was attached; shown to keys with the scope `identity` beside `read`."),
  account: account
    .extend({ via: z.enum(["group", "implied", "solo"]).describe("How the user came to it.") })
    .nullable(),
  memberships: z.array(z.strictObject({ account, groupedAt: moment })).max(200),
  traits: object,
  createdAt: moment,
});

export const oneUser = z.strictObject({ ok, user: userDetails });

export const rejectedMessage = z.strictObject({
  receivedAt: moment,
  keyId: text,
  code: z.enum(["invalid_message", "message_too_large"]),
  message: text.describe("Why, in a sentence."),
  path: z.string().nullable().describe("The field at fault."),
  type: z.string().nullable(),
  messageId: text.nullable(),
  userId: text.nullable(),
  accountId: text.nullable(),
  event: z.string().nullable(),
  properties: object.nullable(),
  traits: object.nullable(),
});

export const rejected = z.strictObject({
  ok,
  rejected: z.array(rejectedMessage),
  counts: z
    .array(z.strictObject({ day: date, code: text, count: count.min(1) }))
    .describe("All rejected messages by day and code, those too that are not kept."),
  nextCursor,
});
