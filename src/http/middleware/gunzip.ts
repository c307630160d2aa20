/**
 * Gunzip that does no more than it is asked for. A DecompressionStream decodes what it is given at once and whole,
 * however much that becomes and whoever reads it. So it is given little at a time, and only while its reader waits
 * for more. Nor is it given more than an honest body of the size can have: gzip can go on for ever and decode to
 * nothing. See docs/decisions/0006-gunzip-in-small-steps.md.
 */
import type { ByteSource } from "./body.ts";

const STEP_BYTES = 1_024;
/** Large, since the stream is fed once for each read at least: few reads are few steps ahead of the reader. */
const READ_BYTES = 65_536;
/** What a gzip member has around data that can't be compressed. */
const OVERHEAD_BYTES = 1_024;

/** There was more gzip than a body of the allowed size can be. */
export class Overfed extends Error {}

/**
 * @param source the encoded bytes
 * @param maxBytes of the decoded body; it is the reader's to stop there
 */
export function gunzip(source: ByteSource, maxBytes: number): ByteSource {
  const { readable, writable } = new DecompressionStream("gzip");
  const reader = readable.getReader({ mode: "byob" });
  const writer = writable.getWriter();
  let left = maxBytes + OVERHEAD_BYTES;
  let chunk: Uint8Array = new Uint8Array();
  let ended = false;
  let feeding: Promise<void> | null = null;

  async function feed(): Promise<void> {
    if (chunk.byteLength === 0) {
      const { done, value } = await source.read();
      ended = done;
      chunk = value ?? new Uint8Array();
      left -= chunk.byteLength;
      if (left < 0) throw new Overfed();
    }
    if (ended) return writer.close();
    const step = chunk.subarray(0, STEP_BYTES);
    chunk = chunk.subarray(STEP_BYTES);
    return writer.write(step);
  }

  return {
    async read() {
      const reading = reader.read(new Uint8Array(READ_BYTES));
      const state = { waiting: true };
      const settled = () => {
        state.waiting = false;
      };
      reading.then(settled, settled);
      try {
        while (state.waiting && !ended) {
          feeding ??= feed().finally(() => {
            feeding = null;
          });
          await Promise.race([reading, feeding]);
        }
        return await reading;
      } catch (error) {
        await this.cancel().catch(() => undefined);
        throw error;
      }
    },
    async cancel() {
      await Promise.allSettled([reader.cancel(), writer.abort(), source.cancel()]);
    },
  };
}
