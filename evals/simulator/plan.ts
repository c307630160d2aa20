/** Plans a workspace with known truth: the scenario of each account, and the disturbances of all. */
import { type AccountPlan, type Disturbance, SCENARIOS, type Scenario, type WorkspacePlan } from "./model.ts";
import { randomOf, shuffled, wholeBetween } from "./random.ts";
import { DRAWS } from "./scenarios.ts";

/** Shares of a workspace's accounts. The others, more than half, are steady. */
const SHARES: Readonly<Partial<Record<Scenario, number>>> = {
  late_events: 0.04,
  month_end: 0.03,
  tiny: 0.06,
  growing: 0.05,
  trial_converts: 0.04,
  cliff: 0.08,
  slow_decline: 0.06,
  champion_gone: 0.04,
  trial_dies: 0.04,
};
/** A world with more fates, in which one trial of five converts. */
const MORE_SHARES: typeof SHARES = {
  ...SHARES,
  trial_converts: 0.02,
  trial_dies: 0.04,
  trial_expires: 0.04,
  contraction: 0.04,
  poor_adoption: 0.04,
  sudden_end: 0.04,
  turnover: 0.05,
  feature_abandoned: 0.04,
};

/** Leaves time to learn what is usual before the first disturbance. */
const FIRST_DISTURBANCE_DAY = 84;
/** Leaves time to see the effect of each. */
const AFTER_DISTURBANCE_DAYS = 28;

export interface WorkspaceOptions {
  seed: number;
  /** Number of the workspace, from 0. In turn they have a holiday, an outage, both, and neither. */
  index: number;
  days: number;
  accounts?: number;
  /** True for a world with all scenarios. By default it has those that the bounds were chosen on. */
  hasMoreFates?: boolean;
}

export function planWorkspace({ seed, index, days, accounts, hasMoreFates = false }: WorkspaceOptions): WorkspacePlan {
  const name = `${seed}/${index}`;
  const random = randomOf(`${name}/plan`);
  const count = accounts ?? wholeBetween(random, 40, 80);
  return {
    seed: name,
    days,
    accounts: drawAccounts(name, count, days, hasMoreFates ? MORE_SHARES : SHARES),
    disturbances: drawDisturbances(name, index, days),
  };
}

function drawAccounts(seed: string, count: number, days: number, shares: typeof SHARES): AccountPlan[] {
  const scenarios = SCENARIOS.flatMap((scenario) =>
    Array.from({ length: Math.round(count * (shares[scenario] ?? 0)) }, () => scenario),
  );
  const steady = Array.from({ length: count - scenarios.length }, () => "steady" as const);
  const seen = new Map<Scenario, number>();
  return shuffled(randomOf(`${seed}/scenarios`), [...scenarios, ...steady]).map((scenario, index) => {
    const before = seen.get(scenario) ?? 0;
    seen.set(scenario, before + 1);
    const id = `account-${index + 1}`;
    const plan = DRAWS[scenario]({ random: randomOf(`${seed}/${id}`), id, days, large: before % 2 === 0 });
    return { ...plan, truth: { ...plan.truth, scenario } };
  });
}

function drawDisturbances(seed: string, index: number, days: number): Disturbance[] {
  const random = randomOf(`${seed}/disturbances`);
  const kinds = ([["holiday"], ["outage"], ["outage", "holiday"], []] as const)[index % 4] ?? [];
  const room = Math.floor((days - FIRST_DISTURBANCE_DAY) / Math.max(1, kinds.length));
  return kinds.map((kind, slot) => {
    const from = FIRST_DISTURBANCE_DAY + slot * room;
    const day = wholeBetween(random, from, Math.max(from, from + room - AFTER_DISTURBANCE_DAYS - 14));
    return { kind, days: kind === "holiday" ? week(day) : outage(day, wholeBetween(random, 4, 7)) };
  });
}

/** From the Monday of the week. */
const week = (day: number) => [day - (day % 7), day - (day % 7) + 6] as const;

/** Returns the given number of working days, with the weekends between them. */
function outage(day: number, workingDays: number): readonly [number, number] {
  const first = day % 7 < 5 ? day : day + 7 - (day % 7);
  let last = first;
  for (let left = workingDays - 1; left > 0;) {
    last += 1;
    if (last % 7 < 5) left -= 1;
  }
  return [first, last];
}
