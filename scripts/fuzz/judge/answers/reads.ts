/** What is stored, as it is read: docs/wire.md §1, §4.5, §6. */
import * as z from "zod";

import { account, count, date, moment, nextCursor, text, user } from "./shapes.ts";

const object = z.record(z.string(), z.unknown());

export const events = z.strictObject({
  ok: z.literal(true),
  events: z.array(
    z.strictObject({
      messageId: text,
      name: text,
      account: account.nullable(),
      user: user.nullable(),
      properties: object,
      occurredAt: moment,
      receivedAt: moment,
      source: z.enum(["cdp", "native"]),
    }),
  ),
  nextCursor,
});

export const oneUser = z.strictObject({
  ok: z.literal(true),
  user: user.extend({
    identity: z.strictObject({ name: text.optional(), email: text.optional() }).optional(),
    account: account.extend({ via: z.enum(["group", "implied", "solo"]) }).nullable(),
    memberships: z.array(z.strictObject({ account, groupedAt: moment })).max(200),
    traits: object,
    createdAt: moment,
  }),
});

export const rejected = z.strictObject({
  ok: z.literal(true),
  rejected: z.array(
    z.strictObject({
      receivedAt: moment,
      keyId: text,
      code: z.enum(["invalid_message", "message_too_large"]),
      message: text,
      path: z.string().nullable(),
      type: z.string().nullable(),
      messageId: text.nullable(),
      userId: text.nullable(),
      accountId: text.nullable(),
      event: z.string().nullable(),
      properties: object.nullable(),
      traits: object.nullable(),
    }),
  ),
  counts: z.array(z.strictObject({ day: date, code: text, count: count.min(1) })),
  nextCursor,
});
