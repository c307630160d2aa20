/**
 * Reads untrusted bodies. The limit counts decoded bytes as they arrive, so neither a false Content-Length nor a small
 * gzip of something huge makes the service hold more than the limit.
 */
import { BodyTooLarge, type ByteSource, gunzip } from "./gunzip.ts";

type BodyResult =
  | { ok: true; text: string }
  | { ok: false; reason: "too_large" | "unsupported_encoding" | "undecodable" };

/** For a body without a Content-Length. */
const FIRST_BUFFER_BYTES = 16_384;
/** A larger Content-Length gets no more than this before any byte arrives, so a false one can't take memory. */
const MAX_FIRST_BUFFER_BYTES = 65_536;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** @param maxBytes limit of the decoded body */
export async function readBody(request: Request, maxBytes: number): Promise<BodyResult> {
  const { headers, body } = request;
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity" && encoding !== "gzip") return { ok: false, reason: "unsupported_encoding" };
  if (body === null) return { ok: true, text: "" };
  try {
    const bytes =
      encoding === "gzip"
        ? await collect(gunzip(body.getReader(), maxBytes), maxBytes)
        : await fill(body.getReader({ mode: "byob" }), expectedBytes(headers), maxBytes);
    return { ok: true, text: utf8.decode(bytes) };
  } catch (error) {
    if (error instanceof BodyTooLarge) return { ok: false, reason: "too_large" };
    // Broken gzip, invalid UTF-8, or a sender that disconnected.
    return { ok: false, reason: "undecodable" };
  }
}

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
async function fill(reader: ReadableStreamBYOBReader, expected: number, maxBytes: number): Promise<Uint8Array> {
  const room = Math.min(expected, maxBytes, MAX_FIRST_BUFFER_BYTES) + 1;
  const { value: first = new Uint8Array() } = await reader.readAtLeast(room, new Uint8Array(room));
  return first.byteLength < room ? first : fillMore(reader, first, maxBytes);
}

/** Continues with a body that is larger than the first buffer: one call each time the buffer doubles. */
async function fillMore(
  reader: ReadableStreamBYOBReader,
  firstBytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  let filled = firstBytes;
  while (filled.byteLength <= maxBytes) {
    const size = filled.byteLength;
    const buffer = new Uint8Array(Math.min(2 * size, maxBytes) + 1);
    buffer.set(filled);
    const room = buffer.byteLength - size;
    const { value } = await reader.readAtLeast(room, buffer.subarray(size));
    const read = value?.byteLength ?? 0;
    // The call took over the memory of `buffer`: the bytes, earlier ones included, are in the memory that it returned.
    filled = new Uint8Array(value?.buffer ?? new ArrayBuffer(), 0, size + read);
    if (read < room) return filled;
  }
  await reader.cancel().catch(() => undefined);
  throw new BodyTooLarge();
}

/** Reads a source of chunks to its end. */
async function collect(source: ByteSource, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await source.read();
    if (done || value === undefined) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await source.cancel().catch(() => undefined);
      throw new BodyTooLarge();
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
