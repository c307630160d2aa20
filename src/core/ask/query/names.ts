/**
 * What senders named, in sentences of ours: accounts, users, features, values and traits. A name that could be read as
 * one of our words is quoted.
 */
import { HEALTH_STATES } from "../../health/model.ts";
import { ITEM_KINDS, SEVERITIES } from "../../inbox/model.ts";
import * as clauseWords from "./clause-words.ts";
import { BUILT_IN, type Dimension, isOfAccounts, isOfUsers, ITEM_STATUSES } from "./dimensions.ts";
import { type FilterValue, MEASURES, PERIODS } from "./model.ts";
import * as words from "./words.ts";

export type NamedType = keyof typeof words.CALLED;

/** What queries are told with. */
export interface Speech {
  dimensions: readonly Dimension[];
  /** The name by which an entity is found: no two entities, of whatever type, may have the same. `null` if it has none. */
  nameOf(type: NamedType, id: string): string | null;
}

/** How a query is put. */
export interface Voice extends Speech {
  /** Which of several forms. */
  form: number;
  /** Uses other words, and the filters in another order. */
  other: boolean;
}

export const plainVoice = (speech: Speech): Voice => ({ ...speech, form: 0, other: false });

const GRAMMAR =
  "a an and any are be by did do does for from had has have in is it its less not of on or our that the their this was we were what when where which who whose why with today yesterday hello thanks please day days week weeks month months quarter quarters year years";

const textsIn = (table: unknown): string[] => {
  if (typeof table === "string") return [table];
  return typeof table === "object" && table !== null ? Object.values(table).flatMap(textsIn) : [];
};
const OWN_NAMES = [...BUILT_IN.map(({ name }) => name), ...MEASURES];
const TABLES = [GRAMMAR, OWN_NAMES, SEVERITIES, ITEM_STATUSES, ITEM_KINDS, HEALTH_STATES, words, clauseWords];

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** The words that have a meaning of their own: a name that contains one is quoted. */
export const VOCABULARY: ReadonlySet<string> = new Set(
  textsIn([...TABLES]).flatMap((text) => wordsIn(text.replaceAll(/\{\w+\}/g, " "))),
);

const PLAIN = /^\p{L}[\p{L}\p{M}\p{N}&'’._@+-]*(?: (?:&|\p{L}[\p{L}\p{M}\p{N}&'’._@+-]*))*(?<![.])$/u;

/** A value as it is, or quoted if its words could be ours. */
export function sayText(text: string): string {
  const isPlain = PLAIN.test(text) && !wordsIn(text).some((word) => VOCABULARY.has(word));
  return isPlain ? text : quoted(text);
}
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const WHOLE = new Intl.NumberFormat("en-US");

/** A number in full: no two are the same. */
export const sayNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e15 ? WHOLE.format(value + 0) : String(value);

export function sayEntity(type: NamedType, id: FilterValue, speech: Speech): string {
  const name = speech.nameOf(type, String(id));
  return name === null ? words.fill(words.CALLED[type], { v: sayText(String(id)) }) : sayText(name);
}

const labelsOf = (name: string): words.Words => words.LABELS[name] ?? [name.replaceAll("_", " ")];

/** The label of a measure or a dimension. A trait has its key, in words, if no other dimension is called so. */
export function labelOf(name: string, { dimensions, other = false }: Speech & { other?: boolean }): string {
  if (!name.includes(".")) return words.pick(labelsOf(name), other);
  const label = spoken(name);
  // A trait of accounts comes before one of users with the same label.
  const isTaken = dimensions.some(
    (dimension) =>
      dimension.name !== name && !(isOfAccounts(name) && isOfUsers(dimension.name)) && spoken(dimension.name) === label,
  );
  if (label !== "" && !isTaken && !RESERVED.has(label)) return label;
  const owner = isOfUsers(name) ? "user" : "account";
  return words.fill(words.TRAIT_OF[owner], { v: quoted(name.slice(owner.length + 1)) });
}

const RESERVED: ReadonlySet<string> = new Set([
  ...OWN_NAMES.flatMap((name) => [name, ...labelsOf(name)]).map((label) => label.toLowerCase()),
  ...PERIODS,
]);

const ENDINGS = new Map(Object.entries({ ends: "end", starts: "start", renews: "renewal", expires: "expiry" }));
/** Words that end a label or begin what follows it. */
const STRUCTURAL =
  /\b(?:is|are|not|and|or|of|in|on|at|from|to|with|without|the|a|over|under|other|known|no|per|by|that|their|went|sorted|today|yesterday|this|last)\b/;

/** `account.contractEndsOn`: `contract end`. Empty for a key that isn't words. */
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
