/** Reads JSON bodies: every operation limits, gunzips and decodes them here, and refuses them with the same codes. */
import { createMiddleware } from "hono/factory";

import type { AppContext, AppEnv } from "../../edge/context.ts";
import { errorResponse, type ErrorResponse } from "../../edge/errors.ts";
import { readBody } from "./read-body.ts";

export interface BodyLimit {
  maxBytes: number;
  code: "message_too_large" | "batch_too_large";
}

/** The media types that Hono's validator parses. It would treat a body of any other type as empty. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Reads the body as text, or returns an error response. */
export async function readText(
  c: AppContext,
  { maxBytes, code }: BodyLimit,
): Promise<string | ErrorResponse<BodyLimit["code"] | "unsupported_encoding" | "invalid_json">> {
  const read = await readBody(c.req.raw, maxBytes);
  if (read.ok) return read.text;
  switch (read.reason) {
    case "too_large":
      return errorResponse(c, code, `The body must have at most ${maxBytes} bytes after decoding.`);
    case "unsupported_encoding":
      return errorResponse(c, "unsupported_encoding", "Send the body uncompressed or with Content-Encoding: gzip.");
    case "undecodable":
      return errorResponse(c, "invalid_json", "The body must be valid UTF-8, or valid gzip of it.");
  }
}

/** Parses any JSON value, or returns an error response. */
export function parseJson(c: AppContext, text: string): { body: unknown } | ErrorResponse<"invalid_json"> {
  try {
    return { body: JSON.parse(text) };
  } catch {
    return errorResponse(c, "invalid_json", "Invalid JSON body.");
  }
}

/** Requires a JSON body of limited size. The validator that follows reads the body uncompressed. */
export const limitJson = (maxBytes: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!JSON_TYPE.test(c.req.header("Content-Type") ?? "")) {
      return errorResponse(c, "unsupported_media_type", "Send JSON, with Content-Type: application/json.");
    }
    const text = await readText(c, { maxBytes, code: "message_too_large" });
    if (text instanceof Response) return text;
    // Replaced as Hono's own body limit does.
    c.req.raw = new Request(c.req.raw, { method: c.req.method, body: text });
    return await next();
  });
