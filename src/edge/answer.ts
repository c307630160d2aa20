/**
 * The API's answers: JSON, and what stands on every one of them. What their headers will say is plain data until an
 * answer is made. Hono would keep it in an object of the runtime's, to be filled call by call, copied and taken apart:
 * a twentieth of the time of a refusal. So `c.header` and `c.json` are for what Hono answers: pages and preflights.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { MAX_REQUEST_ID_CHARS } from "../config.ts";
import type { AppEnv } from "./context.ts";

export type AnswerHeaders = Partial<Record<AnswerHeader, string>>;

type AnswerHeader =
  | "Access-Control-Allow-Origin"
  | "Access-Control-Expose-Headers"
  | "Allow"
  | "Cache-Control"
  | "Content-Type"
  | "Link"
  | "RateLimit"
  | "RateLimit-Policy"
  | "Retry-After"
  | "WWW-Authenticate"
  | "X-Content-Type-Options"
  | "X-RateLimit-Reset"
  | "X-Request-Id";

/** What can stand in a log and in a header as it is. */
const REQUEST_ID = new RegExp(`^[\\w=-]{1,${MAX_REQUEST_ID_CHARS}}$`);

/**
 * Gives the request its id, the sender's own if that is one, and begins its answer. Answers are data: no browser takes
 * one for another type, and no cache keeps what a key has opened.
 */
export const beginAnswer = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.raw.headers.get("X-Request-Id");
  const requestId = sent !== null && REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
  c.set("requestId", requestId);
  c.set("headers", { "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" });
  await next();
});

/** For what Hono answers: pages, and preflights of browsers. */
export const headersByHono = createMiddleware<AppEnv>(async (c, next) => {
  for (const [name, value] of Object.entries(c.get("headers"))) c.header(name, value);
  await next();
});

/** Says more of the answer, before it is made. */
export function say(c: Context, headers: AnswerHeaders): void {
  Object.assign(headersOf(c), headers);
}

/** @param status 200 unless it is told */
export const answerJson = (c: Context, body: object, status?: ContentfulStatusCode): Response =>
  answerJsonText(c, JSON.stringify(body), status);

/** The same where the JSON is made already. */
export function answerJsonText(c: Context, json: string, status: ContentfulStatusCode = 200): Response {
  const headers = headersOf(c);
  headers["Content-Type"] = "application/json";
  return new Response(json, { status, headers });
}

const headersOf = (c: Context): AnswerHeaders => c.get("headers");
