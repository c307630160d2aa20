/** What compares the accounts of a workspace: what it is computed from, and the writing of it. */
import { DAY_MS } from "../../core/durations.ts";
import type { AccountHistory, Day, WorkspaceContext } from "../../core/health/model.ts";
import type { Level } from "../../core/health/holidays.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readItem } from "../inbox/item-row.ts";
import { readTimeline } from "./condense-store.ts";
import { daysByAccount, selectDays } from "./history-rows.ts";
import { writingItems } from "./item-rows.ts";
import { inParts, mayWrite, type Session } from "./session.ts";

/** The number that stands for the account in items about the workspace as a whole. */
export const NO_ACCOUNT = 0;

/** What is known before the accounts are read. */
export interface ContextBasis {
  /** Days with an event, ascending. */
  activeDays: Day[];
  /** What was done on them, as far back as it was asked for. */
  levels: Map<Day, Level>;
  /** The newest stored. */
  previous: WorkspaceContext | null;
  /** Items about the workspace as a whole, those withdrawn left out. */
  items: InboxItem[];
}

/**
 * Reads it, and writes down what was done on the days that are over: of each day once, as it stands then.
 * @param since days before are not asked for, nor their levels before `levelsSince`
 */
export async function readContextBasis(
  session: Session,
  workspace: WorkspaceRef,
  { since, levelsSince, lastDay }: Record<"since" | "levelsSince" | "lastDay", Day>,
): Promise<ContextBasis> {
  const [, days, previous, items] = await session.batch([
    [SET_LEVELS, workspace.number, levelsSince, lastDay, session.holder],
    [
      "SELECT day, accounts, user_days FROM workspace_days WHERE workspace = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day",
      workspace.number,
      since,
      lastDay,
    ],
    ["SELECT context FROM workspace_contexts WHERE workspace = ?1 ORDER BY day DESC LIMIT 1", workspace.number],
    [
      `SELECT * FROM inbox_items WHERE workspace = ?1 AND account = ${NO_ACCOUNT} AND resolution IS NOT 'withdrawn'`,
      workspace.number,
    ],
  ]);
  const context = previous?.results[0]?.["context"];
  return {
    activeDays: (days?.results ?? []).map(({ day }) => Number(day)),
    levels: new Map(
      (days?.results ?? []).flatMap(({ day, accounts, user_days: userDays }) =>
        accounts == null ? [] : [[Number(day), { accounts: Number(accounts), userDays: Number(userDays) }]],
      ),
    ),
    previous: context === undefined ? null : JSON.parse(String(context)),
    items: (items?.results ?? []).map((row) => readItem(row)),
  };
}

const SET_LEVELS = `
UPDATE workspace_days SET accounts = l.accounts, user_days = l.user_days
FROM (
  SELECT d.day, count(*) AS accounts, sum(d.user_days) AS user_days
  FROM (
    SELECT min(day) AS first FROM workspace_days WHERE workspace = ?1 AND day BETWEEN ?2 AND ?3 AND accounts IS NULL
  ) missing
  CROSS JOIN activity a ON missing.first IS NOT NULL AND a.workspace = ?1
  CROSS JOIN account_days d ON d.account = a.account AND d.day BETWEEN missing.first AND ?3
  GROUP BY d.day
) l
WHERE workspace_days.workspace = ?1 AND workspace_days.day = l.day AND workspace_days.accounts IS NULL
  AND ${mayWrite("?4", "?1")}`;

/**
 * The next `limit` accounts by number, with what comparing them takes.
 * @param since of their days; of features, `featuresSince`
 * @returns `next` is null after the last
 */
export async function readComparedAccounts(
  session: Session,
  workspace: WorkspaceRef,
  {
    after,
    limit,
    since,
    featuresSince,
    lastDay,
  }: Record<"after" | "limit" | "since" | "featuresSince" | "lastDay", number>,
): Promise<{ histories: AccountHistory[]; next: number | null }> {
  const page = `SELECT account, first_at, timeline FROM activity WHERE workspace = ?1 AND account > ?2 ORDER BY account LIMIT ?3`;
  const [accounts, days] = await session.batch([
    [
      `SELECT a.account, a.first_at, a.timeline, n.kind,
         EXISTS (SELECT 1 FROM account_days WHERE account = a.account AND day < ?4) AS earlier_days
       FROM (${page}) a CROSS JOIN accounts n ON n.number = a.account ORDER BY a.account`,
      workspace.number,
      after,
      limit,
      since,
    ],
    [
      selectDays(
        `(${page}) a CROSS JOIN account_days d ON d.account = a.account AND d.day BETWEEN ?4 AND ?6`,
        "?6 + 1",
        "?5",
      ),
      workspace.number,
      after,
      limit,
      since,
      featuresSince,
      lastDay,
    ],
  ]);
  const byAccount = daysByAccount(days?.results ?? []);
  const rows = accounts?.results ?? [];
  return {
    histories: rows.map((row) => ({
      kind: row["kind"] === "solo" ? "solo" : "company",
      firstDay: Math.floor(Number(row["first_at"]) / DAY_MS),
      days: byAccount.get(Number(row["account"])) ?? [],
      earlierDays: Number(row["earlier_days"]),
      attributes: readTimeline(row["timeline"]),
    })),
    next: rows.length < limit ? null : Number(rows.at(-1)?.["account"]),
  };
}

/** Writes contexts, and what they say of the workspace as a whole. A day that has a context keeps it. */
export async function writeContexts(
  session: Session,
  workspace: WorkspaceRef,
  contexts: readonly WorkspaceContext[],
  items: { account: number; items: readonly InboxItem[] },
): Promise<void> {
  const rows = contexts.map((context) => [context.day, JSON.stringify(context)]);
  await session.batch([
    ...inParts(rows).map((part) => [INSERT_CONTEXTS, workspace.number, part, session.holder] as const),
    ...writingItems(session, workspace, [items]),
  ]);
}

const INSERT_CONTEXTS = `
INSERT INTO workspace_contexts (workspace, day, context)
SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT DO NOTHING`;
