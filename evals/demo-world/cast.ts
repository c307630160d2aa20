/** Creates ordinary customers and trials, and changes them: the fates are built from these. */
import { NOTHING_HAPPENS } from "../simulator/accounts.ts";
import type { AccountPlan, UserPlan } from "../simulator/model.ts";
import { between, type Random, wholeBetween } from "../simulator/random.ts";
import { type Company, contract, PLANS, trial, type Traits } from "./contract.ts";
import { present, usualRate } from "./people.ts";
import type { FeatureChange } from "./product.ts";

export interface Casting {
  random: Random;
  company: Company;
  /** The day of the demo's first run: the first day after the history. */
  today: number;
  /** Returns user ids that are not taken. */
  names: (count: number) => string[];
}

export interface Cast {
  plan: AccountPlan;
  featureChanges: readonly FeatureChange[];
  /** Whether the account uses only a few features. */
  few: boolean;
}

export const HISTORY_DAYS = 90;

interface Sketch {
  count?: number;
  /** How often each user comes; by default each has a rate of their own. */
  rate?: number;
  seatsEach?: number;
  firstDay?: number;
  /** Whether the account uses only a few features. */
  few?: boolean;
  featureChanges?: readonly FeatureChange[];
}

export function customer(casting: Casting, sketch: Sketch = {}): Cast {
  const { random, company, today, names } = casting;
  const firstDay = sketch.firstDay ?? today - HISTORY_DAYS;
  const count = sketch.count ?? wholeBetween(random, ...PLANS[company.plan].people);
  const rate = () => (sketch.rate === undefined ? usualRate(random) : sketch.rate * between(random, 0.85, 1.15));
  const users = names(count).map((id) => present(random, id, rate(), [firstDay, today]));
  const seats = Math.ceil(count * (sketch.seatsEach ?? between(random, 1.1, 2.8)));
  return {
    featureChanges: sketch.featureChanges ?? [],
    few: sketch.few ?? false,
    plan: {
      id: company.id,
      truth: { ...NOTHING_HAPPENS, firstDay },
      users,
      pattern: "weekdays",
      weekend: between(random, 0.01, 0.06),
      level: [],
      late: 0,
      traits: [{ day: firstDay, traits: contract(random, { company, seats, today }) }],
    },
  };
}

interface TrialSketch extends Sketch {
  firstDay: number;
  endDay: number;
}

export function onTrial(casting: Casting, sketch: TrialSketch): Cast {
  const cast = customer(casting, { ...sketch, seatsEach: 1.3 });
  const { company, random } = casting;
  const { firstDay, endDay } = sketch;
  const users = cast.plan.users.map((user, index) => ({
    ...user,
    away: [],
    joins: index === 0 ? firstDay : firstDay + wholeBetween(random, 0, 3),
  }));
  const traits = [{ day: firstDay, traits: trial(company, Math.ceil(users.length * 1.3), endDay) }];
  return changed(cast, { users, traits });
}

export const converting = ({ random, company, today }: Casting, cast: Cast, day: number): Cast =>
  withTraits(cast, day, contract(random, { company, seats: Math.ceil(cast.plan.users.length * 1.2), today }));

export function lost(cast: Cast, churnDay: number): Cast {
  return changed(withTraits(cast, churnDay, { stage: "churned" }), { truth: { ...cast.plan.truth, churnDay } });
}

export const withTraits = (cast: Cast, day: number, traits: Traits): Cast =>
  changed(cast, { traits: [...cast.plan.traits, { day, traits }] });

export const changed = (cast: Cast, change: Partial<AccountPlan>): Cast => ({
  ...cast,
  plan: { ...cast.plan, ...change },
});

export const withUsers = (cast: Cast, map: (user: UserPlan, index: number) => UserPlan): Cast =>
  changed(cast, { users: cast.plan.users.map(map) });
