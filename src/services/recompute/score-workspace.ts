import { DAY_MS } from "../../core/durations.ts";
import type { Day, WorkspaceContext } from "../../core/health/model.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import { itemChanges, replay } from "../../core/outcome/replay.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type AccountOutcome, writeOutcomes } from "../../db/recompute/outcomes-sql.ts";
import { countDue, type DueAccount, readDueAccounts } from "../../db/recompute/due-accounts-sql.ts";
import { countItems, type Run } from "./model.ts";

/**
 * Scores the workspace's due accounts.
 * @param outageDays days of the sender's outages, which windows reach past
 * @returns false when the run must stop before all are scored
 */
export async function scoreDue(run: Run, workspace: WorkspaceRef, outageDays: number): Promise<boolean> {
  while (!run.isOver()) if (!(await scoreStep(run, workspace, outageDays))) return true;
  return false;
}

/** @returns whether more may be due */
async function scoreStep(run: Run, workspace: WorkspaceRef, outageDays: number): Promise<boolean> {
  const { session, now, today } = run;
  const lastDay = today - 1;
  const due = { now, lastDay, limit: run.sizes.scored, outageDays };
  const { count, more } = await countDue(session, workspace, due, run.sizes.bytes);
  if (count === 0) return false;
  const { accounts, contexts } = await readDueAccounts(session, workspace, { ...due, limit: count });
  const outcomes = Array.from(accounts, (account) => ({
    ...scoreAccount(account, lastDay, contexts),
    stored: account.items,
  }));
  const dueAt = (today + 1) * DAY_MS;
  // A run that lost its lease, or whose workspace is being erased, writes nothing and stops here.
  if (!(await writeOutcomes(session, workspace, outcomes, { scoredThrough: lastDay, dueAt }))) return false;
  run.figures.accountsScored += outcomes.length;
  for (const { stored, items } of outcomes) countItems(run, stored, items);
  return more === 1;
}

function scoreAccount(
  { account, history, superseded, from, days, items }: DueAccount,
  lastDay: Day,
  contexts: ReadonlyMap<Day, WorkspaceContext>,
): AccountOutcome {
  if (superseded) {
    return { account, days: [], health: null, items: itemChanges(items, closed(items, lastDay), lastDay), superseded };
  }
  const outcome = replay({ history, from, lastDay, days, items }, contexts);
  return {
    account,
    days: outcome.days,
    health: outcome.health,
    items: itemChanges(items, outcome.items, lastDay),
    superseded,
  };
}

const closed = (items: readonly InboxItem[], day: Day): InboxItem[] =>
  items.map((item) => (item.resolvedDay === null ? { ...item, resolvedDay: day, resolution: "changed" } : item));
