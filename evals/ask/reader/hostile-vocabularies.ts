/** Vocabularies that are as large as a workspace may have them, and made to be slow: one for each way to be so. */
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

/** Distinct texts, up to a number. */
function distinct(count: number, make: (place: number) => string): string[] {
  const found = new Set<string>();
  for (let tries = 0; found.size < count && tries < 20 * count; tries += 1) found.add(make(found.size));
  return [...found];
}

/** As many traits as a workspace may have, of accounts and users in turn. */
const traits = (key: (place: number) => string, valuesOf: (place: number) => readonly TraitValue[]) =>
  Object.fromEntries(
    distinct(MAX_TRAIT_DIMENSIONS, key).map((each, place) => [
      `${place % 2 === 0 ? "account" : "user"}.${each}`,
      valuesOf(place),
    ]),
  );
/** Few traits with as many values as each may have. */
const texts = (random: Random, value: (place: number) => string) =>
  Object.fromEntries(distinct(24, () => wordOf(random, 3)).map((key) => [`account.${key}`, distinct(200, value)]));

const TYPES: readonly (readonly TraitValue[])[] = [[1], ["a", "b c"], [true], ["2026-01-01"]];
const typed = (place: number) => TYPES[place % TYPES.length] ?? [];
const ENDINGS = ["", "s", "ed", "ing", "er", "ion"];

export const SHAPES: Readonly<Record<string, Shape>> = {
  words: (random) => traits(() => `${wordOf(random, 3)} ${wordOf(random, 3)}`, typed),
  digits: (random) => traits((place) => `${wordOf(random, 2)} ${place}`, typed),
  prefixes: () =>
    traits(
      (place) =>
        "ab"
          .repeat(40)
          .slice(0, 1 + (place % 64))
          .concat(" a".repeat(place >> 6)),
      typed,
    ),
  letters: (random) => traits(() => wordOf(random, pick(random, [1, 3, 5]), `${ABC} `).trim(), typed),
  stems: (random) => {
    const stems = distinct(84, () => wordOf(random, 5));
    return traits(
      (place) => `${stems[Math.floor(place / 6)]}${ENDINGS[place % 6]}`,
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
      (place) => `${String.fromCodePoint(0x1f300 + place)} ${wordOf(random, 1)}`,
      () => ["😀", "é😀"],
    ),
  otherLetters: (random) => {
    const letters = Array.from({ length: 256 }, (_, place) => String.fromCodePoint(0xc0 + place));
    return traits(
      () => wordOf(random, 60, letters),
      () => distinct(9, () => wordOf(random, 12, letters)),
    );
  },
  valuesAsKeys: (random) => {
    const keys = distinct(MAX_TRAIT_DIMENSIONS, () => wordOf(random, 3));
    return traits(
      (place) => keys[place] ?? "",
      (place) => keys.slice(place, place + 9),
    );
  },
  sharedValues: (random) =>
    traits(
      () => wordOf(random, 4),
      () => ["qab", "qab xkq", "xkq", "a", "b"],
    ),
  sameValues: (random) =>
    texts(random, (place) =>
      Array.from("qabxkqwe", (letter, at) => ((place >> at) & 1 ? letter.toUpperCase() : letter)).join(""),
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
