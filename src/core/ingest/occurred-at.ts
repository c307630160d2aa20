/**
 * Finds out when a message happened: see docs/wire.md §4.2, Time. Senders have wrong clocks and send late. The time
 * between creating and sending a message is still right, so it is subtracted from the time of receipt.
 */
import { DAY_MS } from "../durations.ts";
import type { Json, JsonObject } from "../json.ts";
import { readFarTime } from "./iso-time.ts";
import type { Mapping, TimeField } from "./message.ts";

/** Programs write an earlier time, such as 0001-01-01 or 1970-01-01, for "unknown". */
export const FIRST_TIME_MS = Date.UTC(2000, 0, 1);

/** A time further in the future becomes the time of receipt. */
export const MAX_FUTURE_MS = 5 * 60 * 1_000;

/** A smaller correction is transit noise. Applying it would shuffle the messages of one sender. */
const MIN_CORRECTION_MS = 5_000;

/** No clock is so wrong, unless it is set to another calendar, such as the Buddhist one. */
const MAX_CORRECTION_MS = 400 * DAY_MS;

/**
 * Returns the time of a compatibility message, in milliseconds since the epoch, or the field of an unreadable time.
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
): number | TimeField {
  const timestamp = readStated(message["timestamp"]);
  const original = readStated(message["originalTimestamp"]);
  if (Number.isNaN(timestamp)) return "timestamp";
  if (Number.isNaN(original) && !isTime(timestamp)) return "originalTimestamp";
  const unset = [timestamp, original].findIndex((ms) => ms !== null && ms < FIRST_TIME_MS);
  if (unset >= 0) mapping.unsetField = unset === 0 ? "timestamp" : "originalTimestamp";

  const correction = readCorrection(message, receivedAt, batchSentAt, isTime(original) ? original : timestamp);
  // `sentAt` is of the same clock as the original time.
  const isOriginal = isTime(original) && (correction !== null || !isTime(timestamp));
  const time = isOriginal ? original : timestamp;
  if (!isTime(time)) return receivedAt;
  mapping.timeField = isOriginal ? "originalTimestamp" : "timestamp";
  if (correction === null || Math.abs(correction) < MIN_CORRECTION_MS) return possibleTime(time, receivedAt, mapping);
  mapping.clockSlowMs = correction;
  return possibleTime(time + correction, receivedAt, mapping);
}

/** Reads a stated time: `null` if it is absent, `NaN` if it is unreadable. */
function readStated(value: Json | undefined): number | null {
  return value === undefined || value === null ? null : (readFarTime(value, true) ?? NaN);
}

/** Reads a time that is ignored if it is unreadable or no time. */
export function readTime(value: Json | undefined): number | null {
  const ms = readStated(value);
  return isTime(ms) ? ms : null;
}

/** Returns the time of a native capture, which has no other one. */
export function nativeTime(timestamp: number | null, receivedAt: number, mapping: Mapping): number {
  if (timestamp === null) return receivedAt;
  mapping[isTime(timestamp) ? "timeField" : "unsetField"] = "timestamp";
  return isTime(timestamp) ? possibleTime(timestamp, receivedAt, mapping) : receivedAt;
}

/** Returns by how many milliseconds the sender's clock is slow, or `null` if that is unknown. */
function readCorrection(
  message: JsonObject,
  receivedAt: number,
  batchSentAt: number | null,
  ownTime: number | null,
): number | null {
  // A CDP that forwards a message, perhaps hours later, has already corrected its time. It marks it with `receivedAt`.
  const forwarded = readStated(message["receivedAt"]);
  const isForwarded = forwarded !== null && !(forwarded < FIRST_TIME_MS);
  const sentAt = isForwarded ? null : (readTime(message["sentAt"]) ?? batchSentAt);
  if (sentAt === null) return null;
  const correction = receivedAt - sentAt;
  if (Math.abs(correction) <= MAX_CORRECTION_MS) return correction;
  const repairs = isTime(ownTime) && impossible(ownTime, receivedAt) && !impossible(ownTime + correction, receivedAt);
  return repairs ? correction : null;
}

const isTime = (ms: number | null): ms is number => ms !== null && ms >= FIRST_TIME_MS;

function impossible(ms: number, receivedAt: number): Mapping["replaced"] {
  if (ms - receivedAt > MAX_FUTURE_MS) return "future";
  return ms < FIRST_TIME_MS ? "past" : undefined;
}

/** Replaces an impossible time by the time of receipt. */
function possibleTime(ms: number, receivedAt: number, mapping: Mapping): number {
  const reason = impossible(ms, receivedAt);
  if (reason === undefined) return ms;
  mapping.replaced = reason;
  return receivedAt;
}
