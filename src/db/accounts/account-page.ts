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
  changes: ChangedDays;
  users: { limit: number; offset: number };
}

/** Changes are listed from the end of one day to the end of another, or from the first day with data before it to compare. */
interface ChangedDays {
  since: Day;
  to: Day;
  /** Whether they also begin later to compare longer periods. */
  mayBeginLater: boolean;
}

/** Finds an account by internal or external id. @returns `null` for an unknown account */
export async function readAccountPage(env: Env, workspace: WorkspaceRef, id: string, options: PageOptions) {
  const { now, from, feature, withIdentity } = options;
  const today = Math.floor(now / DAY_MS);
  const number = numberOf(workspace, id);
  const compared = comparedDays(number, options.changes);
  const [featureDays, [activity], events, [usage], scored, people, features, ...details] = await readQueries(
    env,
    workspace,
    (db) => [
      featureDaysQuery(db, workspace, number, { from, feature, today }),
      activityQuery(db, number, today),
      newestEventsQuery(db, workspace, { account: number }),
      usageQuery(db, compared),
      scoredQuery(db, compared),
      movesQuery(
        db,
        "users",
        compared,
        sql`(SELECT json_group_array(json_object(
        'id', ${users.id}, 'externalId', ${shownIdOf(users.externalId)},
        'identity', json(${identityColumn(workspace, "user", users.number, withIdentity).sql})))
        FROM ${users} WHERE ${users.number} IN (SELECT value ->> 0 FROM json_each(numbers)))`,
      ),
      movesQuery(
        db,
        "features",
        compared,
        sql`(SELECT json_group_array(json_object(
        'name', ${eventNames.name}, 'before', moved.value ->> 1, 'now', moved.value ->> 2))
        FROM json_each(numbers) moved JOIN ${eventNames} ON ${eventNames.number} = moved.value ->> 0)`,
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
    /** The first day with data; `null` without one. */
    firstDay: usage?.firstDay ?? null,
    /** How it was at the end of the first and of the last day; `null` if there is no data of the first. */
    past:
      usage === undefined || usage.firstDay === null || usage.since < usage.firstDay
        ? null
        : {
            ...usage,
            to: options.changes.to,
            health: scored.find(({ day }) => day <= usage.since) ?? null,
            healthThen: scored[0] ?? null,
            users: people.map(asMove<MovedUser>),
            features: features.map(asMove<MovedFeature>),
          },
  };
}

type MovedUser = { id: string; externalId: string | null; identity: Identity | null };
/** With its events in both periods. */
type MovedFeature = { name: string; before: number; now: number };
interface Move<Entry> {
  /** Whether they were active in the days before, and in the last days. */
  before: boolean;
  now: boolean;
  total: number;
  /** The most active of them. */
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

const chosen = (column: string) => sql.raw(`(SELECT ${column} FROM chosen)`);

/**
 * Defines the tables `chosen`, which has the account and the days, and `span`, which has the length of the periods that are
 * compared: the complete days up to the first day, and as many up to the last one. They don't overlap, and both have data.
 */
function comparedDays(number: SQL, { since, to, mayBeginLater }: ChangedDays) {
  const daysUpTo = (last: SQL, days: SQL) => sql`${accountDay.day} BETWEEN ${last} + 1 - ${days} AND ${last}`;
  const periodsOf = (days: SQL) => ({
    before: daysUpTo(chosen("since"), days),
    now: daysUpTo(chosen("last"), days),
  });
  const isOwn = sql`${accountDay.account} = ${chosen("account")}`;
  const most = periodsOf(sql.raw(String(EVENT_DAYS)));
  /** The end of a full first period, or of the first half of the data. */
  const usable = sql.raw(`first_day - 1 + min(${EVENT_DAYS}, CAST((last + 1 - first_day) / 2 AS INTEGER))`);
  const tables = sql`chosen AS MATERIALIZED (
      SELECT account, first_day, last,
        iif(${mayBeginLater ? 1 : 0} OR since < first_day, max(since, ${usable}), since) AS since
      FROM (SELECT number AS account, ${since} AS since, ${to} AS last, (SELECT min(day) FROM (
          SELECT min(day) AS day FROM ${accountDays} WHERE account = number
          UNION ALL SELECT min(day) FROM ${healthDays} WHERE account = number)) AS first_day
        FROM (SELECT ${number} AS number))),
    span AS MATERIALIZED (
      SELECT min(iif(sum(${accountDay.userDays}) > ${MAX_COMPARED}, ${WEEK_DAYS}, ${EVENT_DAYS}),
        ${chosen("last - since")}, ${chosen("since + 1 - first_day")}) AS days
      FROM ${accountDays} "accountDay" WHERE ${isOwn} AND (${most.before} OR ${most.now}))`;
  return { tables, isOwn, ...periodsOf(sql`(SELECT days FROM span)`) };
}
type Compared = ReturnType<typeof comparedDays>;

function usageQuery(db: Database, { tables, isOwn, before, now }: Compared) {
  const eventsOf = (period: SQL) => sql<number>`(SELECT coalesce(sum(${accountDay.events}), 0)
    FROM ${accountDays} "accountDay" WHERE ${isOwn} AND ${period})`;
  return db
    .select({
      since: sql<Day>`since`.as("since"),
      firstDay: sql<Day | null>`first_day`.as("first_day"),
      /** How many days up to the first and up to the last day were compared. */
      days: sql<number>`days`.as("days"),
      eventsBefore: sql<number>`events_before`.as("events_before"),
      eventsNow: sql<number>`events_now`.as("events_now"),
    })
    .from(
      sql`(WITH ${tables} SELECT since, first_day, days, ${eventsOf(before)} AS events_before, ${eventsOf(now)} AS events_now
        FROM chosen, span) AS usage`,
    );
}

/** Reads the last scored days up to the last and to the first of the days. */
const scoredQuery = (db: Database, { tables }: Compared) =>
  db
    .select({ day: healthDays.day, score: healthDays.score, state: healthDays.state })
    .from(healthDays)
    .innerJoin(
      sql`(WITH ${tables} SELECT account, (SELECT max(day) FROM ${healthDays} WHERE account = chosen.account AND day <= value) AS last
        FROM chosen, json_each(json_array(since, last))) AS scored`,
      sql`${healthDays.account} = scored.account AND ${healthDays.day} = scored.last`,
    )
    .orderBy(desc(healthDays.day));

/** Compares who was active, or which events were sent, in both periods: a row for those of both, and of either. */
function movesQuery(db: Database, list: "users" | "features", { tables, isOwn, before, now }: Compared, first: SQL) {
  const [entry, amount] = list === "users" ? ["entry.value", "1"] : ["entry.key", "entry.value ->> 0"];
  const total = (period: SQL) => sql`sum(${sql.raw(amount)}) FILTER (WHERE ${period})`;
  return db
    .select({
      before: sql<number>`is_before`.as("is_before"),
      now: sql<number>`is_now`.as("is_now"),
      total: sql<number>`total`.as("total"),
      first: sql<string>`${first}`.as("first_moved"),
    })
    .from(
      sql`(WITH ${tables}
        SELECT is_before, is_now, count(*) AS total,
          json_group_array(json_array(number, before, now) ORDER BY place) FILTER (WHERE place <= ${MAX_NAMED}) AS numbers
        FROM (SELECT *, before IS NOT NULL AS is_before, now IS NOT NULL AS is_now, row_number() OVER (
          PARTITION BY before IS NULL, now IS NULL ORDER BY coalesce(before, 0) + coalesce(now, 0) DESC, number) AS place FROM (
          SELECT ${sql.raw(beside('"accountDay".account', entry))} AS number, ${total(before)} AS before, ${total(now)} AS now
          FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay[list]}) entry
          WHERE ${isOwn} AND (${before} OR ${now})
          GROUP BY ${sql.raw(entry)}))
        GROUP BY is_before, is_now) AS moved`,
    );
}
