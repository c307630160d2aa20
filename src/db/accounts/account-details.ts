/** Reads an account with its history, users, features and items, for the API and the console, in one round trip. */
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import { activitiesQuery } from "./activities.ts";
import type { Day } from "../../core/health/model.ts";
import { accountsQuery } from "./list-accounts.ts";
import { ownersQuery } from "./list-owners.ts";
import { traitsQuery, traitValue } from "./subjects.ts";
import { tailEvents } from "../ask/tail.ts";
import type { Database, WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { shownIdOf } from "../users/erased-ids.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { itemsQuery } from "../inbox/list-items.ts";
import { asOfQuery } from "../recompute/runs.ts";
import * as schema from "../schema/schema.ts";

const { accountDays, accounts, accountProgress, eventNames, healthDays, inboxItems, rollups, traits, users } = schema;

export type AccountDetails = NonNullable<Awaited<ReturnType<typeof readAccount>>>;

export const HISTORY_DAYS = 90;
/** Users and events are counted over this many days, including today. */
export const USER_DAYS = 90;
export const EVENT_DAYS = 28;
/** An account with thousands of daily users has more. Reading all would make the database's other workspaces wait. */
const MAX_ROLLUPS = 100_000;
/** A year, and the quarter before it. */
const MAX_HISTORY_DAYS = 460;
const MAX_USERS = 100;
const MAX_FEATURES = 30;
const MAX_ITEMS = 200;

const eventName = alias(eventNames, "eventName");
const rollup = alias(rollups, "rollup");
const sought = alias(accounts, "sought");

interface DetailOptions {
  now: number;
  withIdentity: boolean;
  /** Whether to count events that the recompute has not folded yet. */
  withUnfolded: boolean;
  /** The first day of the history. Default: the last `HISTORY_DAYS` scored days. */
  from?: Day;
  /** Which of the users to list, latest first. */
  users?: { limit: number; offset: number };
  /** Whether to list the workspace's owners. */
  withOwners?: boolean;
}

/** Finds an account by internal or external id. */
export async function readAccount(env: Env, workspace: WorkspaceRef, id: string, options: DetailOptions) {
  return detailsOf(await readQueries(env, workspace, (db) => detailQueries(db, workspace, id, options)));
}

/** Writes the queries of an account, for a batch that may have more. `detailsOf` reads their results. */
export function detailQueries(
  db: Database,
  workspace: WorkspaceRef,
  id: string,
  { now, withIdentity, withUnfolded, from, users: page, withOwners = false }: DetailOptions,
) {
  const number = numberOf(workspace, id);
  const today = Math.floor(now / DAY_MS);
  const unfolded = withUnfolded ? sql.raw(`(${tailEvents(String(workspace.number))})`) : NO_EVENTS;
  /** Events by number, and by name until they have one. Names are looked up once for each event, not for each rollup. */
  const uses = sql`
    SELECT * FROM (
      SELECT ${rollup.user}, ${rollup.event} AS event, ${rollup.day}, ${rollup.count}, ${rollup.lastAt} FROM ${rollups} rollup
      WHERE ${rollup.account} = ${number} AND ${rollup.day} > ${today - USER_DAYS}
      ORDER BY ${rollup.day} DESC LIMIT ${MAX_ROLLUPS}
    )
    UNION ALL SELECT user, coalesce((SELECT ${eventName.number} FROM ${eventNames} "eventName"
      WHERE ${eventName.workspace} = ${workspace.number} AND ${eventName.name} = event), event), day, 1, at
    FROM ${unfolded} WHERE account = ${number}`;
  const { limit, offset } = page ?? { limit: MAX_USERS, offset: 0 };
  return [
    accountsQuery(
      db,
      workspace,
      { withIdentity, unfoldedAt: sql`(SELECT max(at) FROM ${unfolded} WHERE account = ${accounts.number})` },
      {
        /** A personal account whose user has moved to another account. It has no health. */
        superseded: sql.raw(isSuperseded("accounts")).mapWith(Boolean).as("superseded"),
        timeline: sql`coalesce(${accountProgress.timeline}, '[]')`.mapWith(accountProgress.timeline).as("timeline"),
      },
    ).where(sql`${accounts.number} = ${number}`),
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
      .where(sql`${healthDays.account} = ${number} AND ${healthDays.day} >= ${from ?? 0}`)
      .orderBy(desc(healthDays.day))
      .limit(from === undefined ? HISTORY_DAYS : MAX_HISTORY_DAYS),
    traitsQuery(db, "account", number),
    asOfQuery(db, workspace),
    db
      .select({
        id: users.id,
        externalId: shownIdOf(users.externalId).as("external_id"),
        identity: identityColumn(workspace, "user", users.number, withIdentity),
        /** The trait `role`, whatever its type. */
        role: traitValue,
        lastSeenAt: sql<number>`seen.last_at`.as("last_seen_at"),
        activeDays: sql<number>`seen.days`.as("active_days"),
      })
      .from(
        sql`(SELECT user, max(last_at) AS last_at, count(DISTINCT day) AS days FROM (${uses})
            WHERE user > 0 AND day > ${today - USER_DAYS} GROUP BY user ORDER BY 2 DESC, 1 LIMIT ${limit} OFFSET ${offset}) AS seen`,
      )
      .innerJoin(users, sql`${users.number} = seen.user`)
      .leftJoin(traits, and(eq(traits.subjectKind, "user"), eq(traits.subject, users.number), eq(traits.key, "role")))
      .orderBy(desc(sql`seen.last_at`), asc(users.number)),
    db
      .select({
        name: sql<string>`iif(typeof(event) = 'text', event,
          (SELECT ${eventName.name} FROM ${eventNames} "eventName" WHERE ${eventName.number} = event))`.as(
          "event_name",
        ),
        /** Events in the last `EVENT_DAYS`, and in as many days before. */
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
      .orderBy(desc(sql`total`), desc(sql`total_before`), sql`event_name`)
      .limit(MAX_FEATURES),
    itemsQuery(db, workspace, withIdentity)
      .where(and(eq(inboxItems.workspace, workspace.number), sql`${inboxItems.account} = ${number}`))
      .orderBy(
        sql`iif(${inboxItems.resolvedDay} IS NULL, ${inboxItems.rank}, -1) DESC`,
        desc(inboxItems.openedDay),
        desc(inboxItems.number),
      )
      .limit(MAX_ITEMS),
    ownersQuery(db, workspace, withOwners),
    activitiesQuery(db, number),
  ] as const;
}

/** Returns `null` for an unknown account. */
export function detailsOf([[found], history, kept, [run], people, features, items, owners, log]: BatchResponse<
  ReturnType<typeof detailQueries>
>) {
  if (found === undefined) return null;
  const { timeline, ...account } = found;
  return {
    ...account,
    health: account.superseded ? null : account.health,
    /** Ascending by day. */
    history: history.toReversed(),
    traits: Object.fromEntries(kept.map(({ key, value }) => [key, value])),
    /** Changes of attributes up to the last recompute, ascending by day. */
    changes: timeline,
    asOf: run?.asOf ?? null,
    /** The latest first. */
    users: people,
    /** Most frequent features first, then the features that stopped. */
    features,
    /** Open items by rank, then past items, latest first. */
    items,
    owners: owners.map(({ owner }) => owner),
    /** What people did, latest first: the last 100. */
    activities: log,
  };
}

/** In place of the tail. */
const NO_EVENTS = sql`(SELECT 0 AS account, 0 AS user, '' AS event, 0 AS day, 0 AS at WHERE 0)`;

/**
 * Selects an account's number by internal id, else by external id: the company account, else the personal one. A sender's id
 * that looks like an internal one must not hide the account with that internal id.
 */
export function numberOf({ number: workspace }: WorkspaceRef, id: string): SQL {
  const own = sql`SELECT ${sought.number} FROM ${accounts} sought WHERE ${sought.workspace} = ${workspace}`;
  const named = (kind: "company" | "solo") =>
    sql`(${own} AND ${sought.kind} = ${kind} AND ${sought.externalId} = ${id})`;
  return sql`coalesce((${own} AND ${sought.id} = ${id}), ${named("company")}, ${named("solo")})`;
}
