import { extendTimeline } from "../../core/health/attributes.ts";
import type { AttributeChange } from "../../core/health/model.ts";
import { LEVEL_DAYS } from "../../core/health/holidays.ts";
import { outagesOf } from "../../core/health/outages.ts";
import {
  addAccount,
  extraReachDays,
  finishContexts,
  keepBelow,
  startContexts,
} from "../../core/health/workspace-context.ts";
import { stepTracking } from "../../core/inbox/advance-day.ts";
import { itemChanges, itemsBefore } from "../../core/outcome/replay.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import {
  type DuePosition,
  FIRST_DUE,
  listPendingAccountDays,
  writeAccountDays,
} from "../../db/recompute/account-days-sql.ts";
import {
  NO_ACCOUNT,
  readComparedAccounts,
  readContextBasis,
  saveComparison,
  writeContexts,
} from "../../db/recompute/contexts-sql.ts";
import { SCORED_DAYS } from "../../db/recompute/due-accounts-sql.ts";
import { countItems, type Run } from "./model.ts";

/** Days that show the sender's normal gap between events, and its outages. */
const SENDER_DAYS = 400;
/** How far back a comparison looks, plus days of outages. */
const COMPARED_DAYS = 70;
const FEATURE_DAYS = 28;

/** Summarizes the complete days of due accounts. @returns false when the run must stop early */
export async function summarizeAccountDays(run: Run, workspace: WorkspaceRef): Promise<boolean> {
  const lastDay = run.today - 1;
  for (let after: DuePosition | null = FIRST_DUE; after !== null;) {
    if (run.isOver()) return false;
    const page = await listPendingAccountDays(run.session, workspace, {
      now: run.now,
      lastDay,
      after,
      limit: run.sizes.summarized,
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
 * items about the workspace as a whole. A large workspace's days take several comparisons.
 * @returns the days of outages that windows must reach past; `null` when the run must stop early
 */
export async function compareAccounts(run: Run, workspace: WorkspaceRef): Promise<number | null> {
  for (;;) {
    if (run.isOver()) return null;
    const compared = await compareDays(run, workspace);
    if (compared === null || compared.through >= run.today - 1) return compared?.reach ?? null;
  }
}

/** Compares the first days without a context, as many as a comparison may hold. @returns `null` when the run must stop early */
async function compareDays(run: Run, workspace: WorkspaceRef): Promise<{ through: number; reach: number } | null> {
  const { session, sizes } = run;
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
  const days = Array.from({ length: lastDay - from + 1 }, (_, place) => from + place);
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
    keepBelow(sums, sizes.sums);
    after = page.next;
    if (after !== null && run.isOver()) {
      await saveComparison(session, workspace, { after, sums });
      return null;
    }
  }
  const contexts = finishContexts(sums);
  const through = contexts.at(-1)?.day ?? lastDay;
  const tracked = contexts.reduce(
    (current, context) => stepTracking(current, context, context.day),
    itemsBefore(items, first),
  );
  const changed = itemChanges(items, tracked, through);
  await writeContexts(session, workspace, contexts, { account: NO_ACCOUNT, items: changed });
  countItems(run, items, changed);
  return { through, reach };
}
