/**
 * Reads untrusted JSON bodies. Every operation limits, gunzips and decodes them here, and refuses them with the same
 * codes. The limit counts bytes as they arrive and as they are decoded, so neither a false Content-Length nor a small
 * gzip of something huge makes the service hold more than a few times the limit. See docs/decisions/0006-gunzip-with-a-limit.md.
 */
import { gunzipSync } from "node:zlib";

import { createMiddleware } from "hono/factory";

import { parseJson } from "../../core/parse-json.ts";
import { BodyTooLarge, readBytes } from "../../edge/request-body.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { errorResponse, type ErrorResponse } from "../../edge/errors.ts";

/** The limit of a decoded body, and the error code of a larger one. */
export interface BodyLimit {
  maxBytes: number;
  code: "message_too_large" | "batch_too_large";
}

/** The media types that Hono's validator parses. It would treat a body of any other type as empty. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** `x-gzip` is an old name of `gzip`: RFC 9110, section 8.4.1.3. */
const ENCODINGS: ReadonlySet<string> = new Set(["identity", "gzip", "x-gzip"]);
/** The bytes that gzip adds to data that can't be compressed. */
const GZIP_OVERHEAD_BYTES = 1_024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Reads and gunzips the body. */
export async function readDecoded(
  c: AppContext,
  { maxBytes, code }: BodyLimit,
): Promise<Uint8Array | ErrorResponse<BodyLimit["code"] | "unsupported_encoding" | "invalid_json">> {
  const { headers, body } = c.req.raw;
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() || "identity";
  if (!ENCODINGS.has(encoding)) {
    return errorResponse(c, "unsupported_encoding", "Send the body uncompressed or with Content-Encoding: gzip.");
  }
  if (body === null) return new Uint8Array();
  try {
    return encoding === "identity"
      ? new Uint8Array(await readBytes(body, maxBytes))
      : gunzip(await readBytes(body, maxBytes + GZIP_OVERHEAD_BYTES), maxBytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      return errorResponse(c, code, `The body must have at most ${maxBytes} bytes after decoding.`);
    }
    // Broken gzip, or a sender that disconnected.
    return notText(c);
  }
}

/** Decodes a body. */
export function toText(c: AppContext, bytes: Uint8Array): string | ErrorResponse<"invalid_json"> {
  try {
    return utf8.decode(bytes);
  } catch {
    return notText(c);
  }
}

const notText = (c: AppContext): ErrorResponse<"invalid_json"> =>
  errorResponse(c, "invalid_json", "The body must be UTF-8 or gzipped UTF-8.");

export async function readText(c: AppContext, limit: BodyLimit) {
  const bytes = await readDecoded(c, limit);
  return bytes instanceof Response ? bytes : toText(c, bytes);
}

export const invalidJson = (c: AppContext, position: number): ErrorResponse<"invalid_json"> =>
  errorResponse(c, "invalid_json", `Invalid JSON body at position ${position}.`);

/**
 * Requires a JSON body of limited size. The validator that follows reads the body uncompressed.
 * @param isOptional whether no body is `{}`, whatever its content type
 */
export const limitJson = (maxBytes: number, isOptional: boolean) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const isJson = JSON_TYPE.test(c.req.header("Content-Type") ?? "");
    const text = isJson || isOptional ? await readText(c, { maxBytes, code: "message_too_large" }) : null;
    if (text instanceof Response) return text;
    if (text === null || (!isJson && text !== "")) {
      return errorResponse(c, "unsupported_media_type", "Send JSON, with Content-Type: application/json.");
    }
    const body = isOptional ? text || "{}" : text;
    const parsed = parseJson(body);
    if (!parsed.ok) return invalidJson(c, parsed.position);
    // Replaces the request, as Hono's own body limit does.
    c.req.raw = new Request(c.req.raw, { method: c.req.method, body });
    return await next();
  });

/** @throws BodyTooLarge as soon as there are more than `maxBytes`; another error for invalid gzip */
function gunzip(bytes: ArrayBuffer, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw error instanceof RangeError ? new BodyTooLarge() : error;
  }
}
