/**
 * Whether a figure of the evidence is so. Evidence does not say which of the things an answer is about it belongs to,
 * so a figure is so where it is so of any of them; that rows and figures belong together is for the truth of the value.
 */
import { dayOf, type Span } from "../calendar.ts";
import type { World } from "../world/model.ts";
import { activeAccounts, activeDays, activeUsers, events, featuresUsed, lastAt, type Selection } from "./counts.ts";

type Count = (world: World, selection: Selection) => number;

const COUNTS: Readonly<Record<string, Count>> = {
  events,
  active_days: activeDays,
  active_users: (world, selection) => activeUsers(world, selection).length,
  users: (world, selection) => activeUsers(world, selection).length,
  features: (world, selection) => featuresUsed(world, selection).length,
  known_features: (world) => featuresUsed(world, {}).length,
  active_accounts: (world, selection) => activeAccounts(world, selection).length,
  accounts: (world, selection) => activeAccounts(world, selection).length,
  last_seen: (world, selection) => dayOf(lastAt(world, selection) ?? 0),
};

const counted = new WeakMap<World, Map<string, number>>();

/** The same is asked in many words. */
function countOf(world: World, measure: string, count: Count, selection: Selection): number {
  const known = counted.get(world) ?? new Map<string, number>();
  counted.set(world, known);
  const key = JSON.stringify([measure, selection]);
  const value = known.get(key) ?? count(world, selection);
  known.set(key, value);
  return value;
}

/**
 * @param about what the answer is about, and each of the things that it lists
 * @returns `null` where that measure is not counted here
 */
export function isSoOfAny(
  world: World,
  { measure, value, span }: { measure: string; value: number; span: Span | null },
  about: readonly Selection[],
): boolean | null {
  const count = COUNTS[measure];
  if (count === undefined || (span === null && measure !== "last_seen")) return null;
  return about.some((one) => countOf(world, measure, count, span === null ? one : { ...one, span }) === value);
}

/** Whether an account, of those named, has that. */
export function isAttributeOfAny(world: World, name: "seats" | "mrr", value: number, ids: readonly string[]): boolean {
  return world.accounts.some(({ id, attributes }) => ids.includes(id) && attributes[name] === value);
}
