/** Words with which a question asks for something near a plan that it fits, and not for that. */
import { HAVING, QUESTION_AUXILIARIES, USE_VERBS } from "../lexicon/grammar-words.ts";
import { phrasesFor } from "../lexicon/lexicon.ts";
import { numberOf } from "../lexicon/numbers.ts";
import type { Hints, Plan } from "../model.ts";
import { isSubject } from "./predicate.ts";
import { says, type Unit, wordAt } from "./units.ts";
import { isOfThePast } from "./untold.ts";

const MOVING = phrasesFor("up", "down");
const PEOPLE = phrasesFor("userMany");
const NEGATIONS = phrasesFor("not");
const ITEMS = phrasesFor("items");
const THEY = ["they", "them", "their", "theirs"];
const ATTRIBUTES: ReadonlySet<Plan["measure"]> = new Set<Plan["measure"]>([
  "plan",
  "seats",
  "mrr",
  "stage",
  "account",
  "account_count",
  "account_list",
]);
/** "How many seats were bought" are those that it has. */
const BOUGHT = phrasesFor("bought");
const NEAR = 3;

/** @param usesHint whether the plan's names came beside the question */
export function isOffPlan(plan: Plan, units: readonly Unit[], hints: Hints, usesHint: boolean): boolean {
  if (isOfHints(plan, units, hints, usesHint)) return true;
  const isOfNow = plan.subject !== "feature" && ATTRIBUTES.has(plan.measure);
  const isRankOfNow = plan.measure === "top" && !("window" in plan);
  if ((isOfNow || isRankOfNow) && isOfThePast(units) && !says(units, [...BOUGHT])) return true;
  // All that there ever were are counted.
  if ("filter" in plan && Object.keys(plan.filter).length === 0 && says(units, ["still"])) return true;
  if (says(units, ["converted"]) && /^(?:stage|account_count|account_list)$/.test(plan.measure)) return true;
  return OFF[plan.measure]?.(units, plan) ?? false;
}

/** "Do they use it more": they and it are told beside the question. "Our" is none of them. */
function isOfHints(plan: Plan, units: readonly Unit[], hints: Hints, usesHint: boolean): boolean {
  if (!usesHint) return false;
  if (plan.subject === "feature") return hints.account !== undefined && says(units, THEY);
  const ofAll = units.some(
    (_, at) => wordAt(units, at) === "our" && !/^(?:product|app|platform)$/.test(wordAt(units, at + 1)),
  );
  return plan.subject === "account" && (ofAll || says(units, ["overall"]));
}

/** "Who used it more", "which users were more active". */
const asksWho = (units: readonly Unit[]): boolean =>
  says(units, ["who"]) || units.some((_, at) => wordAt(units, at) === "which" && PEOPLE.has(wordAt(units, at + 1)));

/** "Is the growth growing", "is it growing less". */
function isMovementOfMovement(units: readonly Unit[]): boolean {
  const moving = units.filter((_, at) => MOVING.has(wordAt(units, at))).length;
  return !says(units, ["or"]) && (moving > 1 || (moving > 0 && says(units, ["less", "more", "fewer"])));
}

/** "What did acme drop": not how much there was of it. And "what is up with acme" is not asked of anything. */
function asksForWhatMoved(units: readonly Unit[]): boolean {
  const at = units.findIndex((_, place) => /^whats?$/.test(wordAt(units, place)));
  if (at >= 0 && units.slice(at + 1, at + NEAR).some((unit) => unit.kind === "word" && unit.word === "up")) return true;
  const auxiliary = wordAt(units, at + 1);
  return at >= 0 && QUESTION_AUXILIARIES.has(auxiliary) && units.slice(at + 2).some(({ kind }) => kind === "name");
}

/** "How many use it" are not uses. */
const asksHowManyDid = (units: readonly Unit[]): boolean =>
  units.some((_, at) => {
    const next = wordAt(units, at + 2);
    const isCounting = wordAt(units, at) === "how" && wordAt(units, at + 1) === "many";
    return isCounting && (USE_VERBS.has(next) || HAVING.has(next) || next === "at");
  });

const RANKED = /^(?:top|biggest|largest|best|most|main|leading|smallest|oldest|newest)$/;

/** "Of the top five accounts": what is ranked are those who use it. */
const ofSomeOnly = (units: readonly Unit[]): boolean =>
  units.some(
    (_, at) =>
      isSubject(wordAt(units, at)) &&
      [1, 2].some((away) => RANKED.test(wordAt(units, at - away)) || numberOf(wordAt(units, at - away)) !== null),
  );

/** "By number of users"; but "used by our customers". */
const isBy = (units: readonly Unit[]): boolean =>
  units.some(
    (_, at) =>
      /^(?:by|per)$/.test(wordAt(units, at)) &&
      !/(?:ed|paid|brought|from)$/.test(wordAt(units, at - 1)) &&
      Array.from({ length: NEAR }, (__, away) => wordAt(units, at + 1 + away)).some(isSubject),
  );

/** "The MRR of paying customers", "how much was booked", "MRR by customer". */
const isPartOfMrr = (units: readonly Unit[]): boolean =>
  isBy(units) ||
  says(units, ["booked", "sold", "bought", "purchased", "ordered", "contracted"]) ||
  units.some((_, at) => /^(?:paying|paid)$/.test(wordAt(units, at)) && isSubject(wordAt(units, at + 1)));

/** "How many accounts need attention" are not as many as items. */
const asksHowManySubjects = (units: readonly Unit[]): boolean =>
  units.some((_, at) => wordAt(units, at) === "many" && [1, 2].some((away) => isSubject(wordAt(units, at + away))));

/** By measure, whether a question asks for something else. */
const OFF: Partial<Record<Plan["measure"], (units: readonly Unit[], plan: Plan) => boolean>> = {
  trend: (units) => asksWho(units) || isMovementOfMovement(units) || asksForWhatMoved(units),
  compare_windows: asksWho,
  event_count: (units, plan) => "feature" in plan && asksHowManyDid(units),
  top_features: (units) => ofSomeOnly(units) || isBy(units),
  features_not_used: (units) =>
    says(units, ["yet"]) || units.filter((_, at) => NEGATIONS.has(wordAt(units, at))).length > 1,
  // Yes or no is not told of an amount.
  mrr: (units, { subject }) =>
    subject === "portfolio" ? isPartOfMrr(units) : QUESTION_AUXILIARIES.has(wordAt(units, 0)),
  top: (units) => says(units, ["total", "sum", "combined", "altogether"]),
  trial_days_left: (units) => says(units, ["ago", "did", "last", "lasts"]),
  items: (units) =>
    (says(units, ["pending", "waiting", "unresolved"]) && !says(units, [...ITEMS])) || asksHowManySubjects(units),
  account: (units) => units.some((_, at) => wordAt(units, at).startsWith("work") && wordAt(units, at + 1) === "with"),
};
