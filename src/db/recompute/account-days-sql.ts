/**
 * Summarizes rollups for scoring: one row per complete day of an account, and its attributes as a list of changes. A
 * day is summarized once, after it ends, so it costs one row however often the cron ran that day. It is SQL text
 * because it aggregates rollups into JSON and upserts the result.
 */
import { getTableName } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { type AccountHistory, type ActiveDay, type Day, MAX_FEATURE_USERS } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { baseOf, type WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepare, type Prepared, prepareQuery } from "../client/prepare.ts";
import { replaceChanged, withinWorkspace } from "../client/sql-fragments.ts";
import { accountDays, accountProgress, attributeDays, rollups } from "../schema/schema.ts";
import { MAY_WRITE } from "./lease-sql.ts";
import type { Session } from "./session.ts";

/** The most users that the summary of an account's day lists. All days that scoring reads must fit into `STEP_SIZES.bytes`. */
export const MAX_DAY_USERS = 5_000;
/**
 * A longer list of features is left out of the summary. Senders that put ids into event names have more features than any
 * rule can use.
 */
const MAX_FEATURES_CHARACTERS = 20_000;

const accountDay = columnsOf(accountDays, "accountDay");
const attributeDay = columnsOf(attributeDays, "attributeDay");
const progress = columnsOf(accountProgress);
const rollup = columnsOf(rollups, "rollup");
const summary = columnsOf(accountDays);

/** The JSON of a day's attributes takes as long as this many rollups. */
export const ROLLUPS_PER_ATTRIBUTE_DAY = 10;

/**
 * Selects the next accounts with days to summarize, and their first and last day. It selects whole accounts, except
 * that it cuts the last one to the days that fit. If the first day alone doesn't fit, it still selects that day.
 */
const SELECT_RANGES = prepareQuery(
  {
    account: progress.account,
    first: expression<Day>("due.first"),
    through: expression<Day>(
      "CASE WHEN due.position = cut.position THEN max(cut.day - (cut.day > due.first), due.first) ELSE :lastDay END",
    ),
  },
  (columns) => `
WITH due AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY ${progress.dueAt}, ${progress.account}) AS position, ${progress.account},
    ${progress.summarizeFrom} AS first
  FROM ${progress.table}
  WHERE ${progress.workspace} = :workspace AND ${progress.dueAt} <= :now AND ${progress.summarizeFrom} <= :lastDay
  ORDER BY ${progress.dueAt}, ${progress.account} LIMIT :limit
), weights AS MATERIALIZED (
  SELECT * FROM (
    SELECT position, ${rollup.day} AS day, 1 AS weight
    FROM due CROSS JOIN ${rollup.table}
      ON ${rollup.account} = due.account AND ${rollup.day} BETWEEN due.first AND :lastDay
    LIMIT :maxRollups + 1
  )
  UNION ALL
  SELECT * FROM (
    SELECT position, ${attributeDay.day}, ${ROLLUPS_PER_ATTRIBUTE_DAY}
    FROM due CROSS JOIN ${attributeDay.table}
      ON ${attributeDay.account} = due.account AND ${attributeDay.day} BETWEEN due.first AND :lastDay
    LIMIT CAST(:maxRollups / ${ROLLUPS_PER_ATTRIBUTE_DAY} AS INTEGER) + 1
  )
), cut AS MATERIALIZED (
  SELECT position, day FROM (SELECT position, day, sum(weight) OVER (ORDER BY position, day) AS total FROM weights)
  WHERE total > :maxRollups ORDER BY position, day LIMIT 1
)
SELECT ${columns} FROM due LEFT JOIN cut ON TRUE
WHERE coalesce(due.position < cut.position + (cut.day > due.first OR cut.position = 1), TRUE)`,
);

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
  const [{ results }] = await session.batch([SELECT_RANGES.bind({ ...step, workspace: number })]);
  if (results.length === 0) return null;
  const ranges = JSON.stringify(results.map(({ account, first, through }) => [account, first, through]));
  const values = { workspace: number, holder: session.holder, ranges };
  await session.batch([UPSERT_DAYS.bind(values), SET_SUMMARIZED.bind(values)]);
  return ranges;
}

/** `:ranges` lists account, first and last day. */
const IN_RANGES = `json_each(:ranges) range CROSS JOIN ${rollup.table}
  ON ${rollup.account} = range.value ->> 0 AND ${rollup.day} BETWEEN range.value ->> 1 AND range.value ->> 2`;

const FIRST_USERS = Array.from({ length: MAX_FEATURE_USERS }, (_, index) => `users ->> ${index}`).join(", ");
const SUMMARY = [summary.events, summary.userDays, summary.users, summary.features];

