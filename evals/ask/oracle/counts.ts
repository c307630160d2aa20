/**
 * What is true, counted anew from the raw list of what happened for every question: no rollup, no state, and none of
 * the service's code.
 */
import { dayOf, type Span } from "../calendar.ts";
import type { Happening, World } from "../world/model.ts";

export interface Selection {
  account?: string;
  user?: string;
  event?: string;
  span?: Span;
}

export function happened(world: World, { account, user, event, span }: Selection): Happening[] {
  return world.happenings.filter(
    (one) =>
      (account === undefined || one.account === account) &&
      (user === undefined || one.user === user) &&
      (event === undefined || one.feature.event === event) &&
      (span === undefined || (dayOf(one.at) >= span.from && dayOf(one.at) <= span.to)),
  );
}

export const events = (world: World, selection: Selection): number => happened(world, selection).length;

export const activeDays = (world: World, selection: Selection): number =>
  new Set(happened(world, selection).map(({ at }) => dayOf(at))).size;

/** Those with an event, in no order that means something. Events without a user count for nobody. */
export const activeUsers = (world: World, selection: Selection): string[] => [
  ...new Set(happened(world, selection).flatMap(({ user }) => (user === null ? [] : [user]))),
];

export const featuresUsed = (world: World, selection: Selection): string[] => [
  ...new Set(happened(world, selection).map(({ feature }) => feature.event)),
];

/** Event names of the workspace that are missing from the selection. */
export function featuresNotUsed(world: World, selection: Selection): string[] {
  const used = new Set(featuresUsed(world, selection));
  return featuresUsed(world, {}).filter((event) => !used.has(event));
}

/** Accounts of the portfolio with an event; an account of one that was left is none. */
export function activeAccounts(world: World, selection: Selection): string[] {
  const known = new Set(world.accounts.map(({ id }) => id));
  return [...new Set(happened(world, selection).map(({ account }) => account))].filter((id) => known.has(id));
}

/** Of the last event; `null` where there is none. */
export const lastAt = (world: World, selection: Selection): number | null =>
  happened(world, selection).at(-1)?.at ?? null;

export const firstAt = (world: World, selection: Selection): number | null =>
  happened(world, selection).at(0)?.at ?? null;
