/**
 * When a message happened: see docs/wire.md, Time. Senders' clocks are wrong, and they buffer: what is right is the
 * distance between making a message and sending it, so that distance is taken off the time of receipt.
 */
import type { JsonObject } from "../json.ts";
import { isWritableTime, readIsoTime } from "./iso-time.ts";

/** What still lies further ahead than this becomes the time of receipt. */
export const MAX_FUTURE_MS = 5 * 60 * 1_000;

/** A smaller correction is transit noise: applying it would shuffle one sender's messages. */
export const MIN_CORRECTION_MS = 5_000;

/**
 * The time of a compatibility message.
 *
 * @param receivedAt milliseconds since the epoch
 * @param batchSentAt the batch's own `sentAt`, where a message has no readable one
 * @returns milliseconds since the epoch; `null` when `timestamp` is there and can't be read
 */
export function occurredAt(message: JsonObject, receivedAt: number, batchSentAt: number | null): number | null {
  const timestamp = present(message["timestamp"]) ? readIsoTime(message["timestamp"], true) : undefined;
  if (timestamp === null) return null;
  // A CDP that forwards a message, perhaps hours later, has corrected it and says so with its own `receivedAt`.
  if (present(message["receivedAt"])) return notInFuture(timestamp ?? receivedAt, receivedAt);
  const sentAt = readIsoTime(message["sentAt"], true) ?? batchSentAt;
  if (sentAt === null) return notInFuture(timestamp ?? receivedAt, receivedAt);
  const made = readIsoTime(message["originalTimestamp"], true) ?? timestamp;
  if (made === undefined) return receivedAt;
  const correction = receivedAt - sentAt;
  return notInFuture(Math.abs(correction) < MIN_CORRECTION_MS ? made : made + correction, receivedAt);
}

/** Nothing happens after its receipt, bar the drift of clocks. A correction by a nonsense `sentAt` ends here too. */
export function notInFuture(ms: number, receivedAt: number): number {
  return ms - receivedAt > MAX_FUTURE_MS || !isWritableTime(ms) ? receivedAt : ms;
}

function present(value: unknown): boolean {
  return value !== undefined && value !== null;
}
