/** Compressed bodies, and bodies that count how much is read. */

export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  return gzipOf([bytes]);
}

/** Compresses chunk by chunk, because the decoded bytes may not fit into memory. */
export async function gzipOf(chunks: Iterable<Uint8Array>): Promise<Uint8Array> {
  return new Response(countedBody(chunks).stream.pipeThrough(new CompressionStream("gzip"))).bytes();
}

export interface CountedBody {
  stream: ReadableStream<Uint8Array>;
  /** Chunks read so far. */
  pulled: () => number;
  cancelled: () => boolean;
}

/** Makes a body that produces chunks only when they are read. */
export function countedBody(chunks: Iterable<Uint8Array>): CountedBody {
  const rest = chunks[Symbol.iterator]();
  let [pulled, cancelled] = [0, false];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = rest.next();
        if (done) {
          controller.close();
          return;
        }
        pulled += 1;
        controller.enqueue(value);
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, pulled: () => pulled, cancelled: () => cancelled };
}

/** Makes a body that starts with some bytes and never ends. */
export const unfinished = (start: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      if (start.byteLength > 0) controller.enqueue(start);
    },
  });

/** Makes a body that starts with some bytes, goes on slowly and never ends. */
export const trickle = (start: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(start);
    },
    async pull(controller) {
      await scheduler.wait(2);
      controller.enqueue(Uint8Array.of(0x20));
    },
  });

/** Makes a native stream, like the body of a request from the network. */
export const asReceived = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  stream.pipeThrough(new IdentityTransformStream());

/** Repeats a chunk. */
export function* repeated(chunk: Uint8Array, times: number): Generator<Uint8Array> {
  for (let count = 0; count < times; count += 1) yield chunk.slice();
}

export function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.slice(from, from + size);
}
