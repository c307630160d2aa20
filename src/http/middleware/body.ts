/**
 * Reading bodies that nobody vouches for. The limit counts decoded bytes as they come, so neither a false
 * Content-Length nor a small gzip of something huge makes the service hold more than the limit.
 */
import { gunzip, Overfed } from "./gunzip.ts";

export type BodyResult =
  | { ok: true; text: string }
  | { ok: false; reason: "too_large" | "unsupported_encoding" | "undecodable" };

/** Bytes to be read as they come. A stream's reader is one. */
export interface ByteSource {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Of a body whose sender does not tell its length. */
const FIRST_BUFFER_BYTES = 16_384;
/** What is said of a length is given no more than this before it has come: who only says it, takes no memory. */
const MAX_FIRST_BUFFER_BYTES = 65_536;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** @param maxBytes of the decoded body */
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
    return bytes === null ? { ok: false, reason: "too_large" } : { ok: true, text: utf8.decode(bytes) };
  } catch (error) {
    if (error instanceof Overfed) return { ok: false, reason: "too_large" };
    // Broken gzip, text that is not UTF-8, or a sender that went away: none of it can be read.
    return { ok: false, reason: "undecodable" };
  }
}

/** What a sender says of its body's length. It makes the buffer fit, and decides nothing. */
function expectedBytes(headers: Headers): number {
  const told = Number(headers.get("Content-Length") ?? Number.NaN);
  return Number.isSafeInteger(told) && told > 0 ? told : FIRST_BUFFER_BYTES;
}

/**
 * All bytes of the body, or `null` as soon as there are more than `maxBytes`; the rest is never read. One call to the
 * runtime where a message comes alone: to take each chunk as it comes costs more than to parse a message.
 */
async function fill(reader: ReadableStreamBYOBReader, expected: number, maxBytes: number): Promise<Uint8Array | null> {
  const room = Math.min(expected, maxBytes, MAX_FIRST_BUFFER_BYTES) + 1;
  const { value: first = new Uint8Array() } = await reader.readAtLeast(room, new Uint8Array(room));
  return first.byteLength < room ? first : fillOn(reader, first, maxBytes);
}

/** The same of a body that does not fit the first buffer. A call for each time that the buffer doubles. */
async function fillOn(
  reader: ReadableStreamBYOBReader,
  begun: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | null> {
  let filled = begun;
  while (filled.byteLength <= maxBytes) {
    const size = filled.byteLength;
    const buffer = new Uint8Array(Math.min(2 * size, maxBytes) + 1);
    buffer.set(filled);
    const room = buffer.byteLength - size;
    const { value } = await reader.readAtLeast(room, buffer.subarray(size));
    const read = value?.byteLength ?? 0;
    // The memory went into the call: `buffer` has none left, and what was read before stands in that of the answer.
    filled = new Uint8Array(value?.buffer ?? new ArrayBuffer(), 0, size + read);
    if (read < room) return filled;
  }
  await reader.cancel().catch(() => undefined);
  return null;
}

/** The same of a source that hands out chunks. */
async function collect(source: ByteSource, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await source.read();
    if (done || value === undefined) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await source.cancel().catch(() => undefined);
      return null;
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
