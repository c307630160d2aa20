/**
 * Reads restated queries. A query counts only if its restatement has the same words, so nothing is misread.
 */
import { checkQuery } from "../../query/check.ts";
import { byName } from "../../query/dimensions.ts";
import { type FilterValue, type Query, querySchema } from "../../query/model.ts";
import { restate } from "../../query/restate.ts";
import { type DisplayNames, labelOf, quoted } from "../../query/display-names.ts";
import { type Match, templateParser } from "./template-parser.ts";
import { isWholeName } from "../words/match-names.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import { traitPlace } from "./clause-grammar.ts";
import { RESTATED_GRAMMAR } from "./restated-grammar.ts";
import { TimeReader } from "../times/time-reader.ts";

const MAX_CANDIDATES = 40;

/** Words at the beginning and end of a question that don't change its meaning. */
const AROUND = /^(?:(?:hello|hi|hey|please)[, ]+)+|[,.?! ]*(?:\b(?:please|thanks)[.?!]*)?$/gi;
const bare = (text: string): string => text.trim().replaceAll(AROUND, "");

/** Words that people use instead of the renderer's. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:show me|list|give me) (?:all )?/gi, ""],
  [/^do we have any /gi, "are there any "],
  [/^(?:what|which) percentage of /gi, "what share of "],
  [/\bcompanies\b/gi, "accounts"],
  [/\bpeople\b/gi, "users"],
  [/\bthe past (?=\d)/gi, "the last "],
];
const withoutSynonyms = (plain: string): string =>
  SYNONYMS.reduce((said, [from, to]) => said.replaceAll(from, to), plain);

/** Ignores quotation marks and commas, which people leave out, and the order of words: names may be in any order. */
const loose = (text: string): string =>
  bare(text).toLowerCase().replaceAll(/[",]/g, "").split(" ").toSorted().join(" ");

/** @returns the queries with this text: several if names can be read in several ways */
export function readRestated(text: string, vocabulary: Vocabulary, work: { rules: number }): readonly Query[] {
  const plain = bare(text);
  const usual = withoutSynonyms(plain);
  // The renderer writes "Number of accounts per plan", but "How many accounts are there?".
  const asked = usual.replace(/^number of (.*)$/i, "how many $1 are there");
  for (const form of new Set([plain, usual, asked])) {
    const found = readPlain(form, vocabulary, work);
    if (found.length > 0) return found;
  }
  return [];
}

function readPlain(plain: string, vocabulary: Vocabulary, work: { rules: number }): readonly Query[] {
  const speech = speechOf(vocabulary);
  const readPlace = templateParser(plain, RESTATED_GRAMMAR, terminalsOf(plain, vocabulary), work);
  const found = new Map<string, { query: Query; isWhole: boolean }>();
  const candidates = readPlace("question", 0).filter(({ end }) => end === plain.length);
  for (const { part } of candidates.slice(0, MAX_CANDIDATES)) {
    const { data } = querySchema.strip().safeParse(part);
    if (data === undefined || checkQuery(data, vocabulary.dimensions).length > 0) continue;
    const restated = restate(data, speech);
    const isWhole = bare(restated).toLowerCase() === plain.toLowerCase();
    if (isWhole || loose(restated) === loose(plain)) found.set(restated, { query: data, isWhole });
  }
  const whole = [...found.values()].filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : [...found.values()]).map(({ query }) => query);
}

/** Returns the names that the renderer uses: those that belong to only one account, user or event. */
function speechOf({ dimensions, events, names }: Vocabulary): DisplayNames {
  const exact = names.filter(isWholeName);
  return {
    dimensions,
    nameOf: (type, id) => {
      if (type === "feature") return events.includes(id) ? id : null;
      const name = exact.find((each) => each.type === type && each.externalId === id)?.name ?? null;
      const ids = new Set(exact.filter((each) => each.name === name).map((each) => `${each.type} ${each.externalId}`));
      return ids.size === 1 && !events.includes(name ?? "") ? name : null;
    },
  };
}

const NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?/;

/** Reads times, numbers, and values of dimensions. */
function terminalsOf(text: string, vocabulary: Vocabulary): (place: string, at: number) => Match[] {
  const lower = text.toLowerCase();
  const times = new TimeReader(lower.replaceAll(",", " "), vocabulary.today);
  const finders = new Map<string, ReturnType<typeof finderOf>>();
  return (place, at) => {
    const matchOf = (length: number, value: FilterValue): Match => ({ end: at + length, part: { values: [value] } });
    if (place === "when") {
      const time = times.timeAt(at);
      return time === null ? [] : [{ end: at + time.length, part: { window: time.ahead } }];
    }
    if (place === "number") {
      const [number] = NUMBER.exec(text.slice(at)) ?? [];
      return number === undefined ? [] : [matchOf(number.length, Number(number.replaceAll(",", "")))];
    }
    const [kind = "", dimension = ""] = place.split(/ (.*)/s, 2);
    const finder =
      finders.get(place) ?? finderOf(kind === "trait" ? labelsIn(place, vocabulary) : formsOf(dimension, vocabulary));
    finders.set(place, finder);
    return finder(lower, at).map(([form, id]) =>
      kind === "trait" ? { end: at + form.length, part: { trait: id } } : matchOf(form.length, id),
    );
  };
}

type Form = readonly [form: string, id: string];

/** Finds the forms that stand at a position. Tries each length of a form, so that the number of forms doesn't matter. */
function finderOf(forms: readonly Form[]): (text: string, at: number) => readonly Form[] {
  const byForm = Map.groupBy(forms, ([form]) => form);
  const lengths = [...new Set(forms.map(([form]) => form.length))];
  return (text, at) =>
    lengths.flatMap((length) => (at + length > text.length ? [] : (byForm.get(text.slice(at, at + length)) ?? [])));
}

/** Returns the traits whose labels a place takes, each with its label in lower case. */
const labelsIn = (place: string, { dimensions }: Vocabulary): Form[] =>
  dimensions.flatMap(({ name, type }): Form[] => {
    const label = labelOf(name, { dimensions });
    const isMeant = name.includes(".") && (place === "trait" || place === traitPlace(type, label));
    return isMeant ? [[label.toLowerCase(), name]] : [];
  });

/** Returns the values of a dimension, each with its name in lower case, as it is and in quotation marks. */
function formsOf(dimension: string, { events, names, dimensions }: Vocabulary): Form[] {
  const named = names.filter((each) => each.type === dimension && isWholeName(each));
  const values = dimension === "event" ? events : byName(dimensions).get(dimension)?.values;
  const all = [
    ...named.flatMap(({ name, externalId: id }) => [[name ?? id, id] as const, [id, id] as const]),
    ...(values ?? []).map((value) => [value, value] as const),
  ];
  return all.flatMap(([name, id]) => [name, quoted(name)].map((form) => [form.toLowerCase(), id] as const));
}
