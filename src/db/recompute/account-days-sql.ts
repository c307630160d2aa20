/**
 * Summarizes rollups for scoring: one row per complete day of an account, and its attributes as a list of
 * changes. A day is summarized once, after it ends, so it costs one row however often the cron ran that day.
 */
import { DAY_MS } from "../../core/durations.ts";
import { type AccountHistory, type ActiveDay, type Day, MAX_FEATURE_USERS } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { baseOf, type WorkspaceRef } from "../client/database.ts";
import { replaceChanged, withinWorkspace } from "../client/sql-fragments.ts";
import { statement } from "../client/statements.ts";
import { accountDays, accountProgress, attributeDays, rollups } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

/** The most users that the summary of an account's day lists. All days that scoring reads must fit into `STEP_SIZES.bytes`. */
export const MAX_DAY_USERS = 5_000;
/**
 * A longer list of features is left out of the summary. Senders that put ids into event names have more features than any
 * rule can use.
 */
const MAX_FEATURES_CHARACTERS = 20_000;

const a = columnsOf(accountProgress);
const d = columnsOf(accountDays, "d");
const o = columnsOf(attributeDays, "o");
const r = columnsOf(rollups, "r");
const s = columnsOf(accountDays);

/** The JSON of a day's attributes takes as long as so many rollups. */
export const ROLLUPS_PER_ATTRIBUTE_DAY = 10;

/**
 * Selects the next accounts with days to summarize, and their first and last day: whole accounts, and of the last one as
 * many days as fit. A day is summarized however large it is, if nothing else is.
 * ?1 the workspace   ?2 now   ?3 the last day   ?4 the most accounts   ?5 the most rollups
 */
const SELECT_RANGES = `
WITH due AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY ${a.dueAt}, ${a.account}) AS position, ${a.account} AS account, ${a.summarizeFrom} AS first
  FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.dueAt} <= ?2 AND ${a.summarizeFrom} <= ?3
  ORDER BY ${a.dueAt}, ${a.account} LIMIT ?4
), weights AS MATERIALIZED (
  SELECT * FROM (
    SELECT position, ${r.day} AS day, 1 AS weight
    FROM due CROSS JOIN ${r.table} ON ${r.account} = due.account AND ${r.day} BETWEEN due.first AND ?3 LIMIT ?5 + 1
  )
  UNION ALL
  SELECT * FROM (
    SELECT position, ${o.day}, ${ROLLUPS_PER_ATTRIBUTE_DAY}
    FROM due CROSS JOIN ${o.table} ON ${o.account} = due.account AND ${o.day} BETWEEN due.first AND ?3
    LIMIT CAST(?5 / ${ROLLUPS_PER_ATTRIBUTE_DAY} AS INTEGER) + 1
  )
), cut AS MATERIALIZED (
  SELECT position, day FROM (SELECT position, day, sum(weight) OVER (ORDER BY position, day) AS total FROM weights)
  WHERE total > ?5 ORDER BY position, day LIMIT 1
)
SELECT due.account, due.first,
  CASE WHEN due.position = cut.position THEN max(cut.day - (cut.day > due.first), due.first) ELSE ?3 END AS through
FROM due LEFT JOIN cut ON TRUE
WHERE coalesce(due.position < cut.position + (cut.day > due.first OR cut.position = 1), TRUE)`;

interface Step {
  now: number;
  /** The last day to summarize. */
  lastDay: Day;
  /** The most accounts, and the most rollups unless a single day has more. */
  limit: number;
  maxRollups: number;
}

/**
 * Summarizes the next days up to `lastDay` of accounts that are due.
 * @returns what was summarized; `null` if nothing is left
 */
