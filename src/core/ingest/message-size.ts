/**
 * How deep and how large a message is. Both are asked of every message, so one walk answers both where it can: it
 * adds up an upper bound, and only a message whose bound is above the limit is written out to be counted.
 */
import type { Json, JsonObject } from "../json.ts";

/** As compact JSON in UTF-8. */
export const MAX_MESSAGE_BYTES = 16 * 1_024;
/** The message itself is the first level. */
export const MAX_DEPTH = 32;

export type MessageMeasure = "fits" | "too_deep" | "too_large";

/** One unit of UTF-16 is at most `\u0000` in JSON. */
const MAX_BYTES_PER_UNIT = 6;
/** `-1.2345678901234567e-300`, and the longest of what is no number: `false`. */
const MAX_SCALAR_BYTES = 25;

/** Judges a parsed message. Depth comes first: what is too deep is not counted. Never overflows the stack. */
export function measureMessage(message: JsonObject): MessageMeasure {
  const bound = upperBound(message, 1);
  if (bound === Infinity) return "too_deep";
  if (bound <= MAX_MESSAGE_BYTES) return "fits";
  return fitsBytes(message, MAX_MESSAGE_BYTES) ? "fits" : "too_large";
}

/** Whether a value in a message at level 1 is nested deeper than messages may be. Never overflows the stack. */
export function isTooDeep(value: Json): boolean {
  return upperBound(value, 2) === Infinity;
}

/** The length of a value as compact JSON in UTF-8. The value must not be nested too deeply for recursion. */
export function jsonBytes(value: Json): number {
  return utf8Bytes(JSON.stringify(value));
}

function fitsBytes(value: Json, limit: number): boolean {
  const text = JSON.stringify(value);
  if (text.length > limit) return false;
  return text.length * 3 <= limit || utf8Bytes(text) <= limit;
}

/**
 * At least the bytes of the value as compact JSON with a comma or a colon after it; `Infinity` when it is too deep.
 *
 * @param depth the level of the value, from 1 for a message
 */
export function upperBound(value: Json, depth: number): number {
  if (typeof value === "string") return value.length * MAX_BYTES_PER_UNIT + 3;
  if (typeof value !== "object" || value === null) return MAX_SCALAR_BYTES;
  if (depth > MAX_DEPTH) return Infinity;
  let bytes = 3;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += upperBound(item, depth + 1);
      if (bytes === Infinity) return bytes;
    }
    return bytes;
  }
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    bytes += key.length * MAX_BYTES_PER_UNIT + 3 + upperBound(member, depth + 1);
    if (bytes === Infinity) return bytes;
  }
  return bytes;
}

/** Of what `JSON.stringify` wrote: it escapes lone surrogates, so every surrogate here is half of a pair. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    bytes += code < 0x8_00 || (code >= 0xd8_00 && code <= 0xdf_ff) ? 1 : 2;
  }
  return bytes;
}
