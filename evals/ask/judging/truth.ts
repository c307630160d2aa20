/** Whether an answer says what is true: its value and its sentence, each by itself. */
import { isoOf } from "../calendar.ts";
import type { Label, Truth } from "../cases/model.ts";
import type { Response200 } from "../service/ask.ts";
import {
  figuresIn,
  holdsFigure,
  isAbout,
  isNear,
  namesIt,
  type Row,
  rowsOf,
  says,
  saysDay,
  saysFigure,
  toldOf,
} from "./reading.ts";

/** A sentence names so many of a list at least, and a value has so many rows at most. */
const NAMED = 10;
const MAX_ROWS = 100;

type Named = Omit<Extract<Truth, { kind: "names" }>, "kind">;

/** What stands behind the sentence that tells of a name taken for another. */
const withoutDisclosure = (text: string): string => text.replace(/^Taking ".*?"\. (?=[A-Z"0-9])/su, "");

/** @returns what is wrong with it; `null` for nothing */
export function faultOf(truth: Truth, { value, answer }: Pick<Response200, "value" | "answer">): string | null {
  const text = answer ?? "";
  switch (truth.kind) {
    case "number":
      return faultOfNumber([truth.value, ...(truth.alsoAs ?? [])], value, text);
    case "yes_or_no":
      if (value !== truth.value) return `the value is not ${truth.value}`;
      if (/^(?:Yes|No)\b/.exec(withoutDisclosure(text))?.[0] !== (truth.value ? "Yes" : "No"))
        return "it says otherwise";
      return saysFigure(text, truth.count) ? null : `the sentence lacks ${truth.count}`;
    case "word":
      if (!truth.label.includes(String(value))) return `the value is none of ${truth.label.join(", ")}`;
      return says(text, truth.label) ? null : "the sentence lacks it";
    case "day":
      return faultOfDay(truth, value, text);
    case "names":
      return faultOfNames(truth, value, text);
    case "items": {
      // There names are quoted, and the account is told by all of its own.
      const untold = truth.items
        .slice(0, NAMED)
        .find(
          ({ title, account }) => !partsOf(title, account).every((piece) => text.replaceAll('"', "").includes(piece)),
        );
      if (untold !== undefined) return `it lacks "${untold.title}"`;
      const labels = truth.items.map(({ id }) => [id]);
      return faultOfNames({ labels }, value, null) ?? faultOfCount(labels.length, text);
    }
    case "ranking":
      return faultOfRanking(truth, value, text);
    case "pair":
      return faultOfPair(truth, value, text);
    case "amounts": {
      const missing = Object.entries(truth.byCurrency).find(
        ([code, sum]) => !text.includes(code) || !saysFigure(text, sum),
      );
      if (missing !== undefined) return `it lacks ${missing.join(" ")}`;
      return rowsOf(value)?.length === Object.keys(truth.byCurrency).length ? null : "the value has other rows";
    }
    case "health":
      return faultOfHealth(truth, value, text);
    case "sentences": {
      const missing = truth.texts.find((sentence) => !text.includes(sentence));
      if (missing !== undefined) return `it lacks "${missing}"`;
      return rowsOf(value)?.length === truth.texts.length ? null : "the value has other rows";
    }
  }
}

function faultOfNumber(allowed: readonly number[], value: unknown, text: string): string | null {
  if (typeof value !== "number" || !allowed.some((one) => isNear(one, value))) return `the value is not ${allowed[0]}`;
  return allowed.some((one) => saysCount(text, one)) ? null : "the sentence lacks the figure";
}

function faultOfDay({ day, daysAway }: Extract<Truth, { kind: "day" }>, value: unknown, text: string): string | null {
  const isRight =
    typeof value === "string" ? value.startsWith(isoOf(day)) : typeof value === "number" && value === daysAway;
  if (!isRight) return `the value is not ${isoOf(day)}`;
  return saysDay(text, day) || (daysAway !== undefined && saysFigure(text, daysAway))
    ? null
    : "the sentence lacks the day";
}

function faultOfCount(count: number, text: string): string | null {
  return saysCount(text, count) ? null : `the sentence lacks their number, ${count}`;
}

const partsOf = (title: string, account: string | null): string[] =>
  account === null ? [title] : title.split(account);

/** Nothing is told as "No account is …", or as "all of" what there could be. */
const saysCount = (text: string, count: number): boolean =>
  saysFigure(text, count) || (count === 0 && /\bno\b|\ball of\b/i.test(text));

/** By the id where a row has one: names may be the same. */
function placeOf(rows: readonly Row[], label: Label): number {
  const byId = rows.findIndex((row) => isAbout(row, label.slice(0, 1)));
  return byId === -1 ? rows.findIndex((row) => isAbout(row, label)) : byId;
}

/** With a null text, only the value is judged. */
function faultOfNames({ labels, values }: Named, value: unknown, text: string | null): string | null {
  const rows = rowsOf(value);
  if (rows === null) return "the value is no list";
  const count = Math.min(MAX_ROWS, labels.length);
  if (rows.length !== count) return `the value has ${rows.length} rows where there are ${count}`;
  const places = labels.map((label) => placeOf(rows, label));
  const found = new Set(places.filter((place) => place !== -1));
  if (found.size !== count) return `the value lacks ${labels[places.indexOf(-1)]?.join(" or ") ?? "some of them"}`;
  for (const [index, label] of labels.entries()) {
    const worth = values?.[index];
    const row = rows[places[index] ?? -1];
    if (worth === undefined || row === undefined) continue;
    if (!holdsFigure(row, worth)) return `the value does not tell ${label[0]} with ${worth}`;
    if (text !== null && namesIt(text, label.slice(0, 1)) && !saysFigure(toldOf(text, label), worth))
      return `the sentence lacks the ${worth} of ${label[0]}`;
  }
  if (text === null) return null;
  const more = /, and ([\d,]+) more\b/.exec(text)?.[1];
  if (more !== undefined && figuresIn(more)[0] !== labels.length - NAMED) return `it says ${more} more`;
  const named = labels.filter((label) => namesIt(text, label)).length;
  if (named < Math.min(NAMED, labels.length)) return "the sentence lacks some of them";
  return faultOfCount(labels.length, text);
}

function faultOfRanking(
  { ranked, limit }: Extract<Truth, { kind: "ranking" }>,
  value: unknown,
  text: string,
): string | null {
  const rows = rowsOf(value);
  if (rows === null) return "the value is no list";
  const expected = ranked.slice(0, limit);
  if (rows.length !== expected.length) return `the value has ${rows.length} rows where there are ${expected.length}`;
  for (const [place, { value: worth }] of expected.entries()) {
    const row: Row = rows[place] ?? {};
    const equals = ranked.filter((one) => one.value === worth);
    const found = equals.find(({ label }) => isAbout(row, label));
    if (found === undefined) return `place ${place + 1} is not ${equals.map(({ label }) => label[0]).join(" or ")}`;
    if (!holdsFigure(row, worth) && !holdsFigure(row, Math.abs(worth)))
      return `the value lacks the ${worth} of place ${place + 1}`;
    if (!namesIt(text, found.label) || !saysFigure(toldOf(text, found.label), worth))
      return `the sentence lacks place ${place + 1}`;
  }
  return null;
}

function faultOfPair(
  { one, other, labels }: Extract<Truth, { kind: "pair" }>,
  value: unknown,
  text: string,
): string | null {
  if (!saysFigure(text, one) || !saysFigure(text, other)) return `the sentence lacks ${one} or ${other}`;
  const rows = rowsOf(value);
  if (labels !== undefined) {
    const values = [one, other];
    const isRight = labels.every((label, place) =>
      rows?.some((row) => isAbout(row, label) && holdsFigure(row, values[place] ?? Number.NaN)),
    );
    return isRight ? null : `the value is not ${one} against ${other}`;
  }
  const direction = one > other ? "up" : one < other ? "down" : "unchanged";
  if (!new RegExp(`\\b${direction}\\b`).test(text)) return `the sentence does not say ${direction}`;
  if (rows === null) return value === direction ? null : `the value is not ${direction}`;
  const [first = {}, second = {}] = rows;
  return holdsFigure(first, one) && holdsFigure(second, other) ? null : `the value is not ${one} against ${other}`;
}

const STATE_TEXTS: Readonly<Record<string, string>> = { at_risk: "at risk", healthy: "healthy", watch: "watch" };

function faultOfHealth(
  { score, state }: Extract<Truth, { kind: "health" }>,
  value: unknown,
  text: string,
): string | null {
  const isRight =
    typeof value === "number"
      ? isNear(value, score)
      : typeof value === "boolean"
        ? value === (state === "healthy")
        : value === state;
  if (!isRight) return `the value is not ${score} or ${state}`;
  if (!saysFigure(text, score)) return `the sentence lacks the score, ${score}`;
  const word = STATE_TEXTS[state];
  return word === undefined || text.includes(word) ? null : `the sentence lacks the state, ${state}`;
}
