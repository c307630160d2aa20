/**
 * The accounts of a workspace as a table to look over: a page of them with what has become of each score, how many are
 * active and what is open. A page is one statement, so that days are read of the accounts of the page alone.
 */
import { asc, eq, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { type Day, HEALTH_STATES, type HealthState } from "../../core/health/model.ts";
import { selectingCalled, selectingUnread } from "./account-search.ts";
import { type AccountFilter, pageQuery, type StoredAccount, toAccount } from "./list-accounts.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { accountDays, health, healthDays, inboxItems, inboxMarks } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";

export interface TableAccount extends StoredAccount {
  /** The scores of the last days that were judged, ascending; `null` where there was none. */
  scores: { day: Day; score: number | null }[];
  /** Distinct, on the last complete days. */
  activeUsers: number;
  /** Unresolved, and not put aside. */
  openItems: number;
  position: SortPosition;
}

export interface AccountTable {
  accounts: TableAccount[];
  /** How many accounts of the workspace are in each state; of those not judged yet nothing is told. */
  states: Partial<Record<HealthState, number>>;
  /** Whether more names begin as sought than were looked through. */
  moreNames: boolean;
  asOf: number | null;
}

interface TableFilter extends AccountFilter {
  /** The beginning of what accounts are called; empty for all of them. */
  called: string;
  /** What days are counted back from, milliseconds since the epoch. */
  now: number;
}

export const SCORE_DAYS = 30;
export const ACTIVE_DAYS = 28;

/** In one walk: to group them SQLite would read each twice. */
const countedStates = Object.fromEntries(
  HEALTH_STATES.map((state) => [state, sql<number>`count(*) FILTER (WHERE ${health.state} = ${state})`.as(state)]),
);

export async function readAccountTable(
  env: Env,
  workspace: WorkspaceRef,
  { called, now, ...filter }: TableFilter,
): Promise<AccountTable> {
  const db = databaseOf(env, workspace);
  const today = Math.floor(now / DAY_MS);
  const among = called === "" ? undefined : selectingCalled(workspace, called, filter.withIdentity);
  const page = db.$with("page").as(pageQuery(db, workspace, filter, among));
  const [rows, [states], [run], [unread]] = await withRetry(() =>
    db.batch([
      db
        .with(page)
        .select({
          number: page.number,
          id: page.id,
          externalId: page.externalId,
          kind: page.kind,
          attributes: page.attributes,
          createdAt: page.createdAt,
          firstAt: page.firstAt,
          lastEventAt: page.lastEventAt,
          health: page.health,
          identity: page.identity,
          sortValue: page.sortValue,
          scores: sql<string>`(SELECT json_group_array(json_array(d.day, d.score)) FROM ${healthDays} d
            WHERE d.account = page.number AND d.day >= ${today - SCORE_DAYS})`.as("scores"),
          activeUsers: sql<number>`(SELECT count(DISTINCT u.value) FROM ${accountDays} d CROSS JOIN json_each(d.users) u
            WHERE d.account = page.number AND d.day BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`.as(
            "active_users",
          ),
          openItems: sql<number>`(SELECT count(*) FROM ${inboxItems} i LEFT JOIN ${inboxMarks} m ON m.item = i.number
            WHERE i.workspace = ${workspace.number} AND i.account = page.number AND i.resolved_day IS NULL
              AND m.dismissed_at IS NULL AND coalesce(m.snoozed_until, 0) <= ${now})`.as("open_items"),
        })
        .from(page)
        .orderBy(
          asc(page.sortValue),
          ...(filter.sort === "externalId" ? [asc(page.externalId)] : []),
          asc(page.number),
        ),
      db.select(countedStates).from(health).where(eq(health.workspace, workspace.number)),
      lastRunQuery(db),
      db
        .select({ unread: sql<number | null>`(${selectingUnread(workspace, called)})`.as("unread") })
        .from(sql`(SELECT 1)`),
    ]),
  );
  return {
    accounts: rows.map(({ sortValue, scores, activeUsers, openItems, ...row }) => ({
      ...toAccount(row),
      scores: readScores(scores),
      activeUsers,
      openItems,
      position: [sortValue, row.number],
    })),
    states: states ?? {},
    moreNames: unread?.unread === 1,
    asOf: run?.asOf ?? null,
  };
}

function readScores(column: string): TableAccount["scores"] {
  const days: [day: Day, score: number | null][] = JSON.parse(column);
  // Sorted here, as SQLite would read each row twice to do so.
  return days.map(([day, score]) => ({ day, score })).toSorted((a, b) => a.day - b.day);
}
