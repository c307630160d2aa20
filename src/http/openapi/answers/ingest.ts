/** Answers to captures, compatibility messages and identity calls: docs/wire.md §3, §4.5, §6. */
import * as z from "zod";

import { count, namedAccount, namedUser, ok, places, segment, text } from "./shapes.ts";

const deduped = z.boolean().describe("It was stored before, and nothing was stored now.");

export const captured = z.strictObject({
  ok,
  deduped,
  account: namedAccount,
  user: namedUser,
  ignored: z.array(segment).min(1).max(100).optional().describe("Fields that are not known and were not stored."),
  redacted: places.optional(),
});

export const ingested = z
  .strictObject({
    ok,
    deduped,
    source: z.literal("cdp"),
    account: namedAccount.nullable().describe("That of the last message that is not rejected."),
    user: namedUser.nullable().describe("That of the last message that is not rejected."),
    stored: count.describe("`stored`, `duplicates` and the rejected ones are all messages of the request."),
    duplicates: count,
    rejected: z.array(
      z.strictObject({
        index: count.describe("The place of the message in the request, from 0."),
        messageId: text.optional(),
        code: z.enum(["invalid_message", "unsupported_type", "message_too_large"]),
        message: text,
        path: z.string().optional().describe("The field at fault."),
      }),
    ),
    redacted: z.array(z.strictObject({ index: count, messageId: text.optional(), paths: places })),
  })
  .refine(({ deduped: all, stored, duplicates }) => all === (duplicates > 0 && stored === 0), "has a wrong `deduped`");

export const attached = z.strictObject({
  ok,
  account: namedAccount.nullable(),
  user: namedUser.nullable(),
  attached: z.array(z.enum(["company", "name", "email"])).describe("Without those that were removed."),
});
