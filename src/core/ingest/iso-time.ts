/**
 * Reads ISO 8601 times. `Date.parse` alone takes February 30 for March 2, and zod's pattern, which knows the calendar,
 * accepts only the form of RFC 3339. Senders also write `+0200`, leave out the seconds, or use a comma.
 */
import * as z from "zod";

const RFC_3339 = z.regexes.datetime({ offset: true });
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:([Tt ])(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** The years 0 to 9999, which ISO 8601 can write with four digits. */
const FIRST_MS = Date.parse("0000-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Reads `2026-01-31T09:30:00.250Z` or a time with an offset (`+02:00`, `+0200`, `+02`). The seconds are optional. A
 * fraction may have any length and is cut to milliseconds.
 *
 * @param lenient also accepts a date alone, a time without an offset (both as UTC), and a space instead of the `T`
 * @returns milliseconds since the epoch, or `null` if the value is no such time
 */
export function readIsoTime(value: unknown, lenient: boolean): number | null {
  if (typeof value !== "string") return null;
  if (RFC_3339.test(value)) return parse(value);
  const text = toRfc3339(value, lenient);
  return text !== null && RFC_3339.test(text) ? parse(text) : null;
}

/** Returns whether ISO 8601 can write the time with a year of four digits. */
export function isWritableTime(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

function parse(text: string): number | null {
  const ms = Date.parse(text);
  return isWritableTime(ms) ? ms : null;
}

function toRfc3339(value: string, lenient: boolean): string | null {
  const parts = ISO_8601.exec(value);
  if (parts === null) return null;
  const [, date, separator, time = "00:00", second = "00", fraction = "0", zulu, hours, minutes = "00"] = parts;
  if (!lenient && (separator === " " || (zulu === undefined && hours === undefined))) return null;
  return `${date}T${time}:${second}.${fraction}${hours === undefined ? "Z" : `${hours}:${minutes}`}`;
}
