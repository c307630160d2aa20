/** Every way a request can fail, and how it is told. */
import type { Context, ErrorHandler, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";

import { RETRY_AFTER_FAULT_SECONDS } from "../config.ts";
import { describeFault } from "../core/describe-fault.ts";
import { DatabaseUnavailable } from "../services/database.ts";
import { LimiterUnavailable } from "../services/limiter.ts";
import { answerJson, say } from "./answer.ts";
import type { AppEnv } from "./context.ts";
import { type ErrorCode, MAX_ISSUES, STATUS } from "./error-codes.ts";

export interface Issue {
  /** The field at fault, as `properties.items.0`; empty for the body as a whole. */
  path: string;
  message: string;
}

/** The answer to a request that failed: the documented shape, under the code's status. */
export function failure(c: Context, code: ErrorCode, message: string, issues?: Issue[]): Response {
  if (code === "unauthorized") say(c, { "WWW-Authenticate": "Bearer" });
  if (code === "unavailable") say(c, { "Retry-After": String(RETRY_AFTER_FAULT_SECONDS) });
  const requestId: string = c.get("requestId");
  const error = { code, message, requestId };
  const told = issues === undefined ? error : { ...error, issues: issues.slice(0, MAX_ISSUES) };
  return answerJson(c, { ok: false, error: told }, STATUS[code]);
}

/** One text for a key that is missing, malformed, unknown or revoked: the answer must not tell which. */
export const unauthorized = (c: Context): Response =>
  failure(c, "unauthorized", "A valid API key is required: Authorization: Bearer <API key>.");

export const notFound: NotFoundHandler<AppEnv> = (c) => failure(c, "not_found", "There is nothing at this path.");

/** Whether the same request may well succeed in a moment. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof LimiterUnavailable;

/** Faults: what went wrong goes to the log, and never to the sender. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof HTTPException && error.status === 400) {
    return failure(c, "invalid_json", "The body is not valid JSON.");
  }
  const facts = c.get("facts");
  facts.fault = describeFault(error);
  if (isUnavailable(error)) {
    return failure(c, "unavailable", "The service is busy. Send the same request again.");
  }
  return failure(c, "internal", "Something went wrong on our side. Send the same request again.");
};
