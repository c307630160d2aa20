/**
 * Reads a page of accounts with the course of each score, active users and open items. The page is one statement, so that
 * days are read only for its accounts.
 */
import { asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import { type Day, HEALTH_STATES, type HealthState } from "../../core/health/model.ts";
import { accountNumbersQuery, unreadNamesQuery } from "./account-search.ts";
import { type AccountFilter, pageQuery, type StoredAccount, toAccount } from "./list-accounts.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { accountDays, health, healthDays, inboxItems, inboxMarks } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";

export interface TableAccount extends StoredAccount {
  /** The scores of the last days, ascending; `null` for a day without one. */
  scores: { day: Day; score: number | null }[];
  /** Distinct users on the last complete days. */
  activeUsers: number;
  /** Neither resolved, dismissed nor snoozed. */
  openItems: number;
  position: SortPosition;
}

export interface AccountTable {
  accounts: TableAccount[];
  /** How many accounts of the workspace are in each state. Unscored accounts are not counted. */
  states: Partial<Record<HealthState, number>>;
  /** Whether more names match than were read. */
  moreNames: boolean;
  asOf: number | null;
}

interface TableFilter extends AccountFilter {
  /** The start of an account's name; empty for all accounts. */
  called: string;
  /** The end of the windows, in milliseconds since the epoch. */
  now: number;
}

const d = alias(accountDays, "d");
const hd = alias(healthDays, "hd");
const i = alias(inboxItems, "i");
const m = alias(inboxMarks, "m");

export const SCORE_DAYS = 30;
export const ACTIVE_DAYS = 28;

/** Counts in one pass. With GROUP BY, SQLite would read each row twice. */
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
  const among = called === "" ? undefined : accountNumbersQuery(workspace, called, filter.withIdentity);
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
          scores: sql<string>`(SELECT json_group_array(json_array(${hd.day}, ${hd.score})) FROM ${healthDays} hd
            WHERE ${hd.account} = page.number AND ${hd.day} >= ${today - SCORE_DAYS})`.as("scores"),
          activeUsers:
            sql<number>`(SELECT count(DISTINCT u.value) FROM ${accountDays} d CROSS JOIN json_each(${d.users}) u
            WHERE ${d.account} = page.number AND ${d.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`.as(
              "active_users",
            ),
          openItems:
            sql<number>`(SELECT count(*) FROM ${inboxItems} i LEFT JOIN ${inboxMarks} m ON ${m.item} = ${i.number}
            WHERE ${i.workspace} = ${workspace.number} AND ${i.account} = page.number AND ${i.resolvedDay} IS NULL
              AND ${m.dismissedAt} IS NULL AND coalesce(${m.snoozedUntil}, 0) <= ${now})`.as("open_items"),
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
        .select({ unread: sql<number | null>`(${unreadNamesQuery(workspace, called)})`.as("unread") })
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
  // Sorted here, because SQLite would read each row twice.
  return days.map(([day, score]) => ({ day, score })).toSorted((a, b) => a.day - b.day);
}
