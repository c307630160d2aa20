/** Runs the steps after folding: summarizes due accounts' days, compares all accounts, and scores the due ones. */
import { DAY_MS } from "../../core/durations.ts";
import type { Day, WorkspaceContext } from "../../core/health/model.ts";
import { extraReachDays, LEVEL_DAYS, outagesOf } from "../../core/health/days-off.ts";
import { addAccount, finishContexts, dropLastDays, startContexts } from "../../core/health/workspace-context.ts";
import { advanceWorkspaceItems } from "../../core/inbox/advance-day.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import { healthNews, itemNews } from "../../core/notify/news.ts";
import { itemChanges, itemKey, itemsBefore, replay } from "../../core/outcome/replay.ts";
import { summarizeDays } from "../../db/recompute/account-days-sql.ts";
import {
  NO_ACCOUNT,
  readComparedAccounts,
  readContextBasis,
  saveComparison,
  writeContexts,
} from "../../db/recompute/contexts-sql.ts";
import { type DueAccount, readDueAccounts, SCORED_DAYS } from "../../db/recompute/due-accounts-sql.ts";
import { type AccountOutcome, writeOutcomes } from "../../db/recompute/outcomes-sql.ts";
import type { RunState } from "./run-state.ts";

/** Days that show the sender's normal gap between events, and its outages. */
const SENDER_DAYS = 400;
/** How far back a comparison looks, plus days of outages. */
const COMPARED_DAYS = 70;
const FEATURE_DAYS = 28;

/** Summarizes the complete days of due accounts. @returns false when the run must stop early */
export async function summarizeAccountDays(run: RunState): Promise<boolean> {
  const { session, workspace, now, today, sizes } = run;
  const step = { now, lastDay: today - 1, limit: sizes.summarized, maxRollups: sizes.rollups };
  for (let done: string | null = ""; done !== null;) {
    if (run.isOver()) return false;
    const next: string | null = await summarizeDays(session, workspace, step);
    // A run that lost its lease writes nothing, and would find the same days forever.
    if (next === done) return false;
    done = next;
  }
  return true;
}

/**
 * Compares the workspace's accounts: computes a context for every complete day without one, and from the contexts the
 * items about the workspace as a whole. A large workspace's days take several comparisons.
 * @returns the days of outages that windows must reach past; `null` when the run must stop early
 */
export async function compareAccounts(run: RunState): Promise<number | null> {
  for (;;) {
    if (run.isOver()) return null;
    const compared = await compareDays(run);
    if (compared === null || compared.through >= run.today - 1) return compared?.reach ?? null;
  }
}

/** Compares the first days without a context, as many as a comparison may hold. @returns `null` when the run must stop early */
async function compareDays(run: RunState): Promise<{ through: number; reach: number } | null> {
  const { session, workspace, sizes } = run;
  const lastDay = run.today - 1;
  const { activeDays, levels, previous, items, unfinished } = await readContextBasis(session, workspace, {
    since: lastDay - SENDER_DAYS,
    levelsSince: lastDay - SCORED_DAYS - LEVEL_DAYS,
    lastDay,
  });
  const reach = extraReachDays(outagesOf(activeDays, lastDay, previous));
  const [firstActive] = activeDays;
  const begin = previous === null ? firstActive : previous.day + 1;
  if (begin === undefined || begin > lastDay) return { through: lastDay, reach };

  const from = Math.max(begin, lastDay - SCORED_DAYS + 1);
  const days = Array.from({ length: lastDay - from + 1 }, (_, index) => from + index);
  const sums = unfinished?.sums ?? startContexts(days, activeDays, previous, levels);
  const first = sums[0]?.context.day ?? from;
  for (let after: number | null = unfinished?.after ?? NO_ACCOUNT; after !== null;) {
    const page = await readComparedAccounts(session, workspace, {
      after,
      limit: sizes.compared,
      maxBytes: sizes.bytes,
      since: first - COMPARED_DAYS - reach,
      featuresSince: first - FEATURE_DAYS - reach,
      lastDay: sums.at(-1)?.context.day ?? lastDay,
    });
    for (const history of page.histories) addAccount(sums, history);
    dropLastDays(sums, sizes.sums);
    after = page.next;
    if (after !== null && run.isOver()) {
      await saveComparison(session, workspace, { after, sums });
      return null;
    }
  }
  const contexts = finishContexts(sums);
  const through = contexts.at(-1)?.day ?? lastDay;
  const tracked = contexts.reduce(
    (current, context) => advanceWorkspaceItems(current, context, context.day),
    itemsBefore(items, first),
  );
  const changed = itemChanges(items, tracked, through);
  const news = itemNews(items, changed, lastDay);
  await writeContexts(session, workspace, contexts, { account: NO_ACCOUNT, items: changed, news }, run.now);
  countItems(run, items, changed);
  return { through, reach };
}

/**
 * Scores the workspace's due accounts.
 * @param outageDays days of the sender's outages, which windows reach past
 * @returns false when the run must stop before all are scored
 */
export async function scoreDue(run: RunState, outageDays: number): Promise<boolean> {
  const { session, workspace, now, today } = run;
  const { scored: limit, bytes: maxBytes } = run.sizes;
  const lastDay = today - 1;
  const dueAt = (today + 1) * DAY_MS;
  for (let isMore = true; isMore;) {
    if (run.isOver()) return false;
    const due = await readDueAccounts(session, workspace, { now, lastDay, limit, outageDays, maxBytes });
    const outcomes = Array.from(due.accounts, (account) => ({
      ...scoreAccount(account, lastDay, due.contexts),
      stored: account.items,
    }));
    if (outcomes.length === 0) return true;
    // A run that lost its lease, or whose workspace is being erased, writes nothing and stops here.
    if (!(await writeOutcomes(session, workspace, outcomes, { scoredThrough: lastDay, dueAt, now }))) return true;
    run.figures.accountsScored += outcomes.length;
    for (const { stored, items } of outcomes) countItems(run, stored, items);
    isMore = due.more;
  }
  return true;
}

function scoreAccount(due: DueAccount, lastDay: Day, contexts: ReadonlyMap<Day, WorkspaceContext>): AccountOutcome {
  const { account, superseded, items } = due;
  const outcome = superseded
    ? { days: [], health: null, items: closed(items, lastDay) }
    : replay(due, lastDay, contexts);
  const changed = itemChanges(items, outcome.items, lastDay);
  const news = [...itemNews(items, changed, lastDay), ...healthNews(due.days, outcome.days, lastDay)];
  return { account, superseded, ...outcome, items: changed, news };
}

const closed = (items: readonly InboxItem[], day: Day): InboxItem[] =>
  items.map((item) => (item.resolvedDay === null ? { ...item, resolvedDay: day, resolution: "changed" } : item));

function countItems(run: RunState, stored: readonly InboxItem[], changed: readonly InboxItem[]): void {
  const before = new Map(stored.map((item) => [itemKey(item), item]));
  for (const item of changed) {
    const old = before.get(itemKey(item));
    const wasThere = old !== undefined && old.resolution !== "withdrawn";
    if (!wasThere) run.figures.itemsOpened += 1;
    if (item.resolvedDay !== null && (!wasThere || old.resolvedDay === null)) run.figures.itemsResolved += 1;
  }
}
