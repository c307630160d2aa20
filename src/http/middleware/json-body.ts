/**
 * Bodies that are to be JSON, for every operation: read within a limit, gunzipped and decoded in one place, and refused
 * with the same codes.
 */
import { zValidator } from "@hono/zod-validator";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";

import { MAX_EVENT_BYTES } from "../../config.ts";
import { readBody } from "./body.ts";
import type { AppContext, AppEnv } from "../../edge/context.ts";
import { failure } from "../../edge/errors.ts";
import { toIssues } from "../../edge/issues.ts";

export interface BodyLimit {
  maxBytes: number;
  code: "message_too_large" | "batch_too_large";
}

/** Nothing that the validator does not know for JSON: it would take the body for an empty one, and a key's scopes for none named. */
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;

/** @returns the body's text, or the answer that refuses it: 400, 413 or 415 */
export async function readText(c: AppContext, { maxBytes, code }: BodyLimit): Promise<string | Response> {
  const read = await readBody(c.req.raw, maxBytes);
  if (read.ok) return read.text;
  switch (read.reason) {
    case "too_large":
      return failure(c, code, `The body may have at most ${maxBytes} bytes, decoded.`);
    case "unsupported_encoding":
      return failure(c, "unsupported_encoding", "The body may be sent plain or with Content-Encoding: gzip.");
    case "undecodable":
      return failure(c, "invalid_json", "The body could not be read as (gzipped) UTF-8.");
  }
}

/** @returns what the text says, whatever JSON it is, or the answer that refuses it: 400 */
export function parseJson(c: AppContext, text: string): { body: unknown } | Response {
  try {
    return { body: JSON.parse(text) };
  } catch {
    return failure(c, "invalid_json", "The body is not valid JSON.");
  }
}

/** A body that must be JSON, of at most so many bytes, and say so: 415, 413 or 400 otherwise. Behind it, it is plain. */
export function jsonUpTo(maxBytes: number) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!JSON_TYPE.test(c.req.header("Content-Type") ?? "")) {
      return failure(c, "unsupported_media_type", "The body must be JSON: Content-Type: application/json.");
    }
    const text = await readText(c, { maxBytes, code: "message_too_large" });
    if (text instanceof Response) return text;
    // As Hono's own limit does: what comes behind, its validator too, reads the request.
    c.req.raw = new Request(c.req.raw, { method: c.req.method, body: text });
    return await next();
  });
}

export const jsonOnly = jsonUpTo(MAX_EVENT_BYTES);

/** Validates the body, naming the fields at fault. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) =>
  zValidator("json", schema, (result, c) => {
    if (result.success) return;
    return failure(c, "invalid_request", "The body is not valid.", toIssues(result.error.issues));
  });
