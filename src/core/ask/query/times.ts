/** Writes days, windows and comparisons. */
import { showsPast, usesWindow } from "./canonical.ts";
import { isSubject } from "./check.ts";
import { type Query, type WindowName } from "./model.ts";
import { sayEntity, type Speech } from "./names.ts";
import { dayOf, DEFAULT_WINDOW, isoDate } from "./windows.ts";
import { COMPARED, fill, MONTHS, WINDOWS } from "./words.ts";

/** `1 October 2026`, from `2026-10-01` */
export function sayDay(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** A window as a thing: `the last 28 days`, `October 2026`. */
export function sayWindow(window: WindowName): string {
  if ("from" in window) {
    const { from, to } = window;
    return from === to ? sayDay(from) : (monthOf(from, to) ?? `${sayDay(from)} to ${sayDay(to)}`);
  }
  if ("all" in window) return WINDOWS.all;
  if ("this" in window) return window.this === "day" ? "today" : `this ${window.this}`;
  if ("previous" in window) return window.previous === "day" ? "yesterday" : `last ${window.previous}`;
  const count = "next" in window ? window.next : window.last;
  const form = "next" in window ? WINDOWS.next : count === 1 ? WINDOWS.past : WINDOWS.last;
  return fill(form, { n: String(count), unit: count === 1 ? window.unit : `${window.unit}s` });
}

/** A window that says when: `in the last 28 days`, `on 1 October 2026`, `from 1 October 2026 to 5 October 2026`, `yesterday`. */
export function sayWhen(window: WindowName): string {
  if ("all" in window) return WINDOWS.anyTime;
  const words = sayWindow(window);
  if ("this" in window || "previous" in window) return words;
  if (!("from" in window) || monthOf(window.from, window.to) !== null) return `in ${words}`;
  return window.from === window.to ? `on ${words}` : `from ${words}`;
}

/** `October 2026`, if the days are those of a month. */
function monthOf(from: string, to: string): string | null {
  const isMonth = from.slice(0, 7) === to.slice(0, 7) && from.endsWith("-01") && isoDate(dayOf(to) + 1).endsWith("-01");
  return isMonth ? sayDay(from).slice(2) : null;
}

/** The window to name at the end of the sentence. A summary has one only if the query does. */
export function windowOf(query: Query): WindowName | undefined {
  const isSaid =
    usesWindow(query) || (query.show === "summary" && query.where.some(({ window }) => window !== undefined));
  return query.window ?? (isSaid ? DEFAULT_WINDOW : undefined);
}

/** ` in October 2026`, ` at the end of October 2026`: when something is counted, or when values are read. */
export function whenOf(query: Query, window: WindowName): string {
  if (!showsPast(query)) return ` ${sayWhen(window)}`;
  if (usesWindow(query)) return ` ${sayWhen(window)}${WINDOWS.atItsEnd}`;
  return fill(WINDOWS.atEnd, { w: sayWindow(window) });
}

/** `the 28 days before`, `last month`, `Beta`: the other side of a comparison. */
export function thenOf({ compare, window = DEFAULT_WINDOW }: Query, speech: Speech): string {
  if (compare === undefined) return "";
  const { to } = compare;
  if (to === "before") {
    const isDays = "last" in window && window.unit === "day";
    return isDays ? fill(COMPARED.before, { n: String(window.last) }) : COMPARED.asManyDays;
  }
  if (!isSubject(to)) return sayWindow(to);
  if ("account" in to) return sayEntity("account", to.account, speech);
  return "user" in to ? sayEntity("user", to.user, speech) : sayEntity("feature", to.feature, speech);
}
