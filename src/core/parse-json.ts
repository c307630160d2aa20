/**
 * Parses untrusted JSON. An integer that no double holds becomes a bigint, so that no digit is lost. An ordinary text
 * doesn't pay for that.
 */
import { findJsonError } from "./json-error.ts";
import type { Json } from "./json.ts";

/** `position` counts the characters before the first one that can't be there. */
export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly position: number };

/** Only a number of 16 digits may be beyond ±(2^53 − 1). A string may look like one, which costs time and changes nothing. */
const MAY_BE_INEXACT = /[\s:[,]-?\d{16}/;
const INTEGER = /^-?\d+$/;

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: MAY_BE_INEXACT.test(text) ? parseExactly(text) : JSON.parse(text) };
  } catch {
    return { ok: false, position: Array.from(text.slice(0, findJsonError(text))).length };
  }
}

function parseExactly(text: string): Json {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      const isExact = typeof value !== "number" || Number.isSafeInteger(value) || !Number.isFinite(value);
      return !isExact && INTEGER.test(context?.source ?? "") ? BigInt(context?.source ?? "") : value;
    });
  } catch (error) {
    // The calls nest as the values do. A message that is so deep is invalid; the others get the nearest integers.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}
