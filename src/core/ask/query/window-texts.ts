/** Writes days, windows and comparisons. */
import { showsPast, usesWindow } from "./canonical.ts";
import { HISTORY } from "./dimensions.ts";
import type { Query, WindowName } from "./model.ts";
import { entityText, type DisplayNames } from "./display-names.ts";
import { comparesWithEntity, comparedSubject } from "./subjects.ts";
import { dayOf, windowDays, DEFAULT_WINDOW, isoDate, unitIn } from "./windows.ts";
import { COMPARED, fillTemplate, MONTHS, WINDOWS } from "./words.ts";

/** `1 October 2026`, from `2026-10-01` */
export function dayText(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** Writes a window as a noun: `the last 28 days`, `October 2026`. */
function windowText(window: WindowName): string {
  if ("from" in window) {
    const { from, to } = window;
    return from === to ? dayText(from) : (monthOf(from, to) ?? `${dayText(from)} to ${dayText(to)}`);
  }
  if ("all" in window) return WINDOWS.all;
  if ("this" in window) return window.this === "day" ? "today" : `this ${window.this}`;
  if ("previous" in window) return window.previous === "day" ? "yesterday" : `last ${window.previous}`;
  const count = "next" in window ? window.next : window.last;
  const form = "next" in window ? WINDOWS.next : count === 1 ? WINDOWS.past : WINDOWS.last;
  return fillTemplate(form, { n: String(count), unit: count === 1 ? window.unit : `${window.unit}s` });
}

/** Writes when a window is: `in the last 28 days`, `on 1 October 2026`, `yesterday`. */
export function whenText(window: WindowName): string {
  if ("all" in window) return WINDOWS.anyTime;
  const words = windowText(window);
  if ("this" in window || "previous" in window) return words;
  if (!("from" in window) || monthOf(window.from, window.to) !== null) return `in ${words}`;
  return window.from === window.to ? `on ${words}` : `from ${words}`;
}

/** `October 2026`, if the days are those of a month. */
function monthOf(from: string, to: string): string | null {
  const isMonth = from.slice(0, 7) === to.slice(0, 7) && from.endsWith("-01") && isoDate(dayOf(to) + 1).endsWith("-01");
  return isMonth ? dayText(from).slice(2) : null;
}

/** Returns the window to name at the end of the sentence. A summary has one only if the query does. */
export function statedWindow(query: Query): WindowName | undefined {
  const isSaid =
    usesWindow(query) || (query.show === "summary" && query.where.some(({ window }) => window !== undefined));
  return query.window ?? (isSaid ? DEFAULT_WINDOW : undefined);
}

/** ` in October 2026`, ` at the end of October 2026`: when something is counted, or when values are read. */
export function queryWhenText(query: Query, window: WindowName): string {
  const isDay = "from" in window && window.from === window.to;
  if (!showsPast(query) || (isDay && !usesWindow(query))) return ` ${whenText(window)}`;
  return usesWindow(query)
    ? fillTemplate(WINDOWS.andAtEnd, { when: whenText(window) })
    : fillTemplate(WINDOWS.atEnd, { when: windowText(window) });
}

/** `the 28 days before`, `as many days of the month before`. */
function beforeText(window: WindowName, measure: string): string {
  const unit = unitIn(window);
  const isState = HISTORY.has(measure);
  if (unit !== undefined) return fillTemplate("this" in window && !isState ? COMPARED.part : COMPARED.unit, { unit });
  const { from, to } = windowDays(window, 0);
  if (to - from < 6 && !isState) return COMPARED.weekdays;
  if (!("last" in window)) return from === to ? fillTemplate(COMPARED.unit, { unit: "day" }) : COMPARED.asManyDays;
  return window.last === 1
    ? fillTemplate(COMPARED.unit, { unit: window.unit })
    : fillTemplate(COMPARED.before, { n: String(window.last), unit: `${window.unit}s` });
}

/** `the 28 days before`, `last month`, `Beta`: the other side of a comparison. */
export function comparedToText({ compare, window = DEFAULT_WINDOW, measure = "" }: Query, names: DisplayNames): string {
  if (compare === undefined) return "";
  const { to } = compare;
  if (to === "before") return beforeText(window, measure);
  if (!comparesWithEntity(to)) return windowText(to);
  const { type, name } = comparedSubject(to);
  return entityText(type, name, names);
}
