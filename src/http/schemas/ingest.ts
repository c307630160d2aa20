/** Responses to writes: docs/wire.md §3, §4.5, §6. */
import * as z from "zod";

import { response } from "./registry.ts";
import { accountRef, count, ok, paths, segment, text, userRef } from "./shapes.ts";

const deduped = z.boolean().describe("True when everything was already stored, so nothing was stored again.");

export const captured = response(
  "CaptureResponse",
  z.strictObject({
    ok,
    deduped,
    account: accountRef,
    user: userRef,
    ignored: z.array(segment).min(1).max(100).optional().describe("Unknown fields, which were not stored."),
    redacted: paths.optional(),
  }),
);

export const ingested = response(
  "MessagesResponse",
  z
    .strictObject({
      ok,
      deduped,
      source: z.literal("cdp"),
      account: accountRef.nullable().describe("The account of the last message that was not rejected."),
      user: userRef.nullable().describe("The user of the last message that was not rejected."),
      stored: count.describe("`stored`, `duplicates` and the length of `rejected` add up to the number of messages."),
      duplicates: count,
      rejected: z.array(
        z.strictObject({
          index: count.describe("Position of the message in the request, from 0."),
          messageId: text.optional(),
          code: z.enum(["invalid_message", "unsupported_type", "message_too_large"]),
          message: text,
          path: z.string().optional().describe("The invalid field."),
        }),
      ),
      redacted: z.array(z.strictObject({ index: count, messageId: text.optional(), paths })),
    })
    .refine(
      ({ deduped: all, stored, duplicates }) => all === (duplicates > 0 && stored === 0),
      "has a wrong `deduped`",
    ),
);

export const attached = response(
  "IdentityResponse",
  z.strictObject({
    ok,
    account: accountRef.nullable(),
    user: userRef.nullable(),
    attached: z
      .array(z.enum(["company", "name", "email"]))
      .describe("Traits that were set. Removed ones are not listed."),
  }),
);
