/** What is true of all accounts together, from the raw list too. */
import { dayOf, type Span, spanBefore } from "../calendar.ts";
import type { Account, World } from "../world/model.ts";
import { activeAccounts, events, firstAt, happened } from "./counts.ts";

export interface Ranked {
  id: string;
  value: number;
}

/** Ties by more events, then by the id. */
export function topByChange(world: World, span: Span, direction: "growth" | "decline"): Ranked[] {
  const sign = direction === "growth" ? 1 : -1;
  return world.accounts
    .map(({ id }) => {
      const now = events(world, { account: id, span });
      return { id, events: now, value: now - events(world, { account: id, span: spanBefore(span) }) };
    })
    .filter(({ value }) => value * sign > 0)
    .toSorted((a, b) => sign * (b.value - a.value) || b.events - a.events || byCode(a.id, b.id))
    .map(({ id, value }) => ({ id, value }));
}

export const topByActivity = (world: World, span: Span): Ranked[] =>
  ranked(world.accounts.map(({ id }) => ({ id, value: events(world, { account: id, span }) })));

export const topByAttribute = (world: World, name: "mrr" | "seats"): Ranked[] =>
  ranked(
    world.accounts.flatMap(({ id, attributes }) =>
      attributes[name] === undefined ? [] : [{ id, value: attributes[name] }],
    ),
  );

export const topFeatures = (world: World, span: Span): Ranked[] =>
  ranked(world.features.map(({ event }) => ({ id: event, value: events(world, { event, span }) })));

const ranked = (values: readonly Ranked[]): Ranked[] =>
  values.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value || byCode(a.id, b.id));

const byCode = (one: string, other: string): number => (one < other ? -1 : 1);

/** With an event ever, and none since. */
export function silentSince(world: World, day: number): string[] {
  const since = new Set(happened(world, { span: { from: day, to: dayOf(world.now) } }).map(({ account }) => account));
  return activeAccounts(world, {}).filter((id) => !since.has(id));
}

/** Used it in the span before, and not in this one. */
export function stoppedUsing(world: World, event: string, span: Span): string[] {
  const still = new Set(activeAccounts(world, { event, span }));
  return activeAccounts(world, { event, span: spanBefore(span) }).filter((id) => !still.has(id));
}

/** A company is known from the message that named it on, a solo account from its first event on. */
export function knownSince(world: World, { id, isSolo, firstAt: named }: Account): number {
  return isSolo ? (firstAt(world, { account: id }) ?? named) : named;
}

export const newAccounts = (world: World, span: Span): string[] =>
  world.accounts.filter((account) => within(dayOf(knownSince(world, account)), span)).map(({ id }) => id);

export const trialsEnding = (world: World, span: Span): string[] =>
  world.accounts
    .filter(
      ({ attributes: { stage, trialEndsAt } }) =>
        stage === "trial" && trialEndsAt !== undefined && within(dayOf(trialEndsAt), span),
    )
    .map(({ id }) => id);

const within = (day: number, { from, to }: Span): boolean => day >= from && day <= to;

export function mrrByCurrency(world: World): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const {
    attributes: { mrr, currency },
  } of world.accounts) {
    if (mrr === undefined || currency === undefined) continue;
    sums[currency] = (sums[currency] ?? 0) + mrr;
  }
  return sums;
}
