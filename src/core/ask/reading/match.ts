/**
 * All that a reading of a question may mean: each rule that it fits, with the names filled in. Where one rule asks for
 * all that another does and for more, what the other says is not meant.
 */
import type { Concept } from "../lexicon/concept-words.ts";
import type { Pointing } from "../lexicon/lexicon.ts";
import type { Entity, Hints, Match, Plan, TakenName } from "../model.ts";
import { tierOf } from "../naming/candidates.ts";
import type { Rule, Slots } from "../rules/rule.ts";
import { RULES } from "../rules/rules.ts";
import type { Clock } from "../time/time-context.ts";
import { DEFAULT_DAYS, PRESENT_DAYS, type Windows, windowsFor } from "../time/windows.ts";
import { type Assigned, assignmentsOf, type Names, namesFor } from "./assignments.ts";
import { countsRightNoun } from "./counted-noun.ts";
import { areDoers, countsWhatIsNamed } from "./doers.ts";
import { type Fit, fitOf } from "./fit.ts";
import { canPoint } from "./pointing.ts";
import { asksForAdvice, asksOfVendor, isCommand } from "./unasked.ts";
import { isOffPlan } from "./off-plan.ts";
import { says, type Unit } from "./units.ts";
import { isUntold } from "./untold.ts";

export interface Matched {
  plan: Plan;
  /** Of the plan's subject. */
  matchedBy: Match;
  windows: Windows;
  /** Whether a word was taken for a plan that is called just so. */
  namesPlan: boolean;
  needs: ReadonlySet<Concept>;
  usesHint: boolean;
  /** The sum over its names of how far they are from being written exactly. */
  inexactness: number;
  /** Misspelt names and words. */
  taken: readonly TakenName[];
  /** Where a name may be one of several: all of them. */
  candidates: readonly Entity[];
  /** Tokens that nothing was done with, where that was allowed. */
  dropped: readonly number[];
}

/** What has ended is asked for. */
const OVER: readonly string[] = ["ended", "expired", "finished", "lapsed", "ran", "run", "completed", "over", "done"];
/** What goes on is asked for: the usual days would reach back to what does no more. */
const PRESENT: readonly string[] = ["still", "now", "currently", "presently", "moment", "current"];

/** @param mayDrop how many words may be left out, to find what is near a question that means nothing */
export function matchesOf(units: readonly Unit[], hints: Hints, clock: Clock, mayDrop = 0): Matched[] {
  if (isCommand(units) || asksForAdvice(units) || asksOfVendor(units) || isUntold(units)) return [];
  const assignments = assignmentsOf(units).filter((assigned) => !countsWhatIsNamed(units, assigned));
  const found = assignments.flatMap((assigned) =>
    RULES.flatMap((rule) => matchOf(rule, units, assigned, hints, clock, mayDrop) ?? []),
  );
  return withoutOutdone(found);
}

/** The plans of some matches, each once, as they are told from each other. */
export const distinctPlans = (matches: readonly Matched[]): ReadonlySet<string> =>
  new Set(matches.map(({ plan }) => JSON.stringify(plan)));

