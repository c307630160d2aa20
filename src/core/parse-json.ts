/**
 * Parses untrusted JSON. Integers that no double holds become bigints, so that no digit is lost, and a fault has its
 * position. An ordinary text pays for neither.
 */
import type { Json } from "./json.ts";
import { findJsonError } from "./json-error.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** `position` counts the characters before the first one that can't be there. */
  | { readonly ok: false; readonly position: number };

/** A number of 16 digits may be beyond ±(2^53 − 1). A string may look like one, which costs time and changes nothing. */
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
    return JSON.parse(text, exactInteger);
  } catch (error) {
    // V8 calls back recursively. A message that is so deep is invalid; the others get the nearest integers.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !Number.isFinite(value)) return value;
  const source = context?.source ?? "";
  return INTEGER.test(source) ? BigInt(source) : value;
}
