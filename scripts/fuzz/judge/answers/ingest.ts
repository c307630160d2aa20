/** Answers to captures, compatibility messages and identity calls: docs/wire.md §3, §4.5, §6. */
import * as z from "zod";

import { count, entity, places, segment, text, user } from "./shapes.ts";

const account = entity("acc");

export const captured = z.strictObject({
  ok: z.literal(true),
  deduped: z.boolean(),
  account,
  user,
  ignored: z.array(segment).min(1).max(100).optional(),
  redacted: places.optional(),
});

export const ingested = z
  .strictObject({
    ok: z.literal(true),
    deduped: z.boolean(),
    source: z.literal("cdp"),
    account: account.nullable(),
    user: user.nullable(),
    stored: count,
    duplicates: count,
    rejected: z.array(
      z.strictObject({
        index: count,
        messageId: text.optional(),
        code: z.enum(["invalid_message", "unsupported_type", "message_too_large"]),
        message: text,
        path: z.string().optional(),
      }),
    ),
    redacted: z.array(z.strictObject({ index: count, messageId: text.optional(), paths: places })),
  })
  .refine(({ deduped, stored, duplicates }) => deduped === (duplicates > 0 && stored === 0), "has a wrong `deduped`");

export const attached = z.strictObject({
  ok: z.literal(true),
  account: account.nullable(),
  user: user.nullable(),
  attached: z.array(z.enum(["company", "name", "email"])),
});
