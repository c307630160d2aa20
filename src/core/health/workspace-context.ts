/**
 * What compares the accounts of a workspace, day by day, put together from one account after the other, in any order:
 * nothing is kept of an account but what it adds.
 */
import { activityOf, viewsOf } from "./activity.ts";
import { attributesReader } from "./attributes.ts";
import { type Outages, WINDOW_DAYS } from "./days.ts";
import { factorStatistics, MIN_EXPECTED } from "./factor.ts";
import { featuresInUse } from "./features.ts";
import { holidaysOf, type Level } from "./holidays.ts";
import { type AccountHistory, type Day, noContext, type WorkspaceContext } from "./model.ts";
import { mrrSteps } from "./mrr-rank.ts";
import { isSenderDoubtful, outagesOf, senderSilence } from "./sender.ts";
import { readStage } from "./stage.ts";
import { firstEventDay, ownTrend } from "./trend.ts";

export { factorFor } from "./factor.ts";
export { LEVEL_DAYS, type Level } from "./holidays.ts";
export { mrrPercentile } from "./mrr-rank.ts";
export { outagesOf, senderSilence } from "./sender.ts";

/** Accounts that it takes to say what is typical. */
const MIN_ACCOUNTS = 10;
const TYPICAL_RANK = 0.75;
const CORE_SHARE = 0.25;
/** Of a few accounts, all that one of them uses is core. The most used tell enough. */
const MAX_CORE_FEATURES = 100;
const DAYS_OF_WEEK = 7;

export interface ContextsBuilding {
  /** Each account with activity or MRR, once. */
  add(history: AccountHistory): void;
  finish(): WorkspaceContext[];
}

/** What has been added to a day so far. */
interface Draft {
  readonly context: WorkspaceContext;
  /** By active days in the window, 0 to 28: accounts. */
  readonly accounts: number[];
  /** By feature: accounts that use it. */
  readonly features: Map<number, number>;
  readonly ratios: number[];
  /** By currency. */
  readonly mrr: Map<string, number[]>;
}

/**
 * Begins the contexts of `days`, ascending.
 *
 * @param workspaceDays days on which any account was active, ascending
 * @param previous the context of the last day before them that has one; its outages and holidays are carried on
 * @param levels what the workspace did on the days to build and on `LEVEL_DAYS` before; without, no holiday is seen
 */
export function buildContexts(
  days: readonly Day[],
  workspaceDays: readonly Day[],
  previous: WorkspaceContext | null,
  levels: ReadonlyMap<Day, Level> = new Map(),
): ContextsBuilding {
  const drafts: Draft[] = [];
  let before = previous;
  for (const day of days) {
    const outages = outagesOf(workspaceDays, day, before);
    const holidays = holidaysOf(levels, day, outages, before);
    const silence = senderSilence(workspaceDays, day, outages);
    const senderDoubtful = isSenderDoubtful(workspaceDays, day, outages);
    before = { ...noContext(day), outages, holidays, silence, senderDoubtful };
    drafts.push({
      context: before,
      accounts: Array.from({ length: WINDOW_DAYS + 1 }, () => 0),
      features: new Map(),
      ratios: [],
      mrr: new Map(),
    });
  }
  return {
    add: (history) => addAccount(drafts, history),
    finish: () => drafts.map(finished),
  };
}

/**
 * The days by which windows may have to look further back to reach past outages. A week that an outage left few business
 * days of is passed over for the one before: that makes a week more of each.
 */
export function reachPast(outages: Outages): number {
  return outages.reduce((sum, [first, last]) => sum + last - first + 1 + DAYS_OF_WEEK, 0);
}

function addAccount(drafts: readonly Draft[], history: AccountHistory): void {
  const all = activityOf(history.days);
  const viewFor = viewsOf(all);
  const attributesOn = attributesReader(history.attributes);
  const usedIn = featuresInUse();
  for (const draft of drafts) {
    const { day } = draft.context;
    // What its users brought before it was first named is of days on which it was not known.
    if (day < history.firstDay) continue;
    const view = viewFor(draft.context);
    const window = view.calendar.window(day, WINDOW_DAYS);
    const activeDays = view.counted.activeDays(window);
    draft.accounts[activeDays] = (draft.accounts[activeDays] ?? 0) + 1;
    for (const feature of usedIn(view.counted, window)) {
      draft.features.set(feature, (draft.features.get(feature) ?? 0) + 1);
    }
    const trend = ownTrend(view, day, firstEventDay(history, all, day));
    if (trend !== null && trend.expected >= MIN_EXPECTED) draft.ratios.push(trend.observed / trend.expected);
    const { mrr = 0, currency = "", stage } = attributesOn(day);
    if (mrr > 0 && readStage(stage).stage !== "churned") {
      const values = draft.mrr.get(currency);
      if (values === undefined) draft.mrr.set(currency, [mrr]);
      else values.push(mrr);
    }
  }
}

function finished({ context, accounts, features, ratios, mrr }: Draft): WorkspaceContext {
  const active = accounts.reduce((sum, count, days) => (days === 0 ? 0 : sum + count), 0);
  const core = [...features]
    .filter(([, count]) => count >= CORE_SHARE * active)
    .toSorted(([one, some], [other, more]) => more - some || one - other)
    .slice(0, MAX_CORE_FEATURES)
    .map(([feature]) => feature);
  return {
    ...context,
    typicalActiveDays: active < MIN_ACCOUNTS ? context.typicalActiveDays : daysAtRank(accounts, TYPICAL_RANK * active),
    coreFeatures: core.toSorted((a, b) => a - b),
    factor: factorStatistics(ratios),
    mrr: Object.fromEntries([...mrr].toSorted(byCurrency).map(([currency, values]) => [currency, mrrSteps(values)])),
  };
}

/** The fewest active days that so many of the active accounts stay within: the nearest-rank percentile. */
function daysAtRank(accounts: readonly number[], rank: number): number {
  let within = 0;
  let days = 0;
  while (within < rank) within += accounts[++days] ?? 0;
  return days;
}

function byCurrency([some]: [string, unknown], [other]: [string, unknown]): number {
  return some < other ? -1 : 1;
}
