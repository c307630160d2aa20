/**
 * When a message happened: see docs/wire.md, Time. Senders' clocks are wrong, and they buffer: what is right is the
 * distance between making a message and sending it, so that distance is taken off the time of receipt.
 */
import type { JsonObject } from "../json.ts";
import { isWritableTime, readIsoTime } from "./iso-time.ts";
import type { Mapping } from "./mapping.ts";

/** What still lies further ahead than this becomes the time of receipt. */
export const MAX_FUTURE_MS = 5 * 60 * 1_000;

/** A smaller correction is transit noise: applying it would shuffle one sender's messages. */
export const MIN_CORRECTION_MS = 5_000;

/**
 * The time of a compatibility message.
 *
 * @param receivedAt milliseconds since the epoch
 * @param batchSentAt the batch's own `sentAt`, where a message has no readable one
 * @param mapping how the time was found is noted here
 * @returns milliseconds since the epoch; `null` when `timestamp` is there and can't be read
 */
export function occurredAt(
  message: JsonObject,
  receivedAt: number,
  batchSentAt: number | null,
  mapping: Mapping,
): number | null {
  const timestamp = present(message["timestamp"]) ? readIsoTime(message["timestamp"], true) : undefined;
  if (timestamp === null) return null;
  // A CDP that forwards a message, perhaps hours later, has corrected it and says so with its own `receivedAt`.
  const sentAt = present(message["receivedAt"]) ? null : (readIsoTime(message["sentAt"], true) ?? batchSentAt);
  const original = sentAt === null ? null : readIsoTime(message["originalTimestamp"], true);
  const made = original ?? timestamp;
  if (made === undefined) return receivedAt;
  mapping.timeField = original === null ? "timestamp" : "originalTimestamp";
  const correction = sentAt === null ? 0 : receivedAt - sentAt;
  if (Math.abs(correction) < MIN_CORRECTION_MS) return notInFuture(made, receivedAt, mapping);
  mapping.clockSlowMs = correction;
  return notInFuture(made + correction, receivedAt, mapping);
}

/** Nothing happens after its receipt, bar the drift of clocks. A correction by a nonsense `sentAt` ends here too. */
export function notInFuture(ms: number, receivedAt: number, mapping: Mapping): number {
  const isAhead = ms - receivedAt > MAX_FUTURE_MS;
  if (!isAhead && isWritableTime(ms)) return ms;
  mapping.replaced = isAhead ? "future" : "past";
  return receivedAt;
}

function present(value: unknown): boolean {
  return value !== undefined && value !== null;
}
