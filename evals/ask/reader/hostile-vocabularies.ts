/** Builds vocabularies of the maximum size that are slow to read, each in another way. */
import { MAX_TRAIT_DIMENSIONS, type TraitValue, valuesWithRoom } from "../../../src/core/ask/query/dimensions.ts";
import { pick, type Random, shuffled } from "../../simulator/random.ts";

export interface HostileVocabulary {
  values: ReadonlyMap<string, readonly TraitValue[]>;
  /** What to ask with. */
  words: readonly string[];
}

type Shape = (random: Random, ordinary: readonly string[]) => Record<string, readonly TraitValue[]>;

const ABC = "abcdefghijklmnopqrstuvwxyz";
const anyOf = <Value>(random: Random, values: ArrayLike<Value>): Value | string =>
  values[Math.floor(random() * values.length)] ?? "";
const wordOf = (random: Random, length: number, letters: ArrayLike<string> = ABC): string =>
  Array.from({ length }, () => anyOf(random, letters)).join("");

/** Returns distinct texts, up to a number. */
function distinct(count: number, make: (index: number) => string): string[] {
  const found = new Set<string>();
  for (let tries = 0; found.size < count && tries < 20 * count; tries += 1) found.add(make(found.size));
  return [...found];
}

/** As many traits as a workspace may have, of accounts and users in turn. */
const traits = (key: (index: number) => string, valuesOf: (index: number) => readonly TraitValue[]) =>
  Object.fromEntries(
    distinct(MAX_TRAIT_DIMENSIONS, key).map((each, index) => [
      `${index % 2 === 0 ? "account" : "user"}.${each}`,
      valuesOf(index),
    ]),
  );
/** Few traits with as many values as each may have. */
const texts = (random: Random, value: (index: number) => string) =>
  Object.fromEntries(distinct(24, () => wordOf(random, 3)).map((key) => [`account.${key}`, distinct(200, value)]));

const TYPES: readonly (readonly TraitValue[])[] = [[1], ["a", "b c"], [true], ["2026-01-01"]];
const typed = (index: number) => TYPES[index % TYPES.length] ?? [];
const ENDINGS = ["", "s", "ed", "ing", "er", "ion"];

export const SHAPES: Readonly<Record<string, Shape>> = {
  words: (random) => traits(() => `${wordOf(random, 3)} ${wordOf(random, 3)}`, typed),
  digits: (random) => traits((index) => `${wordOf(random, 2)} ${index}`, typed),
  prefixes: () =>
    traits(
      (index) =>
        "ab"
          .repeat(40)
          .slice(0, 1 + (index % 64))
          .concat(" a".repeat(index >> 6)),
      typed,
    ),
  letters: (random) => traits(() => wordOf(random, pick(random, [1, 3, 5]), `${ABC} `).trim(), typed),
  stems: (random) => {
    const stems = distinct(84, () => wordOf(random, 5));
    return traits(
      (index) => `${stems[Math.floor(index / 6)]}${ENDINGS[index % 6]}`,
      () => stems.slice(0, 9),
    );
  },
  oneLabel: (random) => traits(() => wordOf(random, 12, ["a", "_", " ", "-"]), typed),
  longKeys: (random) =>
    traits(
      () => wordOf(random, 64, "abcdefghijk "),
      () => [wordOf(random, 98, "abcdefghijk ")],
    ),
  ordinary: (random, ordinary) =>
    traits(
      () => anyOf(random, ordinary),
      () => distinct(9, () => anyOf(random, ordinary)),
    ),
  emoji: (random) =>
    traits(
      (index) => `${String.fromCodePoint(0x1f300 + index)} ${wordOf(random, 1)}`,
      () => ["😀", "é😀"],
    ),
  otherLetters: (random) => {
    const letters = Array.from({ length: 256 }, (_, index) => String.fromCodePoint(0xc0 + index));
    return traits(
      () => wordOf(random, 60, letters),
      () => distinct(9, () => wordOf(random, 12, letters)),
    );
  },
  valuesAsKeys: (random) => {
    const keys = distinct(MAX_TRAIT_DIMENSIONS, () => wordOf(random, 3));
    return traits(
      (index) => keys[index] ?? "",
      (index) => keys.slice(index, index + 9),
    );
  },
  sharedValues: (random) =>
    traits(
      () => wordOf(random, 4),
      () => ["qab", "qab xkq", "xkq", "a", "b"],
    ),
  sameValues: (random) =>
    texts(random, (index) =>
      Array.from("qabxkqwe", (letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter)).join(""),
    ),
  similarValues: (random) =>
    texts(random, () =>
      Array.from("qabxkqwe", (letter, at) => (at > 0 && random() < 0.4 ? wordOf(random, 1) : letter)).join(""),
    ),
  jumbledValues: (random) => texts(random, () => `a${shuffled(random, Array.from("bcdefgh")).join("")}`),
};

/** Only what a workspace keeps. */
export function hostileVocabulary(random: Random, shape: Shape, ordinary: readonly string[]): HostileVocabulary {
  const found = Object.entries(shape(random, ordinary)).flatMap(([dimension, values]) =>
    values.map((value) => ({ dimension, value: JSON.stringify(value) })),
  );
  const kept = Map.groupBy(valuesWithRoom([], found), ({ dimension }) => dimension);
  const values = new Map(
    Array.from(kept, ([name, all]) => [name, all.map(({ value }): TraitValue => JSON.parse(value))]),
  );
  const keys = [...values.keys()].map((name) => name.slice(name.indexOf(".") + 1));
  const said = [...values.values()].flat().filter((value) => typeof value === "string");
  return { values, words: [...keys, ...said.slice(0, keys.length)] };
}
