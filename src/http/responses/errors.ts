/** Error responses: docs/wire.md §8. */
import * as z from "zod";

import type { Scope } from "../../core/api-key.ts";
import { type ErrorCode, MAX_ISSUES } from "../../edge/errors.ts";
import { response } from "../named-schemas.ts";
import { text } from "./fields.ts";

export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_json: "The body is not valid JSON, UTF-8 or gzip, or it is incomplete.",
  invalid_request: "The body, the query or a header is invalid; `issues` names the fields.",
  invalid_message: "The only message of the request is invalid; `issues` names the field.",
  unauthorized: "The credentials are missing, malformed, unknown or revoked. The response doesn't say which.",
  forbidden: "The key lacks the scope.",
  dpa_required: "The workspace has not accepted the data processing agreement.",
  not_found: "The resource does not exist.",
  method_not_allowed: "The path doesn't support this method; `Allow` lists the methods that it supports.",
  message_too_large: "The body, or the only message in it, is too large.",
  batch_too_large: "The body is larger than 512 KB or has more than 1,000 messages. Nothing was stored.",
  unsupported_encoding: "`Content-Encoding` is not `gzip`.",
  unsupported_media_type: "`Content-Type` is not `application/json`.",
  rate_limited: "The write limit is used up. Nothing was stored: retry after `Retry-After`.",
  internal: "Internal error. Retry the request.",
  unavailable:
    "The service is busy. Retry the request: messages with a `messageId` or an `Idempotency-Key` are stored once.",
};

export const errorBody = response(
  "Error",
  z.strictObject({
    ok: z.literal(false),
    error: z.strictObject({
      code: text,
      message: text.describe("A sentence for people."),
      requestId: text.describe("The same as `X-Request-Id`. The log contains it too."),
      issues: z
        .array(z.strictObject({ path: z.string().describe("The field; empty for the whole body."), message: text }))
        .max(MAX_ISSUES)
        .optional(),
    }),
  }),
);

/** Additional response headers by status. */
export const HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

const FAULTS = ["internal", "unavailable"] as const;
const KEYED = ["unauthorized", "forbidden", ...FAULTS] as const;

/** Codes of every operation with this access. */
export const ACCESS_ERRORS = {
  ingest: [...KEYED, "invalid_json", "invalid_request", "unsupported_encoding", "rate_limited"],
  identity: KEYED,
  ask: KEYED,
  read: KEYED,
  inbox: KEYED,
  // Without an admin token in the deployment, every administration path is 404.
  admin: ["unauthorized", "not_found", ...FAULTS],
} as const satisfies Record<Scope | "admin", readonly ErrorCode[]>;

/** Codes of every operation with a body, except ingest, which accepts any content type. */
export const BODY_ERRORS = [
  "invalid_json",
  "invalid_request",
  "message_too_large",
  "unsupported_encoding",
  "unsupported_media_type",
] as const;