export async function summarizeDays(session: Session, { number }: WorkspaceRef, step: Step): Promise<string | null> {
  const { now, lastDay, limit, maxRollups } = step;
  const select = statement<{ account: number; first: Day; through: Day }>(
    SELECT_RANGES,
    number,
    now,
    lastDay,
    limit,
    maxRollups,
  );
  const [{ results }] = await session.batch([select]);
  if (results.length === 0) return null;
  const ranges = JSON.stringify(results.map(({ account, first, through }) => [account, first, through]));
  await session.batch([UPSERT_DAYS, SET_SUMMARIZED].map((sql) => statement(sql, number, ranges, session.holder)));
  return ranges;
}

/** ?2 lists account, first and last day. */
const IN_RANGES = `json_each(?2) c
  CROSS JOIN ${r.table} ON ${r.account} = c.value ->> 0 AND ${r.day} BETWEEN c.value ->> 1 AND c.value ->> 2`;

const FIRST_USERS = Array.from({ length: MAX_FEATURE_USERS }, (_, index) => `users ->> ${index}`).join(", ");
const SUMMARY = [s.events, s.userDays, s.users, s.features];

const UPSERT_DAYS = `
INSERT INTO ${s.table} (${s.account}, ${s.day}, ${SUMMARY.join(", ")})
SELECT f.account, f.day, f.events, coalesce(u.user_days, 0), coalesce(u.users, '[]'),
  iif(length(f.features) <= ${MAX_FEATURES_CHARACTERS}, f.features, '{}')
FROM (
  SELECT account, day, sum(events) AS events,
    json_group_object(${withinWorkspace("event")}, json_array(events, json(users))) AS features
  FROM (
    SELECT account, day, event, events, iif(count <= ${MAX_FEATURE_USERS}, users, json_array(${FIRST_USERS})) AS users
    FROM (
      SELECT ${r.account} AS account, ${r.day} AS day, ${r.event} AS event, sum(${r.count}) AS events,
        count(nullif(${r.user}, 0)) AS count,
        json_group_array(${withinWorkspace(r.user)} ORDER BY ${r.user}) FILTER (WHERE ${r.user} > 0) AS users
      FROM ${IN_RANGES}
      GROUP BY ${r.account}, ${r.day}, ${r.event}
      ORDER BY ${r.account}, ${r.day}, ${r.event}
    )
  )
  GROUP BY account, day
) f
LEFT JOIN (
  SELECT account, day, count(*) AS user_days,
    json_group_array(${withinWorkspace("user")}) FILTER (WHERE place <= ${MAX_DAY_USERS}) AS users
  FROM (
    SELECT account, day, user, row_number() OVER (PARTITION BY account, day ORDER BY user) AS place
    FROM (
      SELECT DISTINCT ${r.account} AS account, ${r.day} AS day, ${r.user} AS user FROM ${IN_RANGES} WHERE ${r.user} > 0
    )
  )
  GROUP BY account, day
) u ON u.account = f.account AND u.day = f.day
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (${s.account}, ${s.day}) ${replaceChanged(SUMMARY)}`;

/** As many as a query may ask for. Some senders put long texts into a plan's name, and change them daily. */
const MAX_TEXT_CHARACTERS = 256;

/** The values of an account's attributes as JSON: those of its timeline, and from the first day to summarize on the new ones. */
const VALUES = `
SELECT t.value ->> 0 AS day, v.key AS name, t.value -> 1 -> v.key AS value
FROM json_each(${a.table}.${a.timeline}) t CROSS JOIN json_each(t.value -> 1) v
WHERE t.value ->> 0 < ${a.table}.${a.summarizeFrom}
UNION ALL
SELECT ${o.day}, v.key, iif(json_type(v.value, '$[0]') = 'text',
  json_quote(substr(v.value ->> 0, 1, ${MAX_TEXT_CHARACTERS})), v.value -> 0)
FROM ${o.table} CROSS JOIN json_each(${o.attributes}) v
WHERE ${o.account} = ${a.table}.${a.account} AND ${o.day} BETWEEN ${a.table}.${a.summarizeFrom} AND c.through`;

