import { extendTimeline } from "../../core/health/attributes.ts";
import type { AttributeChange } from "../../core/health/model.ts";
import { LEVEL_DAYS } from "../../core/health/holidays.ts";
import { outagesOf } from "../../core/health/outages.ts";
import { contextBuilder, extraReachDays } from "../../core/health/workspace-context.ts";
import { stepTracking } from "../../core/inbox/advance-day.ts";
import { itemChanges, itemsBefore } from "../../core/outcome/replay.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import {
  type DuePosition,
  FIRST_DUE,
  listPendingAccountDays,
  writeAccountDays,
} from "../../db/recompute/account-days-sql.ts";
import { NO_ACCOUNT, readComparedAccounts, readContextBasis, writeContexts } from "../../db/recompute/contexts-sql.ts";
import { HISTORY_DAYS } from "../../db/recompute/due-accounts-sql.ts";
import { countItems, type Run } from "./model.ts";

/** Days that show the sender's normal gap between events, and its outages. */
const SENDER_DAYS = 400;
/** How far back a comparison looks, plus days of outages. */
const COMPARED_DAYS = 70;
const FEATURE_DAYS = 28;

/**
 * Prepares for scoring: summarizes complete days and compares accounts.
 * @returns the days of outages that windows must reach past; `null` when the run must stop early
 */
export async function prepareWorkspace(run: Run, workspace: WorkspaceRef): Promise<number | null> {
  if (!(await summarizeAccountDays(run, workspace))) return null;
  return compareAccounts(run, workspace);
}

/** Summarizes the complete days of due accounts. @returns false when the run must stop early */
async function summarizeAccountDays(run: Run, workspace: WorkspaceRef): Promise<boolean> {
  const lastDay = run.today - 1;
  for (let after: DuePosition | null = FIRST_DUE; after !== null;) {
    if (run.isOver()) return false;
    const page = await listPendingAccountDays(run.session, workspace, {
      now: run.now,
      lastDay,
      after,
      limit: run.sizes.compared,
    });
    const timelines = new Map<number, AttributeChange[]>();
    for (const { account, from, timeline, observed } of page.accounts) {
      const extended = extendTimeline(timeline, from, observed);
      if (JSON.stringify(extended) !== JSON.stringify(timeline)) timelines.set(account, extended);
    }
    if (page.accounts.length > 0) await writeAccountDays(run.session, workspace, page.accounts, timelines, lastDay);
    after = page.next;
  }
  return true;
}

/**
 * Compares the workspace's accounts: computes a context for every complete day without one, and from the contexts the
 * items about the workspace as a whole. Ignores the budget, because a comparison needs all accounts.
 * @returns the days of outages that windows must reach past
 */
async function compareAccounts(run: Run, workspace: WorkspaceRef): Promise<number> {
  const { session } = run;
  const lastDay = run.today - 1;
  const { activeDays, levels, previous, items } = await readContextBasis(session, workspace, {
    since: lastDay - SENDER_DAYS,
    levelsSince: lastDay - HISTORY_DAYS - LEVEL_DAYS,
    lastDay,
  });
  const reach = extraReachDays(outagesOf(activeDays, lastDay, previous));
  const [firstActive] = activeDays;
  const begin = previous === null ? firstActive : previous.day + 1;
  if (begin === undefined || begin > lastDay) return reach;
  const first = Math.max(begin, lastDay - HISTORY_DAYS + 1);
  const days = Array.from({ length: lastDay - first + 1 }, (_, place) => first + place);

  const building = contextBuilder(days, activeDays, previous, levels);
  for (let after: number | null = NO_ACCOUNT; after !== null;) {
    const page = await readComparedAccounts(session, workspace, {
      after,
      limit: run.sizes.compared,
      since: first - COMPARED_DAYS - reach,
      featuresSince: first - FEATURE_DAYS - reach,
      lastDay,
    });
    for (const history of page.histories) building.add(history);
    after = page.next;
  }
  const contexts = building.finish();
  const tracked = contexts.reduce(
    (current, context) => stepTracking(current, context, context.day),
    itemsBefore(items, first),
  );
  const changed = itemChanges(items, tracked, lastDay);
  await writeContexts(session, workspace, contexts, { account: NO_ACCOUNT, items: changed });
  countItems(run, items, changed);
  return reach;
}
