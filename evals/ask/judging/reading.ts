/** Reads figures and rows out of an answer, whatever they are called there. */
import { dateOf, dayNumber, isoOf, monthName, MONTHS } from "../calendar.ts";
import type { Label } from "../cases/model.ts";

const FIGURE = /\d[\d,]*(?:\.\d+)?/g;
/** Of percentages, which are told with one decimal. */
const ROUNDING = 0.051;

const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3));
export const NAME = /"[^"]*"/g;
/** `1 Jul`, whose year is that of the next, or `30 Sep 2026`. */
const DAY = new RegExp(`\\b(\\d{1,2}) (${SHORT_MONTHS.join("|")})[a-z]*(?: (\\d{4}))?\\b`, "g");

/** Numbers in a text, a thousands separator or not; no parts of names or days. */
export const figuresIn = (text: string): number[] =>
  [...text.replaceAll(NAME, "").replaceAll(DAY, "").matchAll(FIGURE)].map(([figure]) =>
    Number(figure.replaceAll(",", "").replace(/\.$/, "")),
  );

export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= ROUNDING;

export const saysFigure = (text: string, value: number): boolean =>
  figuresIn(text).some((figure) => isNear(figure, Math.abs(value)));

export const says = (text: string, label: Label): boolean => label.some((word) => text.includes(word));

/** Names stand between quotation marks: one may begin as another does. */
export const namesIt = (text: string, label: Label): boolean => label.some((name) => text.includes(`"${name}"`));

/** `2026-11-20`, `20 Nov 2026`, `20 November 2026`. */
export function saysDay(text: string, day: number): boolean {
  const { year, month, date } = dateOf(day);
  const name = monthName(month);
  return [isoOf(day), `${date} ${name.slice(0, 3)} ${year}`, `${date} ${name} ${year}`].some((form) =>
    text.includes(form),
  );
}

/** As ISO dates. */
export function daysIn(text: string): string[] {
  const found = [...text.replaceAll(NAME, "").matchAll(DAY)];
  return found.map(([, date, month = "", own], place) => {
    const year = own ?? found.slice(place).find(([, , , later]) => later !== undefined)?.[3];
    return isoOf(dayNumber(Number(year), SHORT_MONTHS.indexOf(month), Number(date)));
  });
}

/** What is told of a name: from it to the next one; by its id where it is told with one. */
export function toldOf(text: string, label: Label): string {
  const name = label.map((one) => `"${one}"`).find((one) => text.includes(one)) ?? "";
  const start = text.indexOf(name) + name.length;
  const end = text.indexOf('"', start);
  return text.slice(start, end === -1 ? undefined : end);
}

export type Row = Readonly<Record<string, unknown>>;

export const rowsOf = (value: unknown): Row[] | null =>
  Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null) ? value : null;

/** Whether a row is about what goes by this label. */
export const isAbout = (row: Row, label: Label): boolean =>
  Object.values(row).some((field) => typeof field === "string" && label.includes(field));

export const figuresOf = (row: Row): number[] =>
  Object.values(row).flatMap((field) => (typeof field === "number" ? [field] : []));

export const holdsFigure = (row: Row, value: number): boolean =>
  Object.values(row).some((field) => typeof field === "number" && isNear(field, value));
