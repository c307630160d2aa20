/** Errors, as docs/wire.md §8 has them. */
import * as z from "zod";

import { type ErrorCode, MAX_ISSUES } from "../../../edge/error-codes.ts";
import { text } from "./shapes.ts";

/** What each code says. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_json: "The body is not JSON, not UTF-8 or not gzip, or it broke off.",
  invalid_request: "The body, the query or a header is not valid; `issues` names the fields at fault.",
  invalid_message: "The one message of the request is not valid; `issues` names the field at fault.",
  unauthorized: "The credentials are missing, malformed, unknown or revoked: it is not said which.",
  forbidden: "The key lacks the scope.",
  dpa_required: "The workspace has not accepted the data processing agreement.",
  not_found: "There is no such thing.",
  method_not_allowed: "The path takes other methods, which `Allow` names.",
  message_too_large: "The body, or the one message in it, is too large.",
  batch_too_large: "The body is larger than 512 KB, or has more than 1,000 messages. Nothing was stored.",
  unsupported_encoding: "`Content-Encoding` is something else than `gzip`.",
  unsupported_media_type: "`Content-Type` is something else than `application/json`.",
  rate_limited: "The write limit is used up. Nothing was stored: send the same again after `Retry-After`.",
  internal: "A fault of the service. Send the same again.",
  unavailable: "The service is busy. Nothing was stored, or what was stored deduplicates when the same is sent again.",
};

export const errorBody = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({
    code: text,
    message: text.describe("A sentence for a person."),
    requestId: text.describe("That of `X-Request-Id`; the log has it too."),
    issues: z
      .array(z.strictObject({ path: z.string().describe("The field; empty for the whole body."), message: text }))
      .max(MAX_ISSUES)
      .optional(),
  }),
});

/** By status, the headers that an error comes with beside those of all answers. */
export const HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};
