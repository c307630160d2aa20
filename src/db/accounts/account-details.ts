/** Reads an account with its history, users, features and items, for the API and the console, in one round trip. */
import { and, asc, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import type { AttributeChange } from "../../core/health/model.ts";
import type { Json } from "../../core/json.ts";
import { accountsQuery, type StoredAccount, toAccount } from "./list-accounts.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { itemsQuery, type StoredItem, toItem } from "../inbox/list-items.ts";
import { asOfQuery } from "../recompute/runs.ts";
import * as schema from "../schema/schema.ts";
import { unfoldedEvents } from "./unfolded-events.ts";

const { accountDays, accounts, accountProgress, eventNames, healthDays, inboxItems, rollups, traits, users } = schema;

export interface AccountUser extends EntityRef {
  /** `null` if nothing is attached, or the reader may not see it. */
  identity: Identity | null;
  /** The trait `role`, whatever its type. */
  role: Json;
  lastSeenAt: number;
  activeDays: number;
}

export interface FeatureUse {
  name: string;
  /** Events in the last `EVENT_DAYS`, and in as many days before. */
  count: number;
  before: number;
  users: number;
  lastAt: number;
}

export interface AccountDetails extends StoredAccount {
  /** A personal account whose user has moved to another account. It has no health. */
  superseded: boolean;
  /** Ascending by day. */
  history: HistoryDay[];
  traits: Record<string, Json>;
  /** Changes of attributes up to the last recompute, ascending by day. */
  changes: AttributeChange[];
  asOf: number | null;
  /** Seven days before the newest scored day, if that day was scored. */
  weekBefore: { score: number | null; uncapped: number | null } | null;
  /** The latest first. */
  users: AccountUser[];
  /** The most frequent first, then those that stopped. */
  features: FeatureUse[];
  /** Open ones by rank, then past ones, the latest first. */
  items: StoredItem[];
}

type HistoryDay = Omit<Awaited<ReturnType<typeof historyQuery>>[number], "uncapped">;

export const HISTORY_DAYS = 90;
/** The number of days, including today, over which users and events are counted. */
export const USER_DAYS = 90;
export const EVENT_DAYS = 28;
/** The distance of the two scores that changes compare: docs/health.md §11.13. */
const CHANGE_DAYS = 7;
const MAX_USERS = 100;
const MAX_FEATURES = 30;
const MAX_ITEMS = 200;
const MAX_TRAITS = 256;

const e = alias(eventNames, "e");
const n = alias(accounts, "n");
const r = alias(rollups, "r");

/** The form of internal ids. A sender's id of this form must not hide the account with that internal id. */
const INTERNAL_ID = /^acc_[0-9a-f]{24}$/;

/**
 * Finds an account by internal id if it has that form, else by external id: the company account, else the personal one.
 * @param withUnfolded whether events count that the recompute has not folded yet
 */
export async function readAccount(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  { now, withIdentity, withUnfolded }: { now: number; withIdentity: boolean; withUnfolded: boolean },
): Promise<AccountDetails | null> {
  const db = databaseOf(env, workspace);
  const number = numberOf(workspace, id);
  const today = Math.floor(now / DAY_MS);
  const unfolded = withUnfolded ? sql`(${unfoldedEvents(workspace)})` : NO_EVENTS;
  const uses = sql`
    SELECT ${r.user}, ${e.name} AS event, ${r.day}, ${r.count}, ${r.lastAt}
    FROM ${rollups} r JOIN ${eventNames} e ON ${e.number} = ${r.event}
    WHERE ${r.account} = ${number} AND ${r.day} > ${today - USER_DAYS}
    UNION ALL SELECT user, event, day, 1, at FROM ${unfolded} WHERE account = ${number}`;
  const [[account], history, kept, [changed], [run], [tail], people, features, items] = await withRetry(() =>
    db.batch([
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
        .select({ timeline: accountProgress.timeline })
        .from(accountProgress)
        .where(and(eq(accountProgress.workspace, workspace.number), sql`${accountProgress.account} = ${number}`)),
      asOfQuery(db, workspace),
      db
        .select({
          lastAt: sql<number | null>`(SELECT max(at) FROM ${unfolded} WHERE account = ${number})`.as("last_at"),
        })
        .from(sql`(SELECT 1)`),
      db
        .select({
          id: users.id,
          externalId: users.externalId,
          identity: identityColumn(workspace, "user", users.number, withIdentity),
          role: traits.value,
          lastSeenAt: sql<number>`seen.last_at`.as("last_seen_at"),
          activeDays: sql<number>`seen.days`.as("active_days"),
        })
        .from(
          sql`(SELECT user, max(last_at) AS last_at, count(DISTINCT day) AS days FROM (${uses})
            WHERE user > 0 AND day > ${today - USER_DAYS} GROUP BY user ORDER BY 2 DESC, 1 LIMIT ${MAX_USERS}) AS seen`,
        )
        .innerJoin(users, sql`${users.number} = seen.user`)
        .leftJoin(traits, and(eq(traits.subjectKind, "user"), eq(traits.subject, users.number), eq(traits.key, "role")))
        .orderBy(desc(sql`seen.last_at`), asc(users.number)),
      db
        .select({
          name: sql<string>`event`.as("event_name"),
          count: sql<number>`sum(iif(day > ${today - EVENT_DAYS}, count, 0))`.as("total"),
          before: sql<number>`sum(iif(day > ${today - EVENT_DAYS}, 0, count))`.as("total_before"),
          users: sql<number>`count(DISTINCT iif(day > ${today - EVENT_DAYS}, nullif(user, 0), NULL))`.as(
            "distinct_users",
          ),
          lastAt: sql<number>`max(last_at)`.as("latest"),
        })
        .from(sql`(${uses}) AS uses`)
        .where(sql`day > ${today - 2 * EVENT_DAYS}`)
        .groupBy(sql`event`)
        .orderBy(desc(sql`total`), desc(sql`total_before`), sql`event`)
        .limit(MAX_FEATURES),
      itemsQuery(db, workspace, withIdentity)
        .where(and(eq(inboxItems.workspace, workspace.number), sql`${inboxItems.account} = ${number}`))
        .orderBy(
          sql`iif(${inboxItems.resolvedDay} IS NULL, ${inboxItems.rank}, -1) DESC`,
          desc(inboxItems.openedDay),
          desc(inboxItems.number),
        )
        .limit(MAX_ITEMS),
    ]),
  );
  if (account === undefined) return null;
  const { superseded, ...row } = account;
  const found = toAccount(superseded === 1 ? { ...row, health: null } : row);
  return {
    ...found,
    superseded: superseded === 1,
    history: history.toReversed().map(({ uncapped: _uncapped, ...day }) => day),
    traits: Object.fromEntries(kept.map(({ key, value }): [string, Json] => [key, JSON.parse(value)])),
    changes: changed?.timeline ?? [],
    asOf: run?.asOf ?? null,
    lastSeenAt: latest(found.lastSeenAt, tail?.lastAt ?? null),
    weekBefore: history.find(({ day }) => day === (history[0]?.day ?? 0) - CHANGE_DAYS) ?? null,
    users: people.map(({ externalId, identity, role, ...rest }) => ({
      ...rest,
      externalId: shownId(externalId),
      identity: toIdentity(identity),
      role: JSON.parse(role ?? "null"),
    })),
    features,
    items: items.map(toItem),
  };
}

const NO_EVENTS = sql`(SELECT 0 AS account, 0 AS user, '' AS event, 0 AS day, 0 AS at WHERE 0)`;

const latest = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b > a) ? b : a);

const historyQuery = (db: Database, number: SQL) =>
  db
    .select({
      day: healthDays.day,
      score: healthDays.score,
      uncapped: healthDays.uncapped,
      state: healthDays.state,
      activeUsers: sql<number>`coalesce(${accountDays.userDays}, 0)`.as("active_users"),
    })
    .from(healthDays)
    .leftJoin(accountDays, and(eq(accountDays.account, healthDays.account), eq(accountDays.day, healthDays.day)))
    .where(sql`${healthDays.account} = ${number}`)
    .orderBy(desc(healthDays.day))
    .limit(HISTORY_DAYS);

function numberOf({ number: workspace }: WorkspaceRef, id: string): SQL {
  const own = sql`SELECT ${n.number} FROM ${accounts} n WHERE ${n.workspace} = ${workspace}`;
  const named = (kind: "company" | "solo") => sql`(${own} AND ${n.kind} = ${kind} AND ${n.externalId} = ${id})`;
  const byExternalId = sql`${named("company")}, ${named("solo")}`;
  if (!INTERNAL_ID.test(id)) return sql`coalesce(${byExternalId})`;
  return sql`coalesce((${own} AND ${n.id} = ${id}), ${byExternalId})`;
}
