/** Looks up names in memory, as the database does in its indexes. */
import { nameKeys } from "../../../src/core/ask/normalize-names.ts";
import { dimensionsOf, type TraitValue } from "../../../src/core/ask/query/dimensions.ts";
import { dayOf } from "../../../src/core/ask/query/windows.ts";
import {
  type FoundNames,
  type KnownName,
  MAX_PER_KEY,
  MAX_PER_PREFIX,
  matchNames,
  type NameLookup,
  SHORT_PREFIX,
  nameLookup,
} from "../../../src/core/ask/reader/words/match-names.ts";
import type { Vocabulary } from "../../../src/core/ask/reader/read-question.ts";
import { splitWords } from "../../../src/core/ask/reader/words/split-words.ts";

export interface Names {
  accounts: readonly { externalId: string; name: string | null }[];
  users: readonly { externalId: string; name: string | null }[];
  events: readonly string[];
  /** By dimension: plans, currencies and traits. */
  values: ReadonlyMap<string, readonly TraitValue[]>;
  /** As in `2026-11-23`. */
  today: string;
  firstDay?: string;
}

type LookUp = (sought: NameLookup) => FoundNames;

/** Finds the names of a world in its own lists, as many as the database would return. */
export function lookUpIn({ accounts, users }: Pick<Names, "accounts" | "users">): LookUp {
  const stored = [
    ...accounts.flatMap((each, at) => storedNames("account", each, at)),
    ...users.flatMap((each, at) => storedNames("user", each, at)),
  ].toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const byKey = Map.groupBy(stored, ({ key }) => key);
  const byStart = Map.groupBy(stored, ({ key }) => key.slice(0, SHORT_PREFIX));
  const beginning = (prefix: string) =>
    (byStart.get(prefix.slice(0, SHORT_PREFIX)) ?? []).filter(({ key }) => key.startsWith(prefix));
  return ({ keys, prefixes }) => ({
    byKey: keys.flatMap((key) => first(byKey.get(key) ?? [], MAX_PER_KEY)),
    byPrefix: prefixes.flatMap((prefix) => first(beginning(prefix), MAX_PER_PREFIX)),
  });
}

/** Makes what the reader knows of a question from the names of a world. */
export function vocabularyOf(names: Names, lookUp = lookUpIn(names)): (question: string) => Vocabulary {
  const { events, values, today, firstDay } = names;
  const dimensions = dimensionsOf(values);
  return (question) => {
    const words = splitWords(question);
    const sought = nameLookup(question, words);
    return {
      names: matchNames(words, sought, lookUp(sought)),
      events,
      dimensions,
      today: dayOf(today),
      ...(firstDay !== undefined && { firstDay: dayOf(firstDay) }),
    };
  };
}

/** The database returns so many names at most, and says whether there may be more. */
const first = (found: readonly KnownName[], most: number): KnownName[] =>
  found.slice(0, most).map((name) => ({ ...name, isTruncated: found.length >= most }));

function storedNames(
  type: "account" | "user",
  { externalId, name }: { externalId: string; name: string | null },
  number: number,
): KnownName[] {
  const keys = [...nameKeys(externalId, "external_id"), ...(name === null ? [] : nameKeys(name, "name"))];
  return keys.map((key) => ({
    type,
    externalId,
    name,
    number,
    id: `${type}-${number}`,
    isPersonal: false,
    isTruncated: false,
    ...key,
  }));
}
