/**
 * Reading bodies that nobody vouches for. The limit counts decoded bytes as they come, so neither a false
 * Content-Length nor a small gzip of something huge makes the service hold more than the limit.
 */
const GUNZIP_STEP_BYTES = 256;

export type BodyResult =
  | { ok: true; text: string }
  | { ok: false; reason: "too_large" | "unsupported_encoding" | "undecodable" };

/** @param maxBytes of the decoded body */
export async function readBody(request: Request, maxBytes: number): Promise<BodyResult> {
  const encoding = request.headers.get("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "" && encoding !== "gzip")
    return { ok: false, reason: "unsupported_encoding" };
  if (request.body === null) return { ok: true, text: "" };
  const stream = encoding === "gzip" ? gunzip(request.body) : request.body;
  try {
    const bytes = await collect(stream, maxBytes);
    if (bytes === null) return { ok: false, reason: "too_large" };
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes) };
  } catch {
    // Broken gzip, text that is not UTF-8, or a sender that went away: none of it can be read.
    return { ok: false, reason: "undecodable" };
  }
}

/**
 * Decompresses as it is read. A DecompressionStream decodes what it is given at once and whole, however much that
 * becomes, so it is given little at a time: a bomb grows by a quarter of a megabyte and is cut off there.
 */
function gunzip(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new DecompressionStream("gzip");
  void feed(body, writable.getWriter());
  return readable;
}

/** Ends with the body, at its failure, or when the reader cancels; the body is let go of in each case. */
async function feed(body: ReadableStream<Uint8Array>, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of body) {
      for (let from = 0; from < chunk.byteLength; from += GUNZIP_STEP_BYTES) {
        await writer.write(chunk.subarray(from, from + GUNZIP_STEP_BYTES));
      }
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
  }
}

/** All bytes of the stream, or `null` as soon as there are more than `maxBytes`; the rest is never read. */
async function collect(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined);
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