/** The timeline holds only changes: repeating a value adds nothing, nor does clearing one that was never set. */
const TIMELINE = `
SELECT json_group_array(json_array(day, json(changes))) FROM (
  SELECT day, json_group_object(name, json(value)) AS changes
  FROM (SELECT day, name, value, lag(value, 1, 'null') OVER (PARTITION BY name ORDER BY day) AS held FROM (${VALUES}))
  WHERE value <> held
  GROUP BY day
  ORDER BY day
)`;

/** Days after the range are summarized by a later step. Events of today, or later, are once their day is complete. */
const SET_SUMMARIZED = `
UPDATE ${a.table} SET ${a.timeline} = (${TIMELINE}), ${a.summarizeFrom} = (
  SELECT min(day) FROM (
    SELECT min(${r.day}) AS day FROM ${r.table} WHERE ${r.account} = ${a.table}.${a.account} AND ${r.day} > c.through
    UNION ALL
    SELECT min(${o.day}) FROM ${o.table} WHERE ${o.account} = ${a.table}.${a.account} AND ${o.day} > c.through
  )
)
FROM (SELECT value ->> 0 AS account, value ->> 2 AS through FROM json_each(?2)) c
WHERE ${a.table}.${a.workspace} = ?1 AND ${a.table}.${a.account} = c.account AND ${a.table}.${a.summarizeFrom} <= c.through
  AND ${mayWrite("?3", "?1")}`;

/** One row carries a week of days as JSON: a row per day takes 1.7 times the bytes, and a fifth to half more time to restore. */
const DAYS_PER_ROW = 7;

export interface PackedDays {
  account: number;
  /** JSON. */
  days: string;
}

/**
 * Selects {@link PackedDays} in the order of accounts and days.
 * @param source a FROM clause with `account_days d`
 * @param usersFrom, featuresFrom earlier days come without users, or without features
 */
export const selectDays = (source: string, usersFrom: string, featuresFrom: string): string => `
SELECT ${d.account} AS account, '[' || group_concat(
  '[' || ${d.day} || ',' || ${d.userDays} || ',' || iif(${d.day} >= ${usersFrom}, ${d.users}, '[]') || ','
  || iif(${d.day} >= ${featuresFrom}, ${d.features}, '{}')
  || ']' ORDER BY ${d.day}) || ']' AS days
FROM ${source}
GROUP BY ${d.account}, ${d.day} / ${DAYS_PER_ROW}
ORDER BY ${d.account}, ${d.day} / ${DAYS_PER_ROW}`;

type PackedDay = [
  day: Day,
  userDays: number,
  users: number[],
  features: Record<string, [count: number, users: number[]]>,
];

/** Restores an account's days. The objects take several times the memory of the text, so restore one account at a time. */
function activeDaysOf(rows: readonly PackedDays[]): ActiveDay[] {
  return rows.flatMap((row) => {
    const base = baseOf(row.account);
    const whole = (numbers: readonly number[]) => numbers.map((number) => base + number);
    const packed: PackedDay[] = JSON.parse(row.days);
    return packed.map(([day, userDays, users, features]) => {
      const byFeature = Object.entries(features).map(
        ([feature, [, its]]) => [base + Number(feature), whole(its)] as const,
      );
      return { day, userDays, users: whole(users), features: new Map(byFeature) };
    });
  });
}

/** An account with the data that its history starts with. */
export interface HistoryRow {
  account: number;
  kind: AccountHistory["kind"];
  firstAt: number;
  timeline: string;
  earlierDays: number;
}

export const historyOf = (
  { kind, firstAt, timeline, earlierDays }: HistoryRow,
  days: readonly PackedDays[] = [],
): AccountHistory => ({
  kind,
  firstDay: Math.floor(firstAt / DAY_MS),
  days: activeDaysOf(days),
  earlierDays,
  attributes: JSON.parse(timeline),
});
