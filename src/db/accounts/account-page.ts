/**
 * Reads the console's page of an account in one round trip: its details, a feature by day, its champions, its newest events,
 * and who and what changed since a day. Only summaries of complete days are read, not users by day.
 */
import { desc, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import { KEY_USER_DAYS, KEY_USER_SHARE, MIN_KEY_USER_ACTIVE_DAYS } from "../../core/health/key-users.ts";
import type { Day } from "../../core/health/model.ts";
import type { Database, WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { beside } from "../client/sql-fragments.ts";
import { newestEventsQuery } from "../events/newest-events.ts";
import { type Identity, identityColumn } from "../identity/read-identity.ts";
import { accountDays, eventNames, healthDays, users } from "../schema/schema.ts";
import { shownIdOf } from "../users/erased-ids.ts";
import { detailQueries, detailsOf, EVENT_DAYS, numberOf } from "./account-details.ts";

export type AccountPageDetails = NonNullable<Awaited<ReturnType<typeof readAccountPage>>>;

/** People and features that changes list by name. */
const MAX_NAMED = 10;

interface PageOptions {
  now: number;
  withIdentity: boolean;
  withOwners: boolean;
  /** The first day of the history. */
  from: Day;
  /** The event to count by day. Default: the most frequent one. */
  feature: string | undefined;
  /** Changes are listed from the end of this day on. `null` for none. */
  since: Day | null;
  users: { limit: number; offset: number };
}

/** Finds an account by internal or external id. @returns `null` for an unknown account */
export async function readAccountPage(env: Env, workspace: WorkspaceRef, id: string, options: PageOptions) {
  const { now, from, feature, since, withIdentity } = options;
  const today = Math.floor(now / DAY_MS);
  const number = numberOf(workspace, id);
  const [featureDays, [activity], events, [before], people, features, ...details] = await readQueries(
    env,
    workspace,
    (db) => [
      featureDaysQuery(db, workspace, number, { from, feature, today }),
      activityQuery(db, number, today),
      newestEventsQuery(db, workspace, { account: number }),
      db
        .select({ day: healthDays.day, score: healthDays.score, state: healthDays.state })
        .from(healthDays)
        .where(sql`${healthDays.account} = ${number} AND ${healthDays.day} <= ${since ?? 0}`)
        .orderBy(desc(healthDays.day))
        .limit(1),
      movesQuery(
        db,
        number,
        { list: "users", since, today },
        sql`(SELECT json_group_array(json_object(
        'id', ${users.id}, 'externalId', ${shownIdOf(users.externalId)},
        'identity', json(${identityColumn(workspace, "user", users.number, withIdentity).sql})))
        FROM ${users} WHERE ${users.number} IN (SELECT value FROM json_each(numbers)))`,
      ),
      movesQuery(
        db,
        number,
        { list: "features", since, today },
        sql`(SELECT json_group_array(json_object(
        'name', ${eventNames.name})) FROM ${eventNames} WHERE ${eventNames.number} IN (SELECT value FROM json_each(numbers)))`,
      ),
      ...detailQueries(db, workspace, id, { ...options, withUnfolded: true }),
    ],
  );
  const account = detailsOf(details);
  if (account === null) return null;
  return {
    ...account,
    /** The chosen event with its counts, by day: `null` for a day with too many event names to count each. */
    feature: featureDays[0] === undefined ? null : { name: featureDays[0].name, days: featureDays },
    activeUsers: activity?.activeUsers ?? 0,
    /** The internal ids of the users on whom the account depends, as health defines key users. */
    champions: activity?.champions ?? [],
    events,
    /** How it was on the day since which changes are listed. */
    past:
      since === null
        ? null
        : {
            day: since,
            /** The days up to then, and up to now, whose people and features are compared. */
            days: people[0]?.days ?? EVENT_DAYS,
            health: before ?? null,
            users: people.map(asMove<MovedUser>),
            features: features.map(asMove<{ name: string }>),
          },
  };
}

type MovedUser = { id: string; externalId: string | null; identity: Identity | null };
interface Move<Entry> {
  /** Whether they were active in the days before, and in the last days. */
  before: boolean;
  now: boolean;
  total: number;
  /** The first of them. */
  first: Entry[];
}
const asMove = <Entry>({
  before,
  now,
  total,
  first,
}: {
  before: number;
  now: number;
  total: number;
  first: string;
}): Move<Entry> => ({
  before: before === 1,
  now: now === 1,
  total,
  first: JSON.parse(first),
});

const accountDay = alias(accountDays, "accountDay");

/** Counts the events of one name by day. A day has no row without any event. */
function featureDaysQuery(
  db: Database,
  { number: workspace }: WorkspaceRef,
  account: SQL,
  { from, feature, today }: { from: Day; feature: string | undefined; today: Day },
) {
  const named = sql`(SELECT ${eventNames.number} FROM ${eventNames}
    WHERE ${eventNames.workspace} = ${workspace} AND ${eventNames.name} = ${feature ?? ""})`;
  const mostFrequent = sql`(SELECT ${sql.raw(beside('"accountDay".account', "entry.key"))}
    FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay.features}) entry
    WHERE ${accountDay.account} = ${account} AND ${accountDay.day} >= ${today - EVENT_DAYS}
    GROUP BY entry.key ORDER BY sum(entry.value ->> 0) DESC, entry.key LIMIT 1)`;
  return db
    .select({
      name: eventNames.name,
      day: accountDays.day,
      count: sql<number | null>`iif(${accountDays.features} = '{}', NULL,
        coalesce(${accountDays.features} -> CAST(${eventNames.number} & 0xffffffff AS TEXT) ->> 0, 0))`.as(
        "feature_count",
      ),
    })
    .from(eventNames)
    .innerJoin(accountDays, sql`${accountDays.account} = ${account} AND ${accountDays.day} >= ${from}`)
    .where(sql`${eventNames.number} = coalesce(${named}, ${mostFrequent})`)
    .orderBy(accountDays.day);
}

/** More user-days than the busiest champion can have this share of. */
const MAX_CHAMPION_DAYS = KEY_USER_DAYS / KEY_USER_SHARE;

/** Counts the users of the last 28 complete days, and finds the champions. Large accounts have none, so nobody is read for them. */
function activityQuery(db: Database, account: SQL, today: Day) {
  const daysFrom = (first: Day) =>
    sql`${accountDay.account} = ${account} AND ${accountDay.day} BETWEEN ${first} AND ${today - 1}`;
  const all = sql`(SELECT sum(${accountDay.userDays}) FROM ${accountDays} "accountDay" WHERE ${daysFrom(today - KEY_USER_DAYS)})`;
  return db
    .select({
      activeUsers: sql<number>`(SELECT count(DISTINCT entry.value)
        FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay.users}) entry
        WHERE ${daysFrom(today - EVENT_DAYS)})`.as("recent_users"),
      champions: sql`(SELECT json_group_array(${users.id}) FROM ${users} WHERE ${users.number} IN (
        SELECT ${sql.raw(beside('"accountDay".account', "entry.value"))}
        FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay.users}) entry
        WHERE total <= ${MAX_CHAMPION_DAYS} AND ${daysFrom(today - KEY_USER_DAYS)}
        GROUP BY entry.value HAVING count(*) >= max(${MIN_KEY_USER_ACTIVE_DAYS}, ${KEY_USER_SHARE} * total)))`
        .mapWith((json: string): string[] => JSON.parse(json))
        .as("champions"),
    })
    .from(sql`(SELECT ${all} AS total) AS account_activity`);
}

/** More user-days than a page compares. It compares weeks of such an account. */
const MAX_COMPARED = 150_000;
const WEEK_DAYS = 7;

/**
 * Compares who was active, or which events were sent, in the days up to a day with as many complete days up to now: a row for
 * those of both, and of either.
 */
function movesQuery(
  db: Database,
  account: SQL,
  { list, since, today }: { list: "users" | "features"; since: Day | null; today: Day },
  first: SQL,
) {
  const entry = list === "users" ? "entry.value" : "entry.key";
  const isBefore = (days: SQL) => sql`${accountDay.day} BETWEEN ${(since ?? 0) + 1} - ${days} AND ${since ?? 0}`;
  const isNow = (days: SQL) => sql`${accountDay.day} BETWEEN ${today} - ${days} AND ${today - 1}`;
  const isWanted = sql`${accountDay.account} = ${account} AND ${since === null ? 0 : 1}`;
  const span = sql`(SELECT days FROM span)`;
  return db
    .select({
      before: sql<number>`is_before`.as("is_before"),
      now: sql<number>`is_now`.as("is_now"),
      total: sql<number>`total`.as("total"),
      first: sql<string>`${first}`.as("first_moved"),
      /** How many days were compared. */
      days: sql<number>`days`.as("compared_days"),
    })
    .from(
      sql`(WITH span AS MATERIALIZED (
          SELECT iif(sum(${accountDay.userDays}) > ${MAX_COMPARED}, ${WEEK_DAYS}, ${EVENT_DAYS}) AS days
          FROM ${accountDays} "accountDay"
          WHERE ${isWanted} AND (${isBefore(sql`${EVENT_DAYS}`)} OR ${isNow(sql`${EVENT_DAYS}`)}))
        SELECT is_before, is_now, count(*) AS total, json_group_array(number) FILTER (WHERE place <= ${MAX_NAMED}) AS numbers,
          ${span} AS days
        FROM (SELECT *, row_number() OVER (PARTITION BY is_before, is_now ORDER BY number) AS place FROM (
          SELECT ${sql.raw(beside('"accountDay".account', entry))} AS number, max(${isBefore(span)}) AS is_before,
            max(${isNow(span)}) AS is_now
          FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay[list]}) entry
          WHERE ${isWanted} AND (${isBefore(span)} OR ${isNow(span)})
          GROUP BY ${sql.raw(entry)}))
        GROUP BY is_before, is_now) AS moved`,
    );
}
