/** Who did it, and to what it was done: "how many users invited" are others than "how many users were invited". */
import type { Concept } from "../lexicon/concept-words.ts";
import { DOING, PASSIVE_AUXILIARIES } from "../lexicon/grammar-words.ts";
import { phrasesAt } from "../lexicon/lexicon.ts";
import { foldName } from "../names.ts";
import type { Rule } from "../rules/rule.ts";
import type { Assigned } from "./assignments.ts";
import type { Fit } from "./fit.ts";
import { says, type Unit, wordAt } from "./units.ts";

/** Whether those that are counted are those who did it: not so in "how many users did acme invite". */
export function areDoers(
  { doers }: Rule,
  units: readonly Unit[],
  assigned: readonly Assigned[],
  { pieces }: Fit,
): boolean {
  if (doers === undefined) return true;
  const feature = assigned.find(({ type }) => type === "feature");
  if (feature === undefined) return true;
  const isSplit = feature.unit.mention.span.parts.length > 1;
  const isWritten = feature.candidates.some(
    ({ match, entity }) => match === "external_id" && /[._]/.test(entity.externalId),
  );
  const nameAt = units.indexOf(feature.unit);
  const noun = pieces.find(({ concepts }) => concepts.some((concept) => doers.includes(concept)));
  if (isSplit) return false;
  if (noun === undefined) return true;
  const asked = pieces.find(({ concepts }) => concepts.includes("howMany"));
  if (isWritten && noun.at === nameAt + 1) return true;
  if (nameAt < noun.at) return asked === undefined || asked.at > nameAt || asked.at + 2 > noun.at;
  return isWritten || !isDoneTo(units, noun.at, nameAt, feature.unit.isGoingOn);
}

/**
 * Whether a name stands where something was done to it, or by somebody: "were exported", "did acme export".
 *
 * @param isGoingOn whether it is told as going on: "were exporting"
 */
function isDoneTo(units: readonly Unit[], nounAt: number, nameAt: number, isGoingOn: boolean): boolean {
  const between = units.slice(nounAt + 1, nameAt);
  const words = between.flatMap((unit) => (unit.kind === "word" ? [unit.word] : []));
  const [first = ""] = words;
  return DOING.has(first) || (PASSIVE_AUXILIARIES.has(words.at(-1) ?? "") && !isGoingOn);
}

const COUNTED_HERE: ReadonlySet<Concept> = new Set(["userMany", "accountMany", "seats", "trialsMany", "dayNoun"]);
const COUNTING: ReadonlySet<string> = new Set(["many", "of"]);

/**
 * "How many users signed up": users are asked for, and not the events that are called so, unless it says "events". What
 * was done to them is as many events ("how many users did acme invite"), but for seats, of which several come at once.
 */
export function countsWhatIsNamed(units: readonly Unit[], assigned: readonly Assigned[]): boolean {
  const feature = assigned.find(({ type, candidates }) => type === "feature" && candidates[0]?.match === "spoken");
  if (feature === undefined || says(units, ["event", "events"])) return false;
  if (!COUNTING.has(wordAt(units, units.indexOf(feature.unit) - 1))) return false;
  const [noun = ""] = foldName(feature.unit.mention.said).split(" ");
  const isDone = feature.unit.mention.span.parts.length > 1;
  return phrasesAt([noun], 0).some(({ concepts }) =>
    concepts.some((concept) => (isDone ? concept === "seats" : COUNTED_HERE.has(concept))),
  );
}
