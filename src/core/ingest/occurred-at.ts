/**
 * Finds out when a message happened: see docs/wire.md §4.2, Time. Senders have wrong clocks and send late. The time
 * between creating and sending a message is still right, so it is subtracted from the time of receipt.
 */
import type { JsonObject } from "../json.ts";
import { isWritableTime, readIsoTime } from "./iso-time.ts";
import type { Mapping } from "./message.ts";

/** A time further in the future becomes the time of receipt. */
export const MAX_FUTURE_MS = 5 * 60 * 1_000;

/** A smaller correction is transit noise. Applying it would shuffle the messages of one sender. */
const MIN_CORRECTION_MS = 5_000;

/**
 * Returns the time of a compatibility message, in milliseconds since the epoch, or `null` if it has an unreadable
 * `timestamp`.
 *
 * @param receivedAt milliseconds since the epoch
 * @param batchSentAt the batch's `sentAt`, used if the message has no readable one
 * @param mapping receives how the time was found
 */
export function occurredAt(
  message: JsonObject,
  receivedAt: number,
  batchSentAt: number | null,
  mapping: Mapping,
): number | null {
  const timestamp = message["timestamp"] == null ? undefined : readIsoTime(message["timestamp"], true);
  if (timestamp === null) return null;
  // A CDP that forwards a message, perhaps hours later, has already corrected its time. It marks it with `receivedAt`.
  const sentAt = message["receivedAt"] == null ? (readIsoTime(message["sentAt"], true) ?? batchSentAt) : null;
  const original = sentAt === null ? null : readIsoTime(message["originalTimestamp"], true);
  const statedTime = original ?? timestamp;
  if (statedTime === undefined) return receivedAt;
  mapping.timeField = original === null ? "timestamp" : "originalTimestamp";
  const correction = sentAt === null ? 0 : receivedAt - sentAt;
  if (Math.abs(correction) < MIN_CORRECTION_MS) return notInFuture(statedTime, receivedAt, mapping);
  mapping.clockSlowMs = correction;
  return notInFuture(statedTime + correction, receivedAt, mapping);
}

/** Replaces a time in the future by the time of receipt, and so a time that an absurd `sentAt` moved out of the calendar. */
export function notInFuture(ms: number, receivedAt: number, mapping: Mapping): number {
  const isAhead = ms - receivedAt > MAX_FUTURE_MS;
  if (!isAhead && isWritableTime(ms)) return ms;
  mapping.replaced = isAhead ? "future" : "past";
  return receivedAt;
}
