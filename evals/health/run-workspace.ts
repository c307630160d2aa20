/**
 * Runs a simulated workspace day by day: stores what arrives, then recomputes as after midnight.
 *
 * Before each disturbance it copies the database, and runs the copy through the same days without the disturbance. The
 * difference shows what the disturbance alone did.
 */
import type { ObservedAccount, ObservedDisturbance, ObservedShuffle, ObservedWorkspace, SeenItem } from "./observed.ts";
import { activityOf } from "../simulator/activity.ts";
import { disturbed, within } from "../simulator/disturbances.ts";
import type { AccountPlan, Disturbance, SimulatedEvent, WorkspacePlan } from "../simulator/model.ts";
import { randomOf, shuffled } from "../simulator/random.ts";
import { copyOf, feed, openService, recomputeAfter, type Service } from "./service.ts";
import { ItemLog, readConclusions, readFactors, readHealth } from "./read-outcomes.ts";

/** A disturbance stays this long within the last four weeks, which the scores look at. */
const AFTERMATH_DAYS = 28;

export async function runWorkspace(plan: WorkspacePlan): Promise<ObservedWorkspace> {
  const events = eventsOf(plan);
  const arrivals = byArrival(events);
  const service = await openService();
  const watch = new ItemLog(service);
  const without = new Map<Disturbance, SeenItem[]>();
  for (let day = 0; day < plan.days; day += 1) {
    for (const disturbance of plan.disturbances) {
      if (disturbance.days[0] === day) without.set(disturbance, await runWithout(service, watch, plan, disturbance));
    }
    await runDay(service, arrivals, day);
    await watch.read(day);
  }
  const before = await readConclusions(service);
  await recomputeAfter(service, plan.days - 1);
  const rerunSame = differing(before, await readConclusions(service)).length === 0;
  const health = await readHealth(service);
  const factors = await readFactors(service, plan.days);
  service.database.close();

  const items = Map.groupBy(watch.seen, ({ account }) => account);
  const userDays = countUserDays(events, plan.days);
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

/** Runs the workspace twice, the second time with the arrivals of each day in another order. */
export async function runShuffled(plan: WorkspacePlan): Promise<ObservedShuffle> {
  const arrivals = byArrival(eventsOf(plan));
  const random = randomOf(`${plan.seed}/shuffle`);
  const reordered = new Map([...arrivals].map(([day, ofDay]) => [day, shuffled(random, ofDay)]));
  const [one, other] = [await conclusionsOf(plan, arrivals), await conclusionsOf(plan, reordered)];
  return { accounts: plan.accounts.length, days: plan.days, differing: differing(one, other) };
}

async function conclusionsOf(plan: WorkspacePlan, arrivals: Arrivals): Promise<Map<string, string>> {
  const service = await openService();
  for (let day = 0; day < plan.days; day += 1) await runDay(service, arrivals, day);
  const conclusions = await readConclusions(service);
  service.database.close();
  return conclusions;
}

/** Returns all events of the workspace. @param without leaves out this disturbance */
function eventsOf(plan: WorkspacePlan, without?: Disturbance): SimulatedEvent[] {
  const undisturbed = plan.accounts.flatMap((account) => activityOf(account, plan.seed, plan.days));
  return plan.disturbances
    .filter((disturbance) => disturbance !== without)
    .reduce((events, disturbance) => disturbed(events, disturbance, plan.seed), undisturbed);
}

type Arrivals = ReadonlyMap<number, readonly SimulatedEvent[]>;

/** Groups events by day of arrival, in order of arrival. */
const byArrival = (events: readonly SimulatedEvent[]): Arrivals =>
  Map.groupBy(
    events.toSorted((one, other) => one.arrivesAt - other.arrivesAt),
    ({ arrivalDay }) => arrivalDay,
  );

async function runDay(service: Service, arrivals: Arrivals, day: number): Promise<void> {
  await feed(service, arrivals.get(day) ?? []);
  await recomputeAfter(service, day);
}

/** Runs a copy through the days of a disturbance without it. @returns the items so far and those of the copy */
async function runWithout(
  original: Service,
  seen: ItemLog,
  plan: WorkspacePlan,
  disturbance: Disturbance,
): Promise<SeenItem[]> {
  const arrivals = byArrival(eventsOf(plan, disturbance));
  const service = copyOf(original);
  const watch = seen.copyFor(service);
  const [first, last] = disturbance.days;
  for (let day = first; day <= Math.min(last + AFTERMATH_DAYS, plan.days - 1); day += 1) {
    await runDay(service, arrivals, day);
    await watch.read(day);
  }
  service.database.close();
  return watch.seen;
}

/** Returns the accounts whose outcomes differ. */
function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
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
  const aboutThem = (items: readonly SeenItem[]) =>
    items.filter(({ account, seenDay }) => known.has(account) && within(seenDay, aftermath));
  return { ...disturbance, accounts, items: aboutThem(seen), itemsWithout: aboutThem(seenWithout) };
}

const isSteadyThrough = ({ truth }: AccountPlan, [first, last]: readonly [number, number]): boolean =>
  truth.firstDay < first && (truth.declineDay === null || truth.declineDay > last);

function countUserDays(events: readonly SimulatedEvent[], days: number): Map<string, number[]> {
  const seen = new Set<string>();
  const counts = new Map<string, number[]>();
  for (const { account, user, event, day } of events) {
    const userDay = `${user}/${day}`;
    if (event === null || seen.has(userDay)) continue;
    seen.add(userDay);
    const known = counts.get(account) ?? Array.from({ length: days }, () => 0);
    counts.set(account, known);
    known[day] = (known[day] ?? 0) + 1;
  }
  return counts;
}
