/** Looks up names in memory, as the database does in its indexes. */
import { nameKeys } from "../../../src/core/ask/names.ts";
import { dimensionsOf, type TraitValue } from "../../../src/core/ask/query/dimensions.ts";
import { dayOf } from "../../../src/core/ask/query/windows.ts";
import { type KnownName, matchNames, soughtNames } from "../../../src/core/ask/reader/names.ts";
import type { Vocabulary } from "../../../src/core/ask/reader/read.ts";
import { wordsOf } from "../../../src/core/ask/reader/words.ts";

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

export function vocabularyOf({
  accounts,
  users,
  events,
  values,
  today,
  firstDay,
}: Names): (question: string) => Vocabulary {
  const stored = [
    ...accounts.flatMap((each, at) => storedNames("account", each, at)),
    ...users.flatMap((each, at) => storedNames("user", each, at)),
  ];
  const dimensions = dimensionsOf(values);
  return (question) => {
    const words = wordsOf(question);
    const { keys, prefixes } = soughtNames(question, words);
    const sought = new Set(keys);
    const same = stored.filter(({ key }) => sought.has(key));
    const similar = stored.filter(({ key }) => prefixes.some((prefix) => key.startsWith(prefix)));
    return {
      names: matchNames(question, words, { same, similar }),
      events,
      dimensions,
      today: dayOf(today),
      ...(firstDay !== undefined && { firstDay: dayOf(firstDay) }),
    };
  };
}

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
    isCrowded: false,
    ...key,
  }));
}