function matchOf(
  rule: Rule,
  units: readonly Unit[],
  assigned: readonly Assigned[],
  hints: Hints,
  clock: Clock,
  mayDrop: number,
): Matched | null {
  const names = namesFor(rule, assigned, hints);
  if (names === null || (rule.butNot !== undefined && says(units, rule.butNot))) return null;
  const times = units.filter((unit) => unit.kind === "time");
  const plans = units.filter((unit) => unit.kind === "plan");
  if (plans.length > 1 || (plans.length === 0 && rule.takesPlan === "one")) return null;
  // What is near a question is told with a time.
  if (rule.needsTime === true && times.length === 0 && mayDrop === 0) return null;
  const days = rule.days ?? (says(units, PRESENT) ? PRESENT_DAYS : DEFAULT_DAYS);
  const found = windowsFor(rule.time, times, clock, { isOver: says(units, OVER), days });
  if (found === null) return null;

  const filled = filledBy(rule, names);
  const fit = fitOf(rule, units, (target, at) => canPoint(units, filled, names.usesHint, target, at), mayDrop);
  if (fit === null || !areDoers(rule, units, assigned, fit) || !countsRightNoun(rule, fit, units)) return null;

  const windows = hasConcept(fit, "altogether") ? inTotal(rule, found) : found;
  const plan = rule.plan(slotsOf(names, plans[0]?.plan, windows, fit, units, clock));
  if (plan === null || isOffPlan(plan, units, hints, names.usesHint)) return null;
  return {
    plan,
    matchedBy: (plan.subject === "portfolio" ? undefined : names[plan.subject]?.match) ?? "hint",
    windows,
    namesPlan: plans.some(({ isExact }) => isExact),
    needs: new Set(fit.way),
    usesHint: names.usesHint,
    ...exactnessOf(assigned, units),
    dropped: fit.dropped,
  };
}

/** What a pointing word may stand for. */
const filledBy = ({ names: { account, user } }: Rule, { feature }: Names): Pointing[] => [
  ...(account === undefined ? [] : (["account"] as const)),
  ...(user === undefined ? [] : (["user"] as const)),
  ...(feature === undefined ? [] : (["feature"] as const)),
];

const hasConcept = ({ pieces }: Fit, concept: Concept): boolean =>
  pieces.some(({ concepts }) => concepts.includes(concept));

/** Where no window is said, all that ever was is added up. */
const inTotal = ({ time }: Rule, windows: Windows): Windows =>
  windows.isDefault && time === "past"
    ? { ...windows, window: { ...windows.ever, phrase: "in total" }, isDefault: false }
    : windows;

/** Stands where a rule has no such name, and reads none. */
const NOBODY: Entity = { type: "account", number: 0, id: "", externalId: "", name: null };

function slotsOf(
  { account, other, user, feature }: Names,
  planName: string | undefined,
  { window, before, ever }: Windows,
  fit: Fit,
  units: readonly Unit[],
  { today }: Clock,
): Slots {
  return {
    account: account?.entity ?? NOBODY,
    other: other?.entity ?? NOBODY,
    user: user?.entity ?? NOBODY,
    feature: feature?.entity,
    planName,
    window,
    before,
    ever,
    number: fit.number ?? undefined,
    today,
    isSpoken: feature?.match === "spoken",
    has: (concept) => hasConcept(fit, concept),
    says: (...words) => says(units, words),
  };
}

/** How the names and words of a question are written. */
function exactnessOf(
  assigned: readonly Assigned[],
  units: readonly Unit[],
): Pick<Matched, "inexactness" | "taken" | "candidates"> {
  const best = assigned.flatMap(({ unit, candidates: [first] }) =>
    first === undefined ? [] : [{ ...first, said: unit.mention.said }],
  );
  return {
    inexactness: best.reduce((sum, { match }) => sum + tierOf(match), 0),
    taken: [
      ...best.flatMap(({ match, said, entity: { name, externalId } }) =>
        match === "fuzzy" ? [{ said, meant: name ?? externalId }] : [],
      ),
      ...units.flatMap((unit) =>
        unit.kind === "word" && unit.said !== undefined && unit.said.toLowerCase() !== unit.word
          ? [{ said: unit.said, meant: unit.word }]
          : [],
      ),
    ],
    candidates: assigned.flatMap(({ candidates }) =>
      candidates.length > 1 ? candidates.map(({ entity }) => entity) : [],
    ),
  };
}

function withoutOutdone(found: readonly Matched[]): Matched[] {
  return found.filter(({ needs, usesHint, inexactness }) =>
    found.every(
      (other) => !(isMore(other.needs, needs) && other.usesHint === usesHint && other.inexactness === inexactness),
    ),
  );
}

const isMore = (a: ReadonlySet<Concept>, b: ReadonlySet<Concept>): boolean =>
  a.size > b.size && [...b].every((concept) => a.has(concept));
