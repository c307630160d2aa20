/** Looks up names in lists that are held in memory, as the database does in its indexes. */
import { editDistanceWithin, foldName, fuzzyReach } from "../../../src/core/ask/names.ts";
import { dimensionsOf, type TraitValue } from "../../../src/core/ask/query/dimensions.ts";
import { dayOf } from "../../../src/core/ask/query/windows.ts";
import { type Candidate, lookUps, type NameMatch } from "../../../src/core/ask/reader/mentions.ts";
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

/** A word that more names contain isn't distinctive. */
const MAX_SHARED = 3;
const LINKS = new Set(["and", "the", "of"]);

interface Known extends Candidate {
  forms: readonly string[];
  words: ReadonlySet<string>;
}

export function vocabularyOf({
  accounts,
  users,
  events,
  values,
  today,
  firstDay,
}: Names): (question: string) => Vocabulary {
  const known = [...accounts.map((each) => knownAs("account", each)), ...users.map((each) => knownAs("user", each))];
  const sharing = new Map<string, Known[]>();
  for (const each of known) for (const word of each.words) sharing.set(word, [...(sharing.get(word) ?? []), each]);
  const dimensions = dimensionsOf(values);
  return (question) => ({
    names: lookUps(wordsOf(question)).flatMap(({ from, to, folded }) =>
      namedBy(folded, known, sharing).map((match) => ({ ...match, from, to })),
    ),
    events,
    dimensions,
    today: dayOf(today),
    ...(firstDay !== undefined && { firstDay: dayOf(firstDay) }),
  });
}

function knownAs(type: "account" | "user", { externalId, name }: { externalId: string; name: string | null }): Known {
  const forms = [...new Set([foldName(externalId), ...(name === null ? [] : [foldName(name)])])];
  const words = new Set(forms.flatMap((form) => form.split(" ")).filter((word) => word.length > 2 && !LINKS.has(word)));
  return { type, externalId, name, forms, words };
}

function namedBy(
  folded: string,
  known: readonly Known[],
  sharing: ReadonlyMap<string, readonly Known[]>,
): Omit<NameMatch, "from" | "to">[] {
  const matched = (each: Known, how: NameMatch["how"]) => ({
    type: each.type,
    externalId: each.externalId,
    name: each.name,
    how,
  });
  const exact = known.filter(({ forms }) => forms.includes(folded));
  if (exact.length > 0) return exact.map((each) => matched(each, "exact"));
  const words = folded.split(" ");
  const named = words.filter((word) => !LINKS.has(word));
  if (LINKS.has(words[0] ?? "") || LINKS.has(words.at(-1) ?? "")) return [];
  const parts = named.map((word) => [
    ...new Set([word, word.replace(/s$/, ""), `${word}s`].flatMap((form) => sharing.get(form) ?? [])),
  ]);
  const common = (parts[0] ?? []).filter((each) => parts.every((part) => part.includes(each)));
  if (common.length > 0 && common.length <= MAX_SHARED) return common.map((each) => matched(each, "part"));
  const reach = fuzzyReach(folded.length);
  if (reach === 0 || words.length > 3) return [];
  const close = known.flatMap((each) => {
    const distances = [...each.forms, ...each.words].map((form) => editDistanceWithin(folded, form, reach) ?? Infinity);
    const distance = Math.min(...distances);
    return distance === Infinity ? [] : [{ each, distance }];
  });
  const least = Math.min(...close.map(({ distance }) => distance));
  return close.filter(({ distance }) => distance === least).map(({ each }) => matched(each, "misspelt"));
}
