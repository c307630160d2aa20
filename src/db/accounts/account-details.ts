/** Reads an account with its history, users, events and open items. */
import { and, asc, desc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import type { AttributeChange } from "../../core/health/model.ts";
import type { Json } from "../../core/json.ts";
import { type AccountRow, accountsQuery, type StoredAccount, toAccount } from "./list-accounts.ts";
import { isSuperseded } from "./superseded-sql.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { itemsQuery, type StoredItem, toItem } from "../inbox/list-items.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import {
  accountDays,
  accounts,
  activity,
  eventNames,
  healthDays,
  inboxItems,
  rollups,
  traits,
  users,
} from "../schema/schema.ts";

export interface AccountWithHistory extends StoredAccount {
  /** A personal account whose user has moved to another account. It has no health. */
  superseded: boolean;
  /** Ascending by day. */
  history: HistoryDay[];
  traits: Record<string, Json>;
  /** Changes of attributes up to the last recompute, ascending by day. */
  changes: AttributeChange[];
  asOf: number | null;
}

type HistoryDay = Awaited<ReturnType<typeof historyQuery>>[number];

export interface AccountDetails extends AccountWithHistory {
  /** The latest first. */
  users: (EntityRef & { lastSeenAt: number; activeDays: number })[];
  /** The most frequent first. */
  topEvents: { name: string; count: number; users: number; lastAt: number }[];
  /** The highest rank first. */
  openItems: StoredItem[];
}

export const HISTORY_DAYS = 90;
/** The number of days, including today, over which users and events are counted. */
export const USER_DAYS = 90;
export const EVENT_DAYS = 28;
const MAX_USERS = 100;
const MAX_EVENTS = 20;
const MAX_TRAITS = 256;

const n = alias(accounts, "n");

/** The form of internal ids. A sender's id of this form must not hide the account with that internal id. */
const INTERNAL_ID = /^acc_[0-9a-f]{24}$/;

/** Finds an account by internal id if it has that form, else by external id: the company account, else the personal one. */
export async function findAccount(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  { now, withIdentity }: { now: number; withIdentity: boolean },
): Promise<AccountDetails | null> {
  const db = databaseOf(env, workspace);
  const number = numberOf(workspace, id);
  const today = Math.floor(now / DAY_MS);
  const [[account], history, kept, [changed], [run], seen, topEvents, items] = await withRetry(() =>
    db.batch([
      ...accountQueries(db, workspace, number, withIdentity),
      db
        .select({
          id: users.id,
          externalId: users.externalId,
          lastSeenAt: sql<number>`max(${rollups.lastAt})`.as("last_seen_at"),
          activeDays: sql<number>`count(DISTINCT ${rollups.day})`.as("active_days"),
        })
        .from(rollups)
        .innerJoin(users, eq(users.number, rollups.user))
        .where(and(sql`${rollups.account} = ${number}`, gt(rollups.day, today - USER_DAYS)))
        .groupBy(users.number)
        .orderBy(desc(sql`last_seen_at`), asc(users.number))
        .limit(MAX_USERS),
      db
        .select({
          name: eventNames.name,
          count: sql<number>`sum(${rollups.count})`.as("total"),
          users: sql<number>`count(DISTINCT nullif(${rollups.user}, 0))`.as("distinct_users"),
          lastAt: sql<number>`max(${rollups.lastAt})`.as("latest"),
        })
        .from(rollups)
        .innerJoin(eventNames, eq(eventNames.number, rollups.event))
        .where(and(sql`${rollups.account} = ${number}`, gt(rollups.day, today - EVENT_DAYS)))
        .groupBy(eventNames.number)
        .orderBy(desc(sql`total`), asc(eventNames.name))
        .limit(MAX_EVENTS),
      itemsQuery(db, workspace, withIdentity)
        .where(
          and(
            eq(inboxItems.workspace, workspace.number),
            sql`${inboxItems.account} = ${number}`,
            isNull(inboxItems.resolvedDay),
          ),
        )
        .orderBy(desc(inboxItems.rank), desc(inboxItems.number)),
    ]),
  );
  if (account === undefined) return null;
  return {
    ...toAccountWithHistory(account, { history, kept, changed, run }),
    users: seen.map((user) => ({ ...user, externalId: shownId(user.externalId) })),
    topEvents,
    openItems: items.map(toItem),
  };
}

/** Queries what the API and the console show of an account. @param number selects the account's number */
export const accountQueries = (db: Database, workspace: WorkspaceRef, number: SQL, withIdentity: boolean) =>
  [
    accountsQuery(db, workspace, withIdentity, {
      superseded: sql<number>`${sql.raw(isSuperseded("accounts"))}`.as("superseded"),
    }).where(sql`${accounts.number} = ${number}`),
    historyQuery(db, number),
    db
      .select({ key: traits.key, value: sql<string>`${traits.value}`.as("value") })
      .from(traits)
      .where(and(eq(traits.subjectKind, "account"), sql`${traits.subject} = ${number}`, isNotNull(traits.value)))
      .orderBy(asc(traits.key))
      .limit(MAX_TRAITS),
    db
      .select({ timeline: activity.timeline })
      .from(activity)
      .where(and(eq(activity.workspace, workspace.number), sql`${activity.account} = ${number}`)),
    lastRunQuery(db),
  ] as const;

interface AccountParts {
  history: readonly HistoryDay[];
  kept: readonly { key: string; value: string }[];
  changed: Pick<typeof activity.$inferSelect, "timeline"> | undefined;
  run: { asOf: number } | undefined;
}

export function toAccountWithHistory(
  { superseded, ...row }: AccountRow & { superseded: number },
  { history, kept, changed, run }: AccountParts,
): AccountWithHistory {
  return {
    ...toAccount(superseded === 1 ? { ...row, health: null } : row),
    superseded: superseded === 1,
    history: history.toReversed(),
    traits: Object.fromEntries(kept.map(({ key, value }): [string, Json] => [key, JSON.parse(value)])),
    changes: (changed?.timeline ?? []).map(([day, values]) => ({ day, values })),
    asOf: run?.asOf ?? null,
  };
}

const historyQuery = (db: Database, number: SQL) =>
  db
    .select({
      day: healthDays.day,
      score: healthDays.score,
      state: healthDays.state,
      activeUsers: sql<number>`coalesce(${accountDays.userDays}, 0)`.as("active_users"),
    })
    .from(healthDays)
    .leftJoin(accountDays, and(eq(accountDays.account, healthDays.account), eq(accountDays.day, healthDays.day)))
    .where(sql`${healthDays.account} = ${number}`)
    .orderBy(desc(healthDays.day))
    .limit(HISTORY_DAYS);

export function numberOf({ number: workspace }: WorkspaceRef, id: string): SQL {
  const own = sql`SELECT ${n.number} FROM ${accounts} n WHERE ${n.workspace} = ${workspace}`;
  const named = (kind: "company" | "solo") => sql`(${own} AND ${n.kind} = ${kind} AND ${n.externalId} = ${id})`;
  const byExternalId = sql`${named("company")}, ${named("solo")}`;
  if (!INTERNAL_ID.test(id)) return sql`coalesce(${byExternalId})`;
  return sql`coalesce((${own} AND ${n.id} = ${id}), ${byExternalId})`;
}
