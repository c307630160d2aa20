import { DAY_MS } from "../../core/durations.ts";
import type { Day, WorkspaceContext } from "../../core/health/model.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import { itemChanges, replay } from "../../core/outcome/replay.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type AccountOutcome, writeOutcomes } from "../../db/recompute/outcomes-sql.ts";
import { type DueAccount, readDueAccounts } from "../../db/recompute/due-accounts-sql.ts";
import { countItems, type Run } from "./model.ts";

/** Steps per turn, so that a large workspace doesn't delay the small ones. */
const STEPS_PER_TURN = 20;

export interface Turn {
  workspace: WorkspaceRef;
  /** Days of the sender's outages, which windows reach past. */
  outageDays: number;
}

/**
 * Scores some of the workspace's due accounts.
 * @returns whether more may be due
 */
export async function scoreTurn(run: Run, turn: Turn): Promise<boolean> {
  for (let step = 0; step < STEPS_PER_TURN; step++) {
    if (run.isOver()) return true;
    if (!(await scoreStep(run, turn))) return false;
  }
  return true;
}

async function scoreStep(run: Run, { workspace, outageDays }: Turn): Promise<boolean> {
  const { session, now, today } = run;
  const lastDay = today - 1;
  const due = { now, lastDay, limit: run.sizes.scored, outageDays };
  const { accounts, contexts } = await readDueAccounts(session, workspace, due);
  if (accounts.length === 0) return false;
  const outcomes = accounts.map((account) => scoreAccount(account, lastDay, contexts));
  const dueAt = (today + 1) * DAY_MS;
  // A run that lost its lease, or whose workspace is being erased, writes nothing and stops here.
  if (!(await writeOutcomes(session, workspace, outcomes, { scoredThrough: lastDay, dueAt }))) return false;
  run.figures.accountsScored += accounts.length;
  accounts.forEach(({ items }, place) => countItems(run, items, outcomes[place]?.items ?? []));
  return accounts.length === run.sizes.scored;
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
