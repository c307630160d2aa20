/**
 * What senders named, in sentences of ours: accounts, users, features, values and traits. A name that could be read as
 * one of our words is quoted.
 */
import { BUILT_IN, type Dimension } from "./dimensions.ts";
import type { FilterValue } from "./model.ts";
import { VOCABULARY } from "./vocabulary.ts";
import { fill, LABELS, PERIOD_WORDS } from "./words.ts";
import { CALLED, TRAIT_OF } from "./words-of-forms.ts";

export type NamedType = keyof typeof CALLED;

/** What queries are told with. */
export interface Speech {
  dimensions: readonly Dimension[];
  /** The name by which an entity is found: no two entities, of whatever type, may have the same. `null` if it has none. */
  nameOf(type: NamedType, id: string): string | null;
}

const PLAIN = /^\p{L}[\p{L}\p{M}\p{N}&'’._@+-]*(?: (?:&|\p{L}[\p{L}\p{M}\p{N}&'’._@+-]*))*$/u;

/** A value as it is, or quoted if its words could be ours. */
export function sayText(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isPlain = PLAIN.test(text) && !/[.]$/.test(text) && !words.some((word) => VOCABULARY.has(word));
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

export const sayValue = (value: FilterValue): string =>
  typeof value === "string" ? sayText(value) : sayNumber(Number(value));

const WHOLE = new Intl.NumberFormat("en-US");

/** A number in full: no two are the same. */
export const sayNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e15 ? WHOLE.format(value + 0) : String(value);

export function sayEntity(type: NamedType, id: FilterValue, speech: Speech): string {
  const name = speech.nameOf(type, String(id));
  return name === null ? fill(CALLED[type], { v: sayText(String(id)) }) : sayText(name);
}

const isBuiltIn = (name: string): name is keyof typeof LABELS => Object.hasOwn(LABELS, name);

/** The label of a measure or a dimension. A trait has its key, in words, if no other dimension is called so. */
export function labelOf(name: string, { dimensions }: Speech, other = false): string {
  if (isBuiltIn(name)) return (other ? LABELS[name].at(-1) : undefined) ?? LABELS[name][0];
  const label = spoken(name);
  // A trait of accounts comes before one of users with the same label.
  const rivals = dimensions.filter(
    (dimension) => dimension.name !== name && !(isOfAccount(name) && !isOfAccount(dimension.name)),
  );
  const isTaken = RESERVED.has(label) || rivals.some((dimension) => spoken(dimension.name) === label);
  return isTaken || label === "" ? rawLabel(name) : label;
}

const isOfAccount = (name: string): boolean => name.startsWith("account.");

const RESERVED: ReadonlySet<string> = new Set([
  ...Object.values(LABELS)
    .flat()
    .map((label) => label.toLowerCase()),
  ...PERIOD_WORDS,
  ...BUILT_IN.map(({ name }) => name),
]);

function rawLabel(name: string): string {
  const owner = name.startsWith("user.") ? "user" : "account";
  return fill(TRAIT_OF[owner], { v: `"${name.slice(owner.length + 1).replaceAll('"', '""')}"` });
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["ends", "end"],
  ["starts", "start"],
  ["renews", "renewal"],
  ["expires", "expiry"],
]);
/** Words that end a label or begin what follows it. */
const STRUCTURAL =
  /\b(?:is|are|not|and|or|of|in|on|at|from|to|with|without|the|a|over|under|other|known|no|per|by|that|their|went|sorted|today|yesterday|this|last)\b/;

/** `account.contractEndsOn`: `contract end`. Empty for a key that isn't words. */
function spoken(name: string): string {
  const key = name.slice(name.indexOf(".") + 1);
  if (!/^[\p{L}_ -]+$/u.test(key)) return "";
  const words = key
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[_ -]+/);
  if (words.length > 1 && ["on", "at", "date"].includes(words.at(-1) ?? "")) words.pop();
  const last = words.pop() ?? "";
  const label = [...words, ENDINGS.get(last) ?? last].join(" ").trim();
  return STRUCTURAL.test(label) ? "" : label;
}
