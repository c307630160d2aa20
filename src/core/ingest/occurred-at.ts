/**
 * Finds out when a message happened: see docs/wire/messages.md §4.2, Time. Senders have wrong clocks and send late. The
 * time between creating and sending a message is still right, so it is subtracted from the time of receipt.
 */
import { DAY_MS } from "../durations.ts";
import type { Json, JsonObject } from "../json.ts";
import { FIRST_TIME_MS, readAnyTime } from "./iso-time.ts";
import type { Mapping, TimeField } from "./message.ts";

/** A time further in the future becomes the time of receipt. */
export const MAX_FUTURE_MS = 5 * 60 * 1_000;

/** A smaller correction is transit noise. Applying it would shuffle the messages of one sender. */
const MIN_CORRECTION_MS = 5_000;

/** Only a clock set to another calendar, such as the Buddhist one, is more wrong. */
const MAX_CORRECTION_MS = 400 * DAY_MS;

/**
 * Returns the time of a compatibility message, in milliseconds since the epoch, or the field of an unreadable time.
 *
 * @param receivedAt milliseconds since the epoch
 * @param batchSentAt the batch's `sentAt`, used if the message has no readable one
 * @param mapping receives how the time was found
 */
export function readOccurredAt(
  message: JsonObject,
  receivedAt: number,
  batchSentAt: number | null,
  mapping: Mapping,
): number | TimeField {
  const timestamp = read(message["timestamp"]);
  const original = read(message["originalTimestamp"]);
  if (Number.isNaN(timestamp)) return "timestamp";
  if (Number.isNaN(original) && !isTime(timestamp)) return "originalTimestamp";
  if (isUnset(timestamp) || isUnset(original))
    mapping.unsetField = isUnset(timestamp) ? "timestamp" : "originalTimestamp";

  // A CDP that forwards a message, perhaps hours later, has already corrected its time. It marks it with `receivedAt`.
  const isForwarded = readOptionalTime(message["receivedAt"]) !== null;
  const sentAt = isForwarded ? null : (readOptionalTime(message["sentAt"]) ?? batchSentAt);
  const correction = sentAt === null ? null : receivedAt - sentAt;
  const isUsable = correction !== null && isPlausible(correction, isTime(original) ? original : timestamp, receivedAt);
  // `sentAt` belongs to the clock of `originalTimestamp`.
  const field = isTime(original) && (isUsable || !isTime(timestamp)) ? "originalTimestamp" : "timestamp";
  const applied = isUsable && Math.abs(correction) >= MIN_CORRECTION_MS ? correction : 0;
  return adjust(field, field === "timestamp" ? timestamp : original, applied, receivedAt, mapping);
}

/** Reads a time that is ignored if it is unreadable or no time. */
export function readOptionalTime(value: Json | undefined): number | null {
  const ms = read(value);
  return isTime(ms) ? ms : null;
}

/** Returns the time of a native capture, which has only a `timestamp`. */
export function nativeOccurredAt(timestamp: number | null, receivedAt: number, mapping: Mapping): number {
  if (isUnset(timestamp)) mapping.unsetField = "timestamp";
  return adjust("timestamp", timestamp, 0, receivedAt, mapping);
}

/** Corrects a time. Returns the time of receipt if the time is absent or impossible. */
function adjust(field: TimeField, ms: number | null, correction: number, receivedAt: number, mapping: Mapping): number {
  if (!isTime(ms)) return receivedAt;
  mapping.timeField = field;
  if (correction !== 0) mapping.clockSlowMs = correction;
  const time = ms + correction;
  if (isPossible(time, receivedAt)) return time;
  mapping.replaced = time > receivedAt ? "future" : "past";
  return receivedAt;
}

/** Reads a stated time: `null` if it is absent, `NaN` if it is unreadable. */
const read = (value: Json | undefined): number | null => (value == null ? null : readAnyTime(value, true));
const isUnset = (ms: number | null): boolean => ms !== null && ms < FIRST_TIME_MS;
const isTime = (ms: number | null): ms is number => ms !== null && ms >= FIRST_TIME_MS;
const isPossible = (ms: number, receivedAt: number): boolean => isTime(ms) && ms <= receivedAt + MAX_FUTURE_MS;

/** Returns whether a sender's clock may be wrong by `correction`, given the message's time on that clock. */
function isPlausible(correction: number, ms: number | null, receivedAt: number): boolean {
  if (Math.abs(correction) <= MAX_CORRECTION_MS) return true;
  return isTime(ms) && !isPossible(ms, receivedAt) && isPossible(ms + correction, receivedAt);
}
