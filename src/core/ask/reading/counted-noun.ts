/** What a question counts or ranks: the noun that "how many" stands before, and else the first. */
import type { Concept } from "../lexicon/concept-words.ts";
import { HAVING } from "../lexicon/grammar-words.ts";
import { phrasesAt } from "../lexicon/lexicon.ts";
import type { Rule } from "../rules/rule.ts";
import type { Fit, Piece } from "./fit.ts";
import { type Unit, wordAt } from "./units.ts";

const PEOPLE: readonly Concept[] = ["userMany", "activeUsers"];
/** Who does something. */
const DOERS: readonly Concept[] = [...PEOPLE, "accountMany"];
const NOUNS: readonly Concept[] = [
  ...PEOPLE,
  "accountMany",
  "accountOne",
  "event",
  "feature",
  "dayNoun",
  "activeDays",
  "thing",
  "seats",
];

const DEEDS: readonly Concept[] = ["send", "recorded", "use"];
const RANKED: ReadonlySet<string> = new Set(["most", "highest", "more"]);

export function countsRightNoun({ counts }: Rule, { pieces }: Fit, units: readonly Unit[]): boolean {
  if (counts === undefined) return true;
  if (units.some((_, at) => isHad(units, at) && !pieces.some((piece) => piece.at > at && isAnyOf(piece, DEEDS))))
    return false;
  const isRanked = ({ at }: Piece) => RANKED.has(wordAt(units, at - 1));
  // "The feature with the most users": events are counted, not who did them.
  if (pieces.some((piece) => isAnyOf(piece, DOERS) && !isAnyOf(piece, counts) && isRanked(piece))) return false;
  // "How many users used active users": of two, one is none that is counted.
  if (pieces.filter((piece) => isAnyOf(piece, PEOPLE)).length > 1) return false;
  const asked = pieces.find((piece) => piece.concepts.includes("howMany"));
  const nouns = pieces.filter((piece) => isAnyOf(piece, NOUNS));
  const noun = asked === undefined ? nouns[0] : (nouns.find(({ at }) => at >= asked.at) ?? nouns.at(-1));
  return noun === undefined || isAnyOf(noun, counts);
}

/** "How many events had users": what is had, not who had it, unless something done comes after. */
function isHad(units: readonly Unit[], at: number): boolean {
  const word = wordAt(units, at);
  if (!HAVING.has(wordAt(units, at - 1)) || word === "") return false;
  return phrasesAt([word], 0).some(({ concepts }) => concepts.some((concept) => DOERS.includes(concept)));
}

const isAnyOf = ({ concepts }: Piece, some: readonly Concept[]): boolean =>
  concepts.some((concept) => some.includes(concept));
