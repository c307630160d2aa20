/** What a question means, of all that its readings may mean: one thing, or nothing that could be told. */
import type { Entity, Hints, Plan, Refusal, Understood } from "./model.ts";
import { isSame } from "./naming/candidates.ts";
import { distinctPlans, type Matched, matchesOf } from "./reading/match.ts";
import type { Reading } from "./reading/units.ts";
import { outsideOf } from "./refusal/outside-window.ts";
import { subjectOfPlan } from "./plan-subject.ts";
import { understoodAs } from "./telling/interpret.ts";
import type { Clock } from "./time/time-context.ts";

/** What all readings that mean something mean; `null` where none does. */
export function decide(readings: readonly Reading[], hints: Hints, clock: Clock): Understood | null {
  const matches = likeliest(readings.flatMap(({ units }) => leastInexact(matchesOf(units, hints, clock))));
  const [first] = matches;
  if (first === undefined) return null;
  const isOne = distinctPlans(matches).size === 1;
  const candidates = distinctEntities([
    ...matches.flatMap((match) => match.candidates),
    ...(isOne ? [] : matches.flatMap(({ plan }) => subjectOfPlan(plan) ?? [])),
  ]);
  if (first.candidates.length > 0 || (!isOne && candidates.length > 1)) return ambiguous(candidates);
  if (!isOne || isTorn(first, readings)) return { ok: false, refusal: unclear() };
  const outside = outsideOf(first, clock);
  return outside === null ? understoodAs(first) : { ok: false, refusal: outside };
}

function leastInexact(matches: readonly Matched[]): Matched[] {
  const least = Math.min(...matches.map(({ inexactness }) => inexactness));
  return matches.filter(({ inexactness }) => inexactness === least);
}

/** A hint is given to be used, and a plan's own name is hardly said by chance. */
function likeliest(matches: readonly Matched[]): readonly Matched[] {
  const hinted = matches.filter(({ usesHint }) => usesHint);
  const likelier = hinted.length > 0 ? hinted : matches;
  const onPlans = likelier.filter(({ namesPlan }) => namesPlan);
  return onPlans.length > 0 ? onPlans : likelier;
}

const MOVES: ReadonlySet<Plan["measure"]> = new Set(["trend", "compare_windows", "compare_accounts"]);

/** "Did nimbus health drop": which way the health of Nimbus goes, or what Nimbus Health does. Capitals would tell. */
const isTorn = ({ plan }: Matched, readings: readonly Reading[]): boolean =>
  MOVES.has(plan.measure) &&
  readings.some(({ mentions }) =>
    mentions.some(({ shorter, said }) => shorter !== undefined && said === said.toLowerCase()),
  );

const distinctEntities = (entities: readonly Entity[]): Entity[] =>
  entities.filter((entity, at) => entities.findIndex((other) => isSame(other, entity)) === at);

/** More of them help nobody to say which is meant. */
const MOST_CANDIDATES = 10;

function ambiguous(candidates: readonly Entity[]): Understood {
  const detail = "The question may mean more than one of those that are known.";
  return {
    ok: false,
    refusal: { reason: "ambiguous_subject", detail, candidates: candidates.slice(0, MOST_CANDIDATES) },
  };
}

const unclear = (): Refusal => ({
  reason: "unresolved_words",
  detail: "The question can be understood in more than one way.",
});
