/** The question nearest to one that means nothing: what it would ask with a few of its words left out. */
import type { Hints } from "../model.ts";
import type { Question } from "../question/tokens.ts";
import { distinctPlans, matchesOf } from "../reading/match.ts";
import type { Unit } from "../reading/units.ts";
import { restate } from "../telling/restate.ts";
import type { Clock } from "../time/time-context.ts";
import { outsideOf } from "./outside-window.ts";

/** A question without one of these asks for something else, or for the contrary. */
const TURNING: ReadonlySet<string> = new Set(
  "not never no none neither nor without except excluding exclude besides unused least fewest lowest bottom smallest worst less fewer before after until dont doesnt didnt isnt arent havent hasnt wasnt lose lost rarely seldom hardly barely scarcely nothing anything apart likely unlikely unsubscribed inactive".split(
    " ",
  ),
);

interface Near {
  said: { nearestAnswerable?: string };
  /** The tokens that had to go for it. */
  dropped: readonly number[];
}

const MOST_DROPPED = 3;
const NOTHING_NEAR: Near = { said: {}, dropped: [] };

/** A question that is answerable once a few words are left out, if there is only one such. */
export function nearestTo({ tokens }: Question, units: readonly Unit[], hints: Hints, clock: Clock): Near {
  const isTurned = (at: number) => TURNING.has(tokens[at]?.folded ?? "");
  let turned: Near = NOTHING_NEAR;
  for (let most = 1; most <= MOST_DROPPED; most += 1) {
    const all = matchesOf(units, hints, clock, most).filter(({ candidates }) => candidates.length === 0);
    const matches = all.filter(({ dropped }) => !dropped.some(isTurned));
    const [first] = matches;
    const [contrary] = all;
    if (turned === NOTHING_NEAR && contrary !== undefined) turned = { said: {}, dropped: contrary.dropped };
    if (first === undefined) continue;
    if (outsideOf(first, clock) !== null) continue;
    const isOne = distinctPlans(matches).size === 1;
    return isOne ? { said: { nearestAnswerable: restate(first.plan) }, dropped: first.dropped } : NOTHING_NEAR;
  }
  return turned;
}
