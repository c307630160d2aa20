/**
 * Reads ISO 8601 times. `Date.parse` alone takes February 30 for March 2, and zod's pattern, which knows the calendar,
 * accepts only the form of RFC 3339. Senders also write `+0200`, leave out the seconds, or use a comma.
 */
import * as z from "zod";

const RFC_3339 = z.regexes.datetime({ offset: true });
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:([Tt ])(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** What is wrong with a value that is no time. Senders try numbers of seconds. */
export const NO_TIME = "must be an ISO 8601 time: a string such as 2026-11-20T09:00:00Z, not a number";

/** RFC 3339 has leap seconds, at the end of June and December. `Date` has none: the second before replaces them. */
const LEAP_SECOND = /^(\d{4}-(?:06-30|12-31)[Tt ]23:59):60/;

/** The years 0 to 9999, which ISO 8601 can write with four digits. */
const FIRST_MS = Date.parse("0000-01-01T00:00:00Z");
export const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");
/** Programs write an earlier time, such as 0001-01-01 or 1970-01-01, for "unknown". */
export const FIRST_TIME_MS = Date.UTC(2000, 0, 1);

/** ISO 8601 writes all other years with a sign and six digits. */
const FAR_TIME = /^\+\d{6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads `2026-01-31T09:30:00.250Z` or a time with an offset (`+02:00`, `+0200`, `+02`). The seconds are optional. A
 * fraction may have any length and is cut to milliseconds.
 *
 * @param lenient also accepts a date alone, a time without an offset (both as UTC), and a space instead of the `T`
 * @returns milliseconds since the epoch, or `null` if the value has another form, or its year in UTC doesn't have four
 * digits
 */
export function readIsoTime(value: unknown, lenient: boolean): number | null {
  const ms = typeof value === "string" ? parse(value, lenient) : null;
  return ms !== null && ms >= FIRST_MS && ms <= LAST_MS ? ms : null;
}

/** MySQL writes 0000-00-00 for "unknown", and PHP reads it as -0001-11-30. Such dates need no offset. */
const NO_DATE = /^(?:0000-00|-\d{4,6}-\d\d)-\d\d/;

/**
 * Reads a time of any year, as senders write for "unknown" or "never". Returns `NaN` for anything else, and a
 * time in the year 0 for `NO_DATE`.
 */
export function readAnyTime(value: unknown, lenient: boolean): number {
  if (typeof value !== "string") return NaN;
  if (FAR_TIME.test(value)) return Date.parse(value);
  const isDate = !NO_DATE.test(value);
  return parse(isDate ? value : value.replace(NO_DATE, "0000-01-01"), lenient || !isDate) ?? NaN;
}

function parse(value: string, lenient: boolean): number | null {
  if (RFC_3339.test(value)) return Date.parse(value);
  const text = toRfc3339(value.replace(LEAP_SECOND, "$1:59"), lenient);
  return text !== null && RFC_3339.test(text) ? Date.parse(text) : null;
}

function toRfc3339(value: string, lenient: boolean): string | null {
  const parts = ISO_8601.exec(value);
  if (parts === null) return null;
  const [, date, separator, time = "00:00", second = "00", fraction = "0", zulu, hours, minutes = "00"] = parts;
  if (!lenient && (separator === " " || (zulu === undefined && hours === undefined))) return null;
  return `${date}T${time}:${second}.${fraction}${hours === undefined ? "Z" : `${hours}:${minutes}`}`;
}
