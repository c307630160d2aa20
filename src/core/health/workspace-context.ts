/**
 * Builds the contexts of a workspace's days from its accounts, one after the other in any order. It keeps only the counts
 * and values that a context needs, never a whole account.
 */
import { activityOf, activityViews } from "./activity.ts";
import { attributesReader, readStage } from "./attributes.ts";
import { WINDOW_DAYS } from "./business-days.ts";
import { holidaysOf, isSenderDoubtful, type ActivityLevel, outagesOf, senderSilence } from "./days-off.ts";
import { factorStatistics, MIN_EXPECTED_USER_DAYS, mrrSteps } from "./workspace-statistics.ts";
import { type AccountHistory, type Day, noContext, type WorkspaceContext } from "./model.ts";
import { firstEventDay, rawTrend } from "./trend.ts";

/** With fewer active accounts, no number of active days is typical. */
const MIN_ACCOUNTS = 10;
const TYPICAL_RANK = 0.75;
const CORE_SHARE = 0.25;
/** With few accounts, every feature that one of them uses is a core feature. The most used ones are enough. */
const MAX_CORE_FEATURES = 100;

/** The totals of the accounts added so far, on one day. */
interface DaySums {
  readonly context: WorkspaceContext;
  /** The number of accounts by active days in the window, 0 to 28. */
  readonly accounts: number[];
  /** The number of accounts by feature. */
  readonly features: Record<string, number>;
  readonly ratios: number[];
  /** By currency. */
  readonly mrr: Record<string, number[]>;
}

/** What a comparison has added up, by day, ascending. It can be stored as JSON. */
export type ContextSums = DaySums[];

/**
 * Starts the sums of `days`, ascending.
 *
 * @param workspaceDays days on which any account was active, ascending
 * @param previous the latest earlier context; its outages and holidays stay
 * @param levels the activity of the workspace on `days` and the `LEVEL_DAYS` before; without it no holiday is detected
 */
export function startContexts(
  days: readonly Day[],
  workspaceDays: readonly Day[],
  previous: WorkspaceContext | null,
  levels: ReadonlyMap<Day, ActivityLevel> = new Map(),
): ContextSums {
  const drafts: ContextSums = [];
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
      features: {},
      ratios: [],
      mrr: {},
    });
  }
  return drafts;
}

/** Drops the last days, except the first day, until at most `count` numbers are left. A later comparison adds them. */
export function dropLastDays(drafts: ContextSums, count: number): void {
  let size = drafts.reduce((total, draft) => total + sizeOf(draft), 0);
  while (size > count && drafts.length > 1) size -= sizeOf(drafts.pop());
}

const sizeOf = (draft: DaySums | undefined): number =>
  draft === undefined
    ? 0
    : draft.ratios.length + Object.values(draft.mrr).flat().length + Object.keys(draft.features).length;

/** Adds an account. Call it once for each account with activity or MRR. */
export function addAccount(drafts: ContextSums, history: AccountHistory): void {
  const all = activityOf(history.days);
  const viewFor = activityViews(all);
  const attributesOn = attributesReader(history.attributes);
  for (const draft of drafts) {
    const { day } = draft.context;
    // Its users' events from before they joined may be older than the account.
    if (day < history.firstDay) continue;
    const view = viewFor(draft.context);
    const window = view.calendar.window(day, WINDOW_DAYS);
    const activeDays = view.counted.activeDays(window);
    draft.accounts[activeDays] = (draft.accounts[activeDays] ?? 0) + 1;
    for (const feature of new Set(view.counted.during(window).flatMap(({ features }) => [...features.keys()]))) {
      draft.features[feature] = (draft.features[feature] ?? 0) + 1;
    }
    const trend = rawTrend(view, day, firstEventDay(history, all, day));
    if (trend !== null && trend.expected >= MIN_EXPECTED_USER_DAYS) draft.ratios.push(trend.observed / trend.expected);
    const { mrr = 0, currency = "", stage } = attributesOn(day);
    if (mrr > 0 && readStage(stage).stage !== "churned") (draft.mrr[currency] ??= []).push(mrr);
  }
}

export const finishContexts = (drafts: ContextSums): WorkspaceContext[] => drafts.map(contextOf);

function contextOf({ context, accounts, features, ratios, mrr }: DaySums): WorkspaceContext {
  const active = accounts.reduce((sum, count, days) => (days === 0 ? 0 : sum + count), 0);
  const core = Object.entries(features)
    .map(([feature, count]) => [Number(feature), count] as const)
    .filter(([, count]) => count >= CORE_SHARE * active)
    .toSorted(([one, some], [other, more]) => more - some || one - other)
    .slice(0, MAX_CORE_FEATURES)
    .map(([feature]) => feature);
  return {
    ...context,
    typicalActiveDays: active < MIN_ACCOUNTS ? context.typicalActiveDays : daysAtRank(accounts, TYPICAL_RANK * active),
    coreFeatures: core.toSorted((a, b) => a - b),
    factor: factorStatistics(ratios),
    mrr: Object.fromEntries(
      Object.entries(mrr)
        .toSorted(byCurrency)
        .map(([currency, values]) => [currency, mrrSteps(values)]),
    ),
  };
}

function daysAtRank(accounts: readonly number[], rank: number): number {
  let within = 0;
  let days = 0;
  while (within < rank) within += accounts[++days] ?? 0;
  return days;
}

function byCurrency([some]: [string, unknown], [other]: [string, unknown]): number {
  return some < other ? -1 : 1;
}
