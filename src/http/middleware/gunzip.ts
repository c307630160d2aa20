/**
 * Gunzips on demand. A DecompressionStream decodes all of its input at once, however large the output is and whether or
 * not anyone reads it. So this feeds it small steps, and only while its reader waits. It also stops after as many
 * encoded bytes as an honest body can have, because gzip can go on forever and decode to nothing. See
 * docs/decisions/0006-gunzip-in-small-steps.md.
 */

/** A source of bytes in chunks, such as a stream's reader. */
export interface ByteSource {
  /** @param most how many bytes its reader takes at most; a chunk may be larger */
  read(most: number): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

const STEP_BYTES = 1_024;
/** Large, because each read feeds at least one step: few reads keep the decoder close to its reader. */
const READ_BYTES = 65_536;
/** What gzip adds to data that can't be compressed. */
const OVERHEAD_BYTES = 1_024;

/** The body, or its encoded form, is larger than allowed. */
export class BodyTooLarge extends Error {}

/**
 * @param source the encoded bytes
 * @param maxBytes limit of the decoded body, which the reader enforces
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
      const { done, value } = await source.read(READ_BYTES);
      ended = done;
      chunk = value ?? new Uint8Array();
      left -= chunk.byteLength;
      if (left < 0) throw new BodyTooLarge();
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
