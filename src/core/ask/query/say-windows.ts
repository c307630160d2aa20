/** Windows and days in words. */
import { MAX_WINDOW_DAYS, type WindowName } from "./model.ts";
import { dayOf, startOf } from "./windows.ts";
import { AT_ANY_TIME, fill, MONTHS, PREVIOUS, THIS, UNIT_WORDS, WINDOWS } from "./words.ts";

/** `1 October 2026`, from `2026-10-01` */
export function sayDay(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/**
 * A window as a thing: `the last 28 days`, `October 2026`.
 * @param other whether to use another word for it, if there is one
 */
export function sayWindow(window: WindowName, other = false): string {
  if ("from" in window) return sayDates(window.from, window.to);
  if ("all" in window) return WINDOWS.all[0];
  if ("this" in window) return THIS[window.this][0];
  if ("previous" in window) return PREVIOUS[window.previous][0];
  const [one, many] = UNIT_WORDS[window.unit];
  if ("next" in window) return fill(WINDOWS.next[0], { n: String(window.next), unit: window.next === 1 ? one : many });
  if (window.last === 1) return fill(WINDOWS.past[0], { unit: one });
  const words = WINDOWS.last[other ? 1 : 0];
  return fill(words, { n: String(window.last), unit: many });
}

/** A window as a time: `in the last 28 days`, `on 1 October 2026`, `from 1 October 2026 to 5 October 2026`, `yesterday`. */
export function sayWhen(window: WindowName, other = false): string {
  if ("all" in window) return AT_ANY_TIME;
  const words = sayWindow(window, other);
  if ("this" in window || "previous" in window) return words;
  if (!("from" in window) || monthOf(window.from, window.to) !== null) return `in ${words}`;
  return window.from === window.to ? `on ${words}` : `from ${words}`;
}

function sayDates(from: string, to: string): string {
  if (from === to) return sayDay(from);
  return monthOf(from, to) ?? `${sayDay(from)} to ${sayDay(to)}`;
}

/** `October 2026`, if the days are those of a month. */
function monthOf(from: string, to: string): string | null {
  const isMonth =
    dayOf(to) - dayOf(from) < MAX_WINDOW_DAYS &&
    startOf("month", dayOf(from)) === dayOf(from) &&
    startOf("month", dayOf(to) + 1) === dayOf(to) + 1 &&
    from.slice(0, 7) === to.slice(0, 7);
  return isMonth ? sayDay(from).slice(2) : null;
}
