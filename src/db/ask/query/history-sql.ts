/** SQL of past values: attributes by the days on which senders reported them, and health by the days that were scored. */
import type { Day, Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { dayOf } from "../../client/sql-fragments.ts";
import { attributeDays, healthDays } from "../../schema/schema.ts";
import { IN_TAIL } from "../tail.ts";
import { a, ad, b, hd, m } from "./aliases.ts";
import { stageOf } from "./stage-sql.ts";
import { countOfAll, type Selection } from "./selection.ts";

/** The accounts of the subjects, which may be users. */
const accountsOf = ({ subject }: Selection): string =>
  `(SELECT DISTINCT account FROM ${subject} WHERE account IS NOT NULL) s`;
const MESSAGE_DAY = dayOf(m.occurredAt);

/** Selects the day of the first message of each account: `id` and `value`. */
export const firstDays = (selection: Selection): string => `SELECT id, min(day) AS value FROM (
    SELECT s.account AS id, ${dayOf(b.firstAt)} AS day
    FROM ${accountsOf(selection)} CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.account
    UNION ALL
    SELECT s.account, ${MESSAGE_DAY} FROM ${m.table} CROSS JOIN ${accountsOf(selection)} ON s.account = ${m.account} WHERE ${IN_TAIL}
  ) GROUP BY id`;

/** The days whose values are selected: those from the last one with a value, up to `before`, until `until`. */
interface Span {
  before: Day;
  until: Day;
  /** Whether a day on which the value was removed is no day with a value. */
  isKnown: boolean;
}

/** The last day with a value before the span, which one seek finds; without one, the day after `before`. */
const sinceLast = (days: { table: string; account: string; day: string }, has: string, { before }: Span): string =>
  `coalesce((SELECT ${days.day} FROM ${days.table} WHERE ${days.account} = s.account AND ${days.day} <= ${before} AND ${has}
    ORDER BY ${days.day} DESC LIMIT 1), ${before + 1})`;

const earlier = { attributes: columnsOf(attributeDays), health: columnsOf(healthDays) };

/**
 * Selects `id`, `day`, `at`, `seq` and `value` of the accounts of a selection, the unfolded tail included. A day may have
 * several rows; the one with the latest `at` and `seq` counts. For the stage, each account also has a NULL on its first
 * day, which means active.
 */
function reported(selection: Selection, name: string, span: Span): string {
  const { until, isKnown } = span;
  const accounts = accountsOf(selection);
  if (name === "health" || name === "score") {
    const has = isKnown ? `${earlier.health[name === "health" ? "state" : "score"]} IS NOT NULL` : "TRUE";
    return `SELECT s.account AS id, ${hd.day} AS day, 0 AS at, 0 AS seq, ${name === "health" ? hd.state : hd.score} AS value
  FROM ${accounts} CROSS JOIN ${hd.table} ON ${hd.account} = s.account
    AND ${hd.day} BETWEEN ${sinceLast(earlier.health, has, span)} AND ${until}`;
  }
  const path = `'$.${name}'`;
  const { attributes } = earlier.attributes;
  const has = isKnown ? `${attributes} -> ${path} ->> 0 IS NOT NULL` : `json_type(${attributes}, ${path}) IS NOT NULL`;
  const first =
    name === "stage"
      ? `UNION ALL SELECT id, value, -1e18, 0, NULL FROM (${firstDays(selection)}) WHERE value <= ${until}`
      : "";
  return `SELECT s.account AS id, ${ad.day} AS day, ${ad.attributes} -> ${path} ->> 1 AS at,
    ${ad.attributes} -> ${path} ->> 2 AS seq, ${ad.attributes} -> ${path} ->> 0 AS value
  FROM ${accounts} CROSS JOIN ${ad.table} ON ${ad.account} = s.account
    AND ${ad.day} BETWEEN ${sinceLast(earlier.attributes, has, span)} AND ${until}
  WHERE json_type(${ad.attributes}, ${path}) IS NOT NULL
  UNION ALL
  SELECT s.account, ${MESSAGE_DAY}, ${m.occurredAt}, ${m.seq}, ${m.attributes} ->> ${path}
  FROM ${m.table} CROSS JOIN ${accounts} ON s.account = ${m.account}
  WHERE ${IN_TAIL} AND ${MESSAGE_DAY} <= ${until} AND json_type(${m.attributes}, ${path}) IS NOT NULL ${first}`;
}

/** Selects the last value of each account, or of each account and day: `id`, `day`, `value`. */
const lastOf = (selection: Selection, each: "id" | "id, day", name: string, span: Span): string => `
  SELECT id, day, value FROM (
    SELECT *, row_number() OVER (PARTITION BY ${each} ORDER BY day DESC, at DESC, seq DESC) AS place
    FROM (${reported(selection, name, span)})
  ) WHERE place = 1`;

/** Its JSON is parsed, and the rows are sorted twice. */
const UNITS_PER_REPORT = 4;

/** Adds the value at the end of a day, from the table's column `value`. Accounts without a report have no row. */
export const valueOn = (selection: Selection, name: string, day: Day): string =>
  selection.join(lastOf(selection, "id", name, { before: day, until: day, isKnown: false }), "s.account", {
    most: `${UNITS_PER_REPORT} * ${countOfAll(a)}`,
  });

/**
 * Adds the last of the days of a window with a report that meets a condition over the `value` and the value `before`.
 * @param isKnown leaves out days on which the value was removed
 */
export function lastChange(
  selection: Selection,
  name: string,
  { from, to }: Window,
  { isKnown, wanted }: { isKnown: boolean; wanted: string },
): string {
  const read = name === "stage" ? stageOf("value") : "value";
  const { table, account, day } = name === "health" || name === "score" ? hd : ad;
  const sql = `SELECT id, max(day) AS value FROM (
  SELECT id, day, value, before FROM (
    SELECT id, day, ${read} AS value, lag(${read}) OVER (PARTITION BY id ORDER BY day) AS before
    FROM (${lastOf(selection, "id, day", name, { before: from - 1, until: to, isKnown })})${isKnown ? " WHERE value IS NOT NULL" : ""}
  ) WHERE day >= ${from}) WHERE ${wanted} GROUP BY id`;
  return selection.join(sql, "s.account", {
    most: `${UNITS_PER_REPORT} * ${countOfAll(a)} * ${to - from + 2}`,
    rows: [
      `SELECT ${UNITS_PER_REPORT} AS units FROM ${accountsOf(selection)} CROSS JOIN ${table} ON ${account} = s.account
    AND ${day} BETWEEN ${from} AND ${to}`,
    ],
  });
}