const UPSERT_DAYS = prepare(`
INSERT INTO ${summary.table} (${summary.account}, ${summary.day}, ${SUMMARY.join(", ")})
SELECT feature.account, feature.day, feature.events, coalesce(active.user_days, 0), coalesce(active.users, '[]'),
  iif(length(feature.features) <= ${MAX_FEATURES_CHARACTERS}, feature.features, '{}')
FROM (
  SELECT account, day, sum(events) AS events,
    json_group_object(${withinWorkspace("event")}, json_array(events, json(users))) AS features
  FROM (
    SELECT account, day, event, events, iif(count <= ${MAX_FEATURE_USERS}, users, json_array(${FIRST_USERS})) AS users
    FROM (
      SELECT ${rollup.account} AS account, ${rollup.day} AS day, ${rollup.event} AS event,
        sum(${rollup.count}) AS events, count(nullif(${rollup.user}, 0)) AS count,
        json_group_array(${withinWorkspace(rollup.user)} ORDER BY ${rollup.user}) FILTER (WHERE ${rollup.user} > 0) AS users
      FROM ${IN_RANGES}
      GROUP BY ${rollup.account}, ${rollup.day}, ${rollup.event}
      ORDER BY ${rollup.account}, ${rollup.day}, ${rollup.event}
    )
  )
  GROUP BY account, day
) feature
LEFT JOIN (
  SELECT account, day, count(*) AS user_days,
    json_group_array(${withinWorkspace("user")}) FILTER (WHERE place <= ${MAX_DAY_USERS}) AS users
  FROM (
    SELECT account, day, user, row_number() OVER (PARTITION BY account, day ORDER BY user) AS place
    FROM (
      SELECT DISTINCT ${rollup.account} AS account, ${rollup.day} AS day, ${rollup.user} AS user
      FROM ${IN_RANGES} WHERE ${rollup.user} > 0
    )
  )
  GROUP BY account, day
) active ON active.account = feature.account AND active.day = feature.day
WHERE ${MAY_WRITE}
ON CONFLICT (${summary.account}, ${summary.day}) ${replaceChanged(SUMMARY)}`);

/** The longest text that a query may ask for. Some senders put long texts into a plan's name, and change them daily. */
const MAX_TEXT_CHARACTERS = 256;

const updated = columnsOf(accountProgress, getTableName(accountProgress));

/** The values of an account's attributes as JSON: its timeline, and new values from the first day to summarize on. */
const VALUES = `
SELECT change.value ->> 0 AS day, attribute.key AS name, change.value -> 1 -> attribute.key AS value
FROM json_each(${updated.timeline}) change CROSS JOIN json_each(change.value -> 1) attribute
WHERE change.value ->> 0 < ${updated.summarizeFrom}
UNION ALL
SELECT ${attributeDay.day}, attribute.key, iif(json_type(attribute.value, '$[0]') = 'text',
  json_quote(substr(attribute.value ->> 0, 1, ${MAX_TEXT_CHARACTERS})), attribute.value -> 0)
FROM ${attributeDay.table} CROSS JOIN json_each(${attributeDay.attributes}) attribute
WHERE ${attributeDay.account} = ${updated.account}
  AND ${attributeDay.day} BETWEEN ${updated.summarizeFrom} AND summarized.through`;

/** The timeline holds only changes: repeating a value adds nothing, nor does clearing a value that was never set. */
const TIMELINE = `
SELECT json_group_array(json_array(day, json(changes))) FROM (
  SELECT day, json_group_object(name, json(value)) AS changes
  FROM (SELECT day, name, value, lag(value, 1, 'null') OVER (PARTITION BY name ORDER BY day) AS held FROM (${VALUES}))
  WHERE value <> held
  GROUP BY day
  ORDER BY day
)`;

const firstDayAfter = ({ table, account, day }: typeof rollup | typeof attributeDay): string =>
  `SELECT min(${day}) AS day FROM ${table} WHERE ${account} = ${updated.account} AND ${day} > summarized.through`;

/** Days after the range are summarized by a later step. Events of today, or later, are once their day is complete. */
const SET_SUMMARIZED = prepare(`
UPDATE ${progress.table} SET ${progress.timeline} = (${TIMELINE}), ${progress.summarizeFrom} = (
  SELECT min(day) FROM (${firstDayAfter(rollup)} UNION ALL ${firstDayAfter(attributeDay)})
)
FROM (SELECT value ->> 0 AS account, value ->> 2 AS through FROM json_each(:ranges)) summarized
WHERE ${updated.workspace} = :workspace AND ${updated.account} = summarized.account
  AND ${updated.summarizeFrom} <= summarized.through AND ${MAY_WRITE}`);

/** One row carries a week of days as JSON: a row per day takes 1.7 times the bytes, and a fifth to half more time to restore. */
const DAYS_PER_ROW = 7;

export interface PackedDays {
  account: number;
  /** JSON. */
  days: string;
}

/**
 * Prepares the statement that selects days in the order of accounts and days.
 * @param source a FROM clause with `account_days accountDay`
 * @param usersFrom, featuresFrom earlier days come without users, or without features
 */
export const selectDays = (source: string, usersFrom: string, featuresFrom: string): Prepared<PackedDays> =>
  prepareQuery(
    {
      account: accountDay.account,
      days: expression<string>(`'[' || group_concat(
  '[' || ${accountDay.day} || ',' || ${accountDay.userDays} || ','
  || iif(${accountDay.day} >= ${usersFrom}, ${accountDay.users}, '[]') || ','
  || iif(${accountDay.day} >= ${featuresFrom}, ${accountDay.features}, '{}')
  || ']' ORDER BY ${accountDay.day}) || ']'`),
    },
    (columns) => `
SELECT ${columns} FROM ${source}
GROUP BY ${accountDay.account}, ${accountDay.day} / ${DAYS_PER_ROW}
ORDER BY ${accountDay.account}, ${accountDay.day} / ${DAYS_PER_ROW}`,
  );

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
