/**
 * Lives through a simulated workspace day by day: what arrives is fed, then the recompute runs as after midnight.
 *
 * Before each disturbance the database is copied, and the copy lives through the same days without it: the difference
 * is what the disturbance alone did, and not what chance would have done anyway.
 */
import type { ObservedAccount, ObservedDisturbance, ObservedWorkspace, SeenItem } from "../observed.ts";
import { activityOf } from "../../simulator/activity.ts";
import { disturbed, within } from "../../simulator/disturbances.ts";
import type { AccountPlan, Disturbance, Happening, WorkspacePlan } from "../../simulator/model.ts";
import { copyOf, feed, openService, recomputeAfter, type Service } from "./feed.ts";
import { ItemWatch, readConclusions, readFactors, readHealth } from "./outcomes.ts";

/** For so long after a disturbance it is within the last four weeks, which accounts are judged by. */
const AFTERMATH_DAYS = 28;

export async function runWorkspace(plan: WorkspacePlan): Promise<ObservedWorkspace> {
  const happenings = happeningsOf(plan);
  const arrivals = byArrival(happenings);
  const service = await openService();
  const watch = await ItemWatch.from(service);
  const without = new Map<Disturbance, SeenItem[]>();
  for (let day = 0; day < plan.days; day += 1) {
    for (const disturbance of plan.disturbances) {
      if (disturbance.days[0] === day) without.set(disturbance, await liveWithout(copyOf(service), plan, disturbance));
    }
    await live(service, arrivals, day);
    await watch.look(day);
  }
  const before = await readConclusions(service);
  await recomputeAfter(service, plan.days - 1);
  const rerunSame = differing(before, await readConclusions(service)).length === 0;
  await watch.lookBack();
  const health = await readHealth(service);
  const factors = await readFactors(service, plan.days);
  service.database.close();

  const items = Map.groupBy(watch.seen, ({ account }) => account);
  const userDays = countUserDays(happenings, plan.days);
  return {
    seed: plan.seed,
    days: plan.days,
    rerunSame,
    factors,
    items: items.get(null) ?? [],
    accounts: plan.accounts.map(({ id, truth }): ObservedAccount => ({
      id,
      truth,
      userDays: userDays.get(id) ?? Array.from({ length: plan.days }, () => 0),
      items: items.get(id) ?? [],
      health: health.get(id) ?? [],
    })),
    disturbances: plan.disturbances.map((disturbance) =>
      observedDisturbance(plan, disturbance, watch.seen, without.get(disturbance) ?? []),
    ),
  };
}

/** All that happens in the workspace, but for one disturbance where it is given. */
export function happeningsOf(plan: WorkspacePlan, without?: Disturbance): Happening[] {
  const undisturbed = plan.accounts.flatMap((account) => activityOf(account, plan.seed, plan.days));
  return plan.disturbances
    .filter((disturbance) => disturbance !== without)
    .reduce((happenings, disturbance) => disturbed(happenings, disturbance, plan.seed), undisturbed);
}

export type Arrivals = ReadonlyMap<number, readonly Happening[]>;

/** By day of arrival, in the order of it. */
export const byArrival = (happenings: readonly Happening[]): Arrivals =>
  Map.groupBy(
    happenings.toSorted((one, other) => one.arrivesAt - other.arrivesAt),
    ({ arrivalDay }) => arrivalDay,
  );

export async function live(service: Service, arrivals: Arrivals, day: number): Promise<void> {
  await feed(service, arrivals.get(day) ?? []);
  await recomputeAfter(service, day);
}

async function liveWithout(service: Service, plan: WorkspacePlan, disturbance: Disturbance): Promise<SeenItem[]> {
  const arrivals = byArrival(happeningsOf(plan, disturbance));
  const watch = await ItemWatch.from(service);
  const [first, last] = disturbance.days;
  for (let day = first; day <= Math.min(last + AFTERMATH_DAYS, plan.days - 1); day += 1) {
    await live(service, arrivals, day);
    await watch.look(day);
  }
  service.database.close();
  return watch.seen;
}

/** Whose conclusions are not the same. */
export function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const accounts = new Set([...one.keys(), ...other.keys()]);
  return [...accounts].filter((account) => one.get(account) !== other.get(account));
}

function observedDisturbance(
  plan: WorkspacePlan,
  disturbance: Disturbance,
  seen: readonly SeenItem[],
  seenWithout: readonly SeenItem[],
): ObservedDisturbance {
  const [first, last] = disturbance.days;
  const aftermath = [first, last + AFTERMATH_DAYS] as const;
  const accounts = plan.accounts.filter((account) => isSteadyThrough(account, aftermath)).map(({ id }) => id);
  const known = new Set<string | null>(accounts);
  const ofThose = (items: readonly SeenItem[]) =>
    items.filter(({ account, seenDay }) => known.has(account) && within(seenDay, aftermath));
  return { ...disturbance, accounts, items: ofThose(seen), itemsWithout: ofThose(seenWithout) };
}

const isSteadyThrough = ({ truth }: AccountPlan, [first, last]: readonly [number, number]): boolean =>
  truth.firstDay < first && (truth.declineDay === null || truth.declineDay > last);

function countUserDays(happenings: readonly Happening[], days: number): Map<string, number[]> {
  const seen = new Set<string>();
  const counts = new Map<string, number[]>();
  for (const { account, user, event, day } of happenings) {
    const userDay = `${user}/${day}`;
    if (event === null || seen.has(userDay)) continue;
    seen.add(userDay);
    const known = counts.get(account) ?? Array.from({ length: days }, () => 0);
    counts.set(account, known);
    known[day] = (known[day] ?? 0) + 1;
  }
  return counts;
}
