/**
 * Writes names that senders chose into sentences: accounts, users, features, values and traits. Quotes a name that
 * could be read as part of the sentence.
 */
import { HEALTH_STATES } from "../../health/model.ts";
import { ITEM_KINDS, ITEM_STATUSES, SEVERITIES } from "../../inbox/model.ts";
import * as clauseWords from "./clause-words.ts";
import { BUILT_IN, type Dimension, isUserDimension } from "./dimensions.ts";
import { type FilterValue, MEASURES, PERIODS } from "./model.ts";
import { memoizeByIdentity } from "../memoize-by-identity.ts";
import type { EntityType } from "./subjects.ts";
import * as words from "./words.ts";

/** How queries and answers name things in English. */
export interface DisplayNames {
  dimensions: readonly Dimension[];
  /** An entity's name, which must be unique among entities of all types. `null` if it has none. */
  nameOf(type: EntityType, id: string): string | null;
  /** Whether names are never quoted: in answers, which nobody parses. */
  isUnquoted?: true;
}

const GRAMMAR =
  "a an and any are be by did do does for from had has have in is it its less not of on or our that the their this was we were what when where which who whose why with today yesterday hello thanks please day days week weeks month months quarter quarters year years";

const textsIn = (table: unknown): string[] => {
  if (typeof table === "string") return [table];
  return typeof table === "object" && table !== null ? Object.values(table).flatMap(textsIn) : [];
};
const OWN_NAMES = [...BUILT_IN.map(({ name }) => name), ...MEASURES];
const TABLES = [GRAMMAR, OWN_NAMES, SEVERITIES, ITEM_STATUSES, ITEM_KINDS, HEALTH_STATES, words, clauseWords];

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Words of sentences. A name that contains one is quoted. */
const VOCABULARY: ReadonlySet<string> = new Set(
  textsIn([...TABLES]).flatMap((text) => wordsIn(text.replaceAll(/\{\w+\}/g, " "))),
);

const PLAIN = /^\p{L}[\p{L}\p{M}\p{N}&'’._@+-]*(?: (?:&|\p{L}[\p{L}\p{M}\p{N}&'’._@+-]*))*(?<![.])$/u;

/** Quotes a value if its words could be part of the sentence. */
export function quoteIfNeeded(text: string): string {
  const isPlain = PLAIN.test(text) && !wordsIn(text).some((word) => VOCABULARY.has(word));
  return isPlain ? text : quoted(text);
}
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const WHOLE = new Intl.NumberFormat("en-US");

/** Writes a number in full, so that different numbers have different texts. */
export const numberText = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e15 ? WHOLE.format(value + 0) : String(value);

export function entityText(type: EntityType, id: FilterValue, names: DisplayNames): string {
  const name = names.nameOf(type, String(id));
  const shown = names.isUnquoted === true ? (name ?? String(id)) : quoteIfNeeded(name ?? String(id));
  return name === null ? words.fillTemplate(words.CALLED[type], { v: shown }) : shown;
}

const builtInLabel = (name: string): string => words.LABELS[name] ?? name.replaceAll("_", " ");

/** Returns the label of a measure or a dimension. A trait's label is its key in words, unless it is taken. */
export function labelOf(name: string, { dimensions }: Pick<DisplayNames, "dimensions">): string {
  return name.includes(".") ? (labelsOf(dimensions).get(name) ?? fullLabel(name)) : builtInLabel(name);
}

/** Labels that are only one trait's own. */
const labelsOf = memoizeByIdentity((dimensions: readonly Dimension[]): ReadonlyMap<string, string> => {
  const all = Map.groupBy(dimensions, ({ name }) => spoken(name));
  return new Map(
    Array.from(all, ([label, same]): [string, string] => {
      // A trait of accounts comes before one of users with the same label.
      const [own, ...others] = same.length === 1 ? same : same.filter(({ name }) => !isUserDimension(name));
      return [own === undefined || others.length > 0 || RESERVED.has(label) || label === "" ? "" : own.name, label];
    }),
  );
});

function fullLabel(name: string): string {
  const owner = isUserDimension(name) ? "user" : "account";
  return words.fillTemplate(words.TRAIT_OF[owner], { v: quoted(name.slice(owner.length + 1)) });
}

const RESERVED: ReadonlySet<string> = new Set([
  ...OWN_NAMES.flatMap((name) => [name, builtInLabel(name)]).map((label) => label.toLowerCase()),
  ...PERIODS,
]);

const ENDINGS = new Map(Object.entries({ ends: "end", starts: "start", renews: "renewal", expires: "expiry" }));
/** Words that may stand at the end of a label or after it. */
const STRUCTURAL =
  /\b(?:is|are|not|and|or|of|in|on|at|from|to|with|without|the|a|over|under|other|known|no|per|by|that|their|went|sorted|today|yesterday|this|last)\b/;

/** `contract end` for `account.contractEndsOn`. Empty if the key doesn't consist of words. */
function spoken(name: string): string {
  const key = name.slice(name.indexOf(".") + 1);
  if (!/^[\p{L}_ -]+$/u.test(key)) return "";
  const parts = key
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[_ -]+/);
  if (parts.length > 1 && ["on", "at", "date"].includes(parts.at(-1) ?? "")) parts.pop();
  const last = parts.pop() ?? "";
  const label = [...parts, ENDINGS.get(last) ?? last].join(" ").trim();
  return STRUCTURAL.test(label) ? "" : label;
}
