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

/** @param maxBytes of the decoded body */
export async function readBody(request: Request, maxBytes: number): Promise<BodyResult> {
  const encoding = request.headers.get("Content-Encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity" && encoding !== "gzip") return { ok: false, reason: "unsupported_encoding" };
  if (request.body === null) return { ok: true, text: "" };
  const reader = request.body.getReader();
  try {
    const bytes = await collect(encoding === "gzip" ? gunzip(reader, maxBytes) : reader, maxBytes);
    if (bytes === null) return { ok: false, reason: "too_large" };
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes) };
  } catch (error) {
    if (error instanceof Overfed) return { ok: false, reason: "too_large" };
    // Broken gzip, text that is not UTF-8, or a sender that went away: none of it can be read.
    return { ok: false, reason: "undecodable" };
  }
}

/** All bytes of the source, or `null` as soon as there are more than `maxBytes`; the rest is never read. */
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
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
