/** What all accounts together did in a window, which of them did the most, and which did nothing. */
import { dateOf, inFigures, momentDate } from "../../health/texts.ts";
import type { AskWindow, Facts, Freshness, PortfolioAccount, PortfolioPlan } from "../model.ts";
import { differenceFrom } from "./comparison.ts";
import { factAt, type Finding, type Outcome, reachesBack, rollup, silence } from "./finding.ts";
import { firstOf, type ListedRow, listing, theFirst, withNote } from "./listing.ts";
import { unequalLengths } from "./use-answers.ts";
import { dayOf, disclosed, inWindow, isoDay, isoTime, ranked, several, severalOrNo, spanOf, verb } from "./wording.ts";

type PortfolioFacts = Extract<Facts, { subject: "portfolio" }>;
type TopPlan = Extract<PortfolioPlan, { measure: "top" }>;

/** An account without an event in a window has done nothing in it. */
const eventsIn = ({ events }: PortfolioAccount, window = 0): number => factAt(events, window);

const activeOf = ({ accounts }: PortfolioFacts): PortfolioAccount[] =>
  accounts.filter((account) => eventsIn(account) > 0);

/** `12 accounts were active …`. */
function activeHead(count: number, noun: string, window: AskWindow): string {
  return `${severalOrNo(count, noun)} ${verb(count, "was", "were")} active ${inWindow(window)}`;
}

export function countActive(noun: "account" | "user", facts: PortfolioFacts, window: AskWindow): Finding {
  const value = noun === "account" ? activeOf(facts).length : facts.activeUsers;
  const grounds = [rollup(`active_${noun}s`, value, window)];
  return { says: `${activeHead(value, noun, window)}.`, value, grounds };
}

export function listActive(facts: PortfolioFacts, window: AskWindow): Finding {
  const rows = byEvents(activeOf(facts), window);
  return listing(activeHead(rows.length, "account", window), rows, [rollup("active_accounts", rows.length, window)]);
}

/** Of everybody: where events were looked up by feature, those of accounts that are none any more are among them. */
export function countEvents({ accounts, features }: PortfolioFacts, window: AskWindow): Finding {
  const counts = features.length > 0 ? features.map(({ events }) => events) : accounts.map((row) => eventsIn(row));
  const value = counts.reduce((sum, events) => sum + events, 0);
  return {
    says: `There ${value === 1 ? "was" : "were"} ${several(value, "event")} ${inWindow(window)}.`,
    value,
    grounds: [rollup("events", value, window)],
  };
}

export function mostActive(facts: PortfolioFacts, limit: number, window: AskWindow): Finding {
  const { rows, ...tied } = firstOf(byEvents(activeOf(facts), window), limit, "events");
  const head = `${theFirst(rows.length, "account")} with the most events ${inWindow(window)}`;
  const nobody = `No account was active ${inWindow(window)}`;
  const count = [rollup("accounts", rows.length, window)];
  return withNote(listing(rows.length === 0 ? nobody : head, rows, count, { limit }), tied);
}

/** The most events first. */
function byEvents(accounts: readonly PortfolioAccount[], window: AskWindow): ListedRow[] {
  return ranked(accounts, eventsIn, ({ account }) => account).map((row) => ({
    entity: row.account,
    says: several(eventsIn(row), "event"),
    fields: { events: eventsIn(row) },
    grounds: [rollup("events", eventsIn(row), window)],
  }));
}

/** By how many events more, or fewer, there were than in the window before; where as many, the more events. */
export function mostChanged(
  { accounts }: PortfolioFacts,
  { by, limit, window, before }: Extract<TopPlan, { by: "growth" | "decline" }>,
  freshness: Freshness,
): Outcome {
  if (!reachesBack(before, freshness.firstDay, freshness)) {
    return silence("insufficient_history", `What is known does not reach back to ${isoDay(before.from)}.`);
  }
  const sign = by === "growth" ? 1 : -1;
  const changed = accounts
    .map((row) => ({ entity: row.account, now: eventsIn(row), earlier: eventsIn(row, 1) }))
    .filter(({ now, earlier }) => (now - earlier) * sign > 0);
  const bySize = ranked(
    changed,
    ({ now }) => now,
    ({ entity }) => entity,
  );
  const all = bySize
    .toSorted((a, b) => (b.now - b.earlier - (a.now - a.earlier)) * sign)
    .map(({ entity, now, earlier }): ListedRow => {
      const difference = differenceFrom(earlier, now, "rollup");
      return {
        entity,
        says: `${several(now, "event")} after ${inFigures(earlier)}, ${difference.says}`,
        fields: { events: now, before: earlier, difference: now - earlier },
        grounds: [rollup("events", now, window), rollup("events", earlier, before), ...difference.grounds],
      };
    });
  const { rows, ...tied } = firstOf(all, limit, "difference");
  const windows = `${inWindow(window)}, compared with ${spanOf(before)}`;
  const what = by === "growth" ? "grew" : "declined";
  const head = `${theFirst(rows.length, "account")} whose events ${what} the most ${windows}`;
  const lengths = unequalLengths(window, before);
  const finding = listing(
    rows.length === 0 ? `The events of no account ${what} ${windows}` : head,
    rows,
    [rollup("accounts", rows.length, window), rollup("accounts_compared", accounts.length, before)],
    { limit },
  );
  return withNote(withNote(finding, tied), lengths);
}

export function topFeatures({ features }: PortfolioFacts, limit: number, window: AskWindow): Finding {
  const used = features.filter(({ events }) => events > 0);
  const all = ranked(
    used,
    ({ events }) => events,
    ({ feature }) => feature,
  ).map(({ feature, events, accounts }): ListedRow => ({
    entity: feature,
    says: `${several(events, "event")} of ${several(accounts, "account")}`,
    fields: { events, accounts },
    grounds: [rollup("events", events, window), rollup("accounts", accounts, window)],
  }));
  const { rows, ...tied } = firstOf(all, limit, "events");
  const head = `${theFirst(rows.length, "feature")} with the most events ${inWindow(window)}`;
  const nothing = `No feature was used ${inWindow(window)}`;
  const count = [rollup("features", rows.length, window)];
  return withNote(listing(rows.length === 0 ? nothing : head, rows, count, { limit }), tied);
}

/** Accounts that had events, but none since the first day of the window, the longest silence first. */
export function silentSince({ accounts }: PortfolioFacts, window: AskWindow): Finding {
  const silent = accounts.flatMap(({ account, lastEventAt }) =>
    lastEventAt === null || dayOf(lastEventAt) >= window.from ? [] : [{ entity: account, lastEventAt }],
  );
  const rows = ranked(
    silent,
    ({ lastEventAt }) => -lastEventAt,
    ({ entity }) => entity,
  ).map(({ entity, lastEventAt }): ListedRow => ({
    entity,
    says: `last seen on ${momentDate(lastEventAt)}`,
    fields: { lastSeenAt: isoTime(lastEventAt) },
    grounds: [{ kind: "event", measure: "last_seen", value: isoTime(lastEventAt) }],
  }));
  const since = `since ${dateOf(window.from)}${disclosed(window)}`;
  const head =
    rows.length === 0
      ? `No account that was active before has been silent ${since}`
      : `${several(rows.length, "account")} ${verb(rows.length, "has", "have")} had no event ${since}`;
  return listing(head, rows, [rollup("silent_accounts", rows.length, window)]);
}
