/**
 * The one rule for what names an account, a user or a message: see docs/wire.md, Identifiers.
 */
import { isLongerThan } from "./text.ts";

export const MAX_IDENTIFIER_CHARACTERS = 256;

/** `value` is `null` where nothing was given; `problem` completes the sentence "<field> …". */
export type IdentifierReading =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly problem: string };

/** What `readIdentifier` takes, for descriptions of the schemas that use it: where something has to be given, and where not. */
export const IDENTIFIER_FORM = { type: ["string", "integer"], minLength: 1, maxLength: MAX_IDENTIFIER_CHARACTERS };
export const OPTIONAL_IDENTIFIER_FORM = { type: ["string", "integer", "null"], maxLength: MAX_IDENTIFIER_CHARACTERS };

const ABSENT: IdentifierReading = { ok: true, value: null };
const NOT_TEXT: IdentifierReading = { ok: false, problem: "must be a string or a whole number" };
const UNSAFE: IdentifierReading = {
  ok: false,
  problem: "must be a whole number of at most 2^53 - 1, or a string",
};
const TOO_LONG: IdentifierReading = {
  ok: false,
  problem: `must be at most ${MAX_IDENTIFIER_CHARACTERS} characters long`,
};
const CONTROL: IdentifierReading = { ok: false, problem: "must not contain control characters" };

const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Reads an identifier: a string of 1 to 256 characters once trimmed and without control characters, or a safe integer
 * as its decimal string. `undefined`, `null` and blank strings are absent. Anything else is present but unusable,
 * which is never passed over: it would hang what was sent on somebody else.
 */
export function readIdentifier(value: unknown): IdentifierReading {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return { ok: true, value: String(value) };
    return Number.isInteger(value) ? UNSAFE : NOT_TEXT;
  }
  if (typeof value !== "string") return NOT_TEXT;
  const text = value.toWellFormed().trim();
  if (text === "") return ABSENT;
  if (isLongerThan(text, MAX_IDENTIFIER_CHARACTERS)) return TOO_LONG;
  if (CONTROL_CHARACTER.test(text)) return CONTROL;
  return { ok: true, value: text };
}
