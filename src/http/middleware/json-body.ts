/**
 * Reads untrusted JSON bodies. Every operation limits, gunzips and decodes them here, and refuses them with the same
 * codes. The limit counts decoded bytes as they arrive, so neither a false Content-Length nor a small gzip of something
 * huge makes the service hold more than the limit.
 */
import { createMiddleware } from "hono/factory";

import type { AppContext, AppEnv } from "../../edge/context.ts";
import { errorResponse, type ErrorResponse } from "../../edge/errors.ts";
import { BodyTooLarge, type ByteSource, gunzip } from "./gunzip.ts";

/** The limit of a decoded body, and the error code of a larger one. */
export interface BodyLimit {
  maxBytes: number;
  code: "message_too_large" | "batch_too_large";
}

/** The media types that Hono's validator parses. It would treat a body of any other type as empty. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** For a body without a Content-Length. */
const FIRST_BUFFER_BYTES = 16_384;
/** A larger Content-Length gets no more than this before any byte arrives, so a false one can't take memory. */
const MAX_BUFFER_BYTES = 65_536;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

export async function readText(
  c: AppContext,
  { maxBytes, code }: BodyLimit,
): Promise<string | ErrorResponse<BodyLimit["code"] | "unsupported_encoding" | "invalid_json">> {
  const { headers, body } = c.req.raw;
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity" && encoding !== "gzip") {
    return errorResponse(c, "unsupported_encoding", "Send the body uncompressed or with Content-Encoding: gzip.");
  }
  if (body === null) return "";
  try {
    const bytes =
      encoding === "gzip"
        ? await collect(gunzip(body.getReader(), maxBytes), maxBytes)
        : await fill(body.getReader({ mode: "byob" }), expectedBytes(headers), maxBytes);
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      return errorResponse(c, code, `The body must have at most ${maxBytes} bytes after decoding.`);
    }
    // Broken gzip, invalid UTF-8, or a sender that disconnected.
    return errorResponse(c, "invalid_json", "The body must be valid UTF-8, or valid gzip of it.");
  }
}

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

/** The size of the first buffer. Content-Length only makes it fit; it is never trusted as the limit. */
function expectedBytes(headers: Headers): number {
  const length = Number(headers.get("Content-Length") ?? Number.NaN);
  return Number.isSafeInteger(length) && length > 0 ? length : FIRST_BUFFER_BYTES;
}

/**
 * Reads the whole body. A single message takes one call to the runtime: reading it chunk by chunk costs more than
 * parsing it.
 * @throws BodyTooLarge as soon as there are more than `maxBytes`; the rest is never read
 */
async function fill(
  reader: ReadableStreamBYOBReader,
  expected: number,
  maxBytes: number,
): Promise<ArrayBuffer | Uint8Array> {
  const room = Math.min(expected, maxBytes, MAX_BUFFER_BYTES) + 1;
  const { value: first = new Uint8Array() } = await reader.readAtLeast(room, new Uint8Array(room));
  if (first.byteLength < room) return first;
  const read = (most: number) => {
    const size = Math.min(most, MAX_BUFFER_BYTES);
    return reader.readAtLeast(size, new Uint8Array(size));
  };
  return collect({ read, cancel: () => reader.cancel() }, maxBytes, first);
}

async function collect(source: ByteSource, maxBytes: number, ...chunks: Uint8Array[]): Promise<ArrayBuffer> {
  let left = chunks.reduce((sum, { byteLength }) => sum - byteLength, maxBytes);
  while (left >= 0) {
    const { done, value } = await source.read(left + 1);
    if (done || value === undefined) return new Blob(chunks).arrayBuffer();
    chunks.push(value);
    left -= value.byteLength;
  }
  await source.cancel().catch(() => undefined);
  throw new BodyTooLarge();
}
