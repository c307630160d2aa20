/**
 * Measures how deep and how large a message is. Every message is checked for both, so one walk does both: it adds up an
 * upper bound. Only a message with a bound above the limit is serialized to count its bytes.
 */
import type { Json, JsonObject } from "../json.ts";

/** As compact JSON in UTF-8. */
export const MAX_MESSAGE_BYTES = 16 * 1_024;
/** The message itself is level 1. */
export const MAX_DEPTH = 32;

/** Completes the sentence "<path> …" about `1e400`. */
export const NOT_FINITE = "must be a number that fits into a double";

type MessageMeasure = "fits" | "too_deep" | "not_finite" | "too_large";

/** JSON writes a UTF-16 unit with at most six bytes, as in `\u0000`. */
const MAX_BYTES_PER_UNIT = 6;
/** The longest number is `-1.2345678901234567e-300`; the longest other scalar is `false`. */
const MAX_SCALAR_BYTES = 25;

/** Measures a parsed message. A message that is too deep isn't counted. Never overflows the stack. */
export function measureMessage(message: JsonObject): MessageMeasure {
  const bound = maxBytes(message, 1);
  if (bound === Infinity) return isTooDeep(message, MAX_DEPTH) ? "too_deep" : "not_finite";
  if (bound <= MAX_MESSAGE_BYTES) return "fits";
  return jsonBytes(message) <= MAX_MESSAGE_BYTES ? "fits" : "too_large";
}

/**
 * Returns whether a value makes its message too deep: by default a field's value. Never overflows the stack.
 *
 * @param levels how many levels the value may have
 */
export function isTooDeep(value: Json, levels: number = MAX_DEPTH - 1): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** Returns the keys that lead to a number that isn't finite, or `null`. The value must not be too deep. */
export function findNotFinite(value: Json): string[] | null {
  if (typeof value === "number" && !Number.isFinite(value)) return [];
  if (typeof value !== "object" || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const path = findNotFinite(member);
    if (path !== null) return [key, ...path];
  }
  return null;
}

/** Returns the length of a value as compact JSON in UTF-8. The value must not be too deep for recursion. */
export function jsonBytes(value: Json): number {
  try {
    return utf8Bytes(JSON.stringify(value));
  } catch {
    // A bigint, which is stored as text. With a function for every value, JSON.stringify would always be slow.
    return utf8Bytes(
      JSON.stringify(value, (_key, member: Json) => (typeof member === "bigint" ? `${member}` : member)),
    );
  }
}

/**
 * Returns an upper bound of the value's bytes as compact JSON, with the comma or colon after it; `Infinity` if it is too
 * deep or has a number that isn't finite.
 *
 * @param depth the level of the value; a message has level 1
 */
export function maxBytes(value: Json, depth: number): number {
  if (typeof value === "string") return value.length * MAX_BYTES_PER_UNIT + 3;
  if (typeof value === "number") return Number.isFinite(value) ? MAX_SCALAR_BYTES : Infinity;
  if (typeof value === "bigint") return String(value).length + 3;
  if (typeof value !== "object" || value === null) return MAX_SCALAR_BYTES;
  if (depth > MAX_DEPTH) return Infinity;
  let bytes = 3;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += maxBytes(item, depth + 1);
      if (bytes === Infinity) return bytes;
    }
    return bytes;
  }
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    bytes += key.length * MAX_BYTES_PER_UNIT + 3 + maxBytes(member, depth + 1);
    if (bytes === Infinity) return bytes;
  }
  return bytes;
}

/** Counts the bytes of serialized JSON. `JSON.stringify` escapes lone surrogates, so each surrogate is half of a pair. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    bytes += code < 0x8_00 || (code >= 0xd8_00 && code <= 0xdf_ff) ? 1 : 2;
  }
  return bytes;
}
