/** Error responses: docs/wire/README.md §8. */
import type { Context, ErrorHandler, NotFoundHandler, TypedResponse } from "hono";
import { HTTPException } from "hono/http-exception";
import type * as z from "zod";

import { CLIENT_LIMIT_SECONDS, RETRY_AFTER_FAULT_SECONDS, RETRY_AFTER_FULL_SECONDS } from "../config.ts";
import { describeFault } from "../core/describe-fault.ts";
import type { Issue } from "../core/ingest/message.ts";
import { cutText } from "../core/ingest/text.ts";
import { ArchiveUnavailable } from "../archive/store.ts";
import { DatabaseUnavailable } from "../db/client/faults.ts";
import { LimiterUnavailable } from "../limiter/call-limiter.ts";
import { TooManyRequests } from "../limiter/check-client-limit.ts";
import type { AppEnv } from "./app-context.ts";

export const STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_message: 400,
  unauthorized: 401,
  invalid_signature: 401,
  forbidden: 403,
  dpa_required: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  import_running: 409,
  move_running: 409,
  too_many_destinations: 409,
  message_too_large: 413,
  batch_too_large: 413,
  unsupported_encoding: 415,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof STATUS;

export const MAX_ISSUES = 20;
const MAX_ECHOED_CHARS = 64;

/** Its type carries the code, so that a route can only return the errors that it declares. */
export type ErrorResponse<Code extends ErrorCode = ErrorCode> = Response &
  TypedResponse<{ ok: false; code: Code; error: { code: Code } }, (typeof STATUS)[Code], "json">;

/**
 * Returns the documented error body with the code's status. Segment's and RudderStack's Python libraries read the code and
 * the message at the top level: without them, they take a permanent error for a network fault and retry.
 */
export function errorResponse<Code extends ErrorCode>(
  c: Context,
  code: Code,
  message: string,
  issues?: Issue[],
): ErrorResponse<Code>;
// It has its own signature, because TypeScript can't follow a generic code through Hono's JSON types.
export function errorResponse(c: Context, code: ErrorCode, message: string, issues?: Issue[]): Response {
  if (STATUS[code] === 401) c.header("WWW-Authenticate", "Bearer");
  const error = { code, message, requestId: c.get("requestId") };
  const details = issues && { issues: issues.slice(0, MAX_ISSUES) };
  return c.json({ ok: false, code, message, error: { ...error, ...details } }, STATUS[code]);
}

/**
 * Lists the invalid fields. Issues quote nothing from the sender except the beginning of an unknown field's name.
 * @param queries the values of each query parameter, if these are invalid
 */
export function toIssues(
  issues: readonly z.core.$ZodIssue[],
  queries: Readonly<Record<string, readonly string[]>> = {},
): Issue[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String);
    const isRepeated = (queries[path.join(".")]?.length ?? 0) > 1;
    const isMissing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    const message = isRepeated ? "must be given only once" : isMissing ? "is required" : issue.message;
    if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message }];
    // Zod's own message quotes all of the names. A schema may have a better one.
    const ownMessage = message.startsWith("Unrecognized key") ? "is not a field of this request" : message;
    return issue.keys.map((key) => ({
      path: [...path, cutText(key, MAX_ECHOED_CHARS)].join("."),
      message: ownMessage,
    }));
  });
}

/** Why an operation was refused. The API makes a response of it, and the tools of agents a result. */
export interface Failure<Code extends ErrorCode = ErrorCode> {
  readonly ok: false;
  readonly code: Code;
  readonly message: string;
  readonly issues?: Issue[] | undefined;
}

export const failure = <Code extends ErrorCode>(code: Code, message: string, issues?: Issue[]): Failure<Code> => ({
  ok: false,
  code,
  message,
  issues,
});

export const failed = <Code extends ErrorCode>(c: Context, { code, message, issues }: Failure<Code>) =>
  errorResponse(c, code, message, issues);

/** Refuses a key that is missing, malformed, unknown or revoked. The message must not reveal which. */
export const UNAUTHORIZED = failure("unauthorized", "A valid API key is required: Authorization: Bearer <API key>.");
export const unauthorized = (c: Context): ErrorResponse<"unauthorized"> => failed(c, UNAUTHORIZED);

export const notFound: NotFoundHandler<AppEnv> = (c) =>
  errorResponse(c, "not_found", "Unknown path. GET /openapi.json lists all paths.");

/** Whether the same request may succeed in a moment. */
export const isUnavailable = (error: unknown): boolean =>
  [ArchiveUnavailable, DatabaseUnavailable, LimiterUnavailable, TooManyRequests].some((each) => error instanceof each);

function retryAfterSeconds(error: unknown): number {
  if (error instanceof TooManyRequests) return CLIENT_LIMIT_SECONDS;
  return error instanceof DatabaseUnavailable && error.kind === "full"
    ? RETRY_AFTER_FULL_SECONDS
    : RETRY_AFTER_FAULT_SECONDS;
}

/** Describes a fault to clients. Its details go to the log and never to the client. */
export function failureOf(error: unknown): Failure<"rate_limited" | "unavailable" | "internal"> {
  // Ingest paths return 503 for too many unknown keys: http/middleware/write-request.ts decides it.
  if (error instanceof TooManyRequests)
    return failure("rate_limited", "Too many requests from your network. Retry the same request.");
  if (!isUnavailable(error)) return failure("internal", "Internal error. Retry the same request.");
  const what = error instanceof ArchiveUnavailable ? "archive is unavailable" : "service is busy";
  return failure("unavailable", `The ${what}. Retry the same request.`);
}

/** Responds to faults. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  // zod-validator throws it for a body that does not parse.
  if (error instanceof HTTPException && error.status === 400) {
    return errorResponse(c, "invalid_json", "Invalid JSON body.");
  }
  // A limit that a network has used up is no fault of the service.
  if (!(error instanceof TooManyRequests)) c.get("logFields").fault = describeFault(error);
  if (isUnavailable(error)) c.header("Retry-After", String(retryAfterSeconds(error)));
  return failed(c, failureOf(error));
};
