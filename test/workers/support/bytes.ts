/** Compressed bodies, and bodies that count how much of them is read. */

export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  return gzipOf([bytes]);
}

/** Compresses chunk by chunk: what is decoded may be far larger than memory should hold. */
export async function gzipOf(chunks: Iterable<Uint8Array>): Promise<Uint8Array> {
  const rest = chunks[Symbol.iterator]();
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(source.pipeThrough(new CompressionStream("gzip"))).bytes();
}

export interface CountedBody {
  stream: ReadableStream<Uint8Array>;
  /** Chunks taken so far. */
  pulled: () => number;
  cancelled: () => boolean;
}

/** A body handed out chunk by chunk, and only when it is asked for. */
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

/** A stream of the runtime's own, as that of a request that came over the network is. */
export const asReceived = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  stream.pipeThrough(new IdentityTransformStream());

/** The same chunk so many times. */
export function* repeated(chunk: Uint8Array, times: number): Generator<Uint8Array> {
  for (let count = 0; count < times; count += 1) yield chunk.slice();
}

export function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.slice(from, from + size);
}
