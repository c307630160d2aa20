/** Errors, as docs/wire.md §8 has them. */
import * as z from "zod";

import { text } from "./shapes.ts";

/** By status. No 5xx is among them: nothing fails here. */
export const CODES = {
  400: ["invalid_json", "invalid_request", "invalid_message"],
  401: ["unauthorized"],
  403: ["forbidden", "dpa_required"],
  404: ["not_found"],
  405: ["method_not_allowed"],
  413: ["message_too_large", "batch_too_large"],
  415: ["unsupported_encoding", "unsupported_media_type"],
  429: ["rate_limited"],
} as const;

export type ErrorStatus = keyof typeof CODES;
export type ErrorCode = (typeof CODES)[ErrorStatus][number];

const MAX_ISSUES = 20;

export const errorBody = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({
    code: text,
    message: text,
    requestId: text,
    issues: z
      .array(z.strictObject({ path: z.string(), message: text }))
      .max(MAX_ISSUES)
      .optional(),
  }),
});

/** The headers that an error comes with. */
export const HEADERS: Partial<Record<ErrorStatus, readonly string[]>> = {
  401: ["www-authenticate"],
  405: ["allow"],
  429: ["retry-after", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"],
};
