/**
 * ISO 8601 date-times, read strictly: `Date.parse` takes February 30 for March 1, and most non-dates for something.
 */

/** Years 0 to 9999: what ISO 8601 can write in four digits. */
const FIRST_MS = -62_167_219_200_000;
const LAST_MS = 253_402_300_799_999;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:([Tt ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

/**
 * Reads `2026-01-31T09:30:00.250Z` or with an offset (`+02:00`, `+0200`, `+02`); seconds may be left out and may have
 * a fraction of any length, which is cut to milliseconds.
 *
 * @param lenient also takes a date alone, a date-time without an offset (both as UTC), and a blank for the `T`
 * @returns milliseconds since the epoch; `null` when it is none of these, or no day of the calendar
 */
export function readIsoTime(value: unknown, lenient: boolean): number | null {
  if (typeof value !== "string") return null;
  const parts = ISO_8601.exec(value);
  if (parts === null) return null;
  const [, year, month, day, separator, hour, minute, second, fraction, zulu, sign, offsetHour, offsetMinute] = parts;
  if (!lenient && (separator === " " || (zulu === undefined && sign === undefined))) return null;
  const date = daysSinceEpoch(Number(year), Number(month), Number(day));
  const clock = clockMs(numberOr0(hour), numberOr0(minute), numberOr0(second));
  const offset = clockMs(numberOr0(offsetHour), numberOr0(offsetMinute), 0);
  if (date === null || clock === null || offset === null) return null;
  const fractionMs = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, "0"));
  const ms = date * DAY_MS + clock + fractionMs - (sign === "-" ? -offset : offset);
  return isWritableTime(ms) ? ms : null;
}

/** Whether ISO 8601 can write it with a year of four digits. */
export function isWritableTime(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

function numberOr0(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits);
}

function clockMs(hour: number, minute: number, second: number): number | null {
  if (hour > 23 || minute > 59 || second > 59) return null;
  return hour * HOUR_MS + minute * MINUTE_MS + second * 1_000;
}

/** In the proleptic Gregorian calendar, counted in years that begin in March so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const marchYear = month > 2 ? year : year - 1;
  const dayOfMarchYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfMarchYear - 719_468;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
