/** SQL of past values: attributes by the days on which senders reported them, and health by the days that were scored. */
import type { Day, Window } from "../../../core/health/model.ts";
import { dayOf } from "../../client/sql-fragments.ts";
import { IN_TAIL } from "../tail.ts";
import { ad, b, hd, m } from "./aliases.ts";
import { stageOf } from "./dimension-sql.ts";
import type { Selection } from "./selection.ts";

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

/**
 * Selects `id`, `day`, `at`, `seq` and `value` of the accounts of a selection: all values of a dimension up to a day, the
 * unfolded tail included. A day may have several rows; the one with the latest `at` and `seq` counts. For the
 * stage, each account also has a NULL on its first day, which means active.
 */
function reported(selection: Selection, name: string, until: Day): string {
  if (name === "health" || name === "score")
    return `SELECT s.account AS id, ${hd.day} AS day, 0 AS at, 0 AS seq, ${name === "health" ? hd.state : hd.score} AS value
  FROM ${accountsOf(selection)} CROSS JOIN ${hd.table} ON ${hd.account} = s.account AND ${hd.day} <= ${until}`;
  const path = `'$.${name}'`;
  const first =
    name === "stage"
      ? `UNION ALL SELECT id, value, -1e18, 0, NULL FROM (${firstDays(selection)}) WHERE value <= ${until}`
      : "";
  return `SELECT s.account AS id, ${ad.day} AS day, ${ad.attributes} -> ${path} ->> 1 AS at,
    ${ad.attributes} -> ${path} ->> 2 AS seq, ${ad.attributes} -> ${path} ->> 0 AS value
  FROM ${accountsOf(selection)} CROSS JOIN ${ad.table} ON ${ad.account} = s.account AND ${ad.day} <= ${until}
  WHERE json_type(${ad.attributes}, ${path}) IS NOT NULL
  UNION ALL
  SELECT s.account, ${MESSAGE_DAY}, ${m.occurredAt}, ${m.seq}, ${m.attributes} ->> ${path}
  FROM ${m.table} CROSS JOIN ${accountsOf(selection)} ON s.account = ${m.account}
  WHERE ${IN_TAIL} AND ${MESSAGE_DAY} <= ${until} AND json_type(${m.attributes}, ${path}) IS NOT NULL ${first}`;
}

/** Selects the last value of each account, or of each account and day: `id`, `day`, `value`. */
const lastOf = (selection: Selection, each: "id" | "id, day", name: string, until: Day): string => `
  SELECT id, day, value FROM (
    SELECT *, row_number() OVER (PARTITION BY ${each} ORDER BY day DESC, at DESC, seq DESC) AS place
    FROM (${reported(selection, name, until)})
  ) WHERE place = 1`;

/** Selects the value at the end of a day: `id`, `value`. Accounts without a report have no row. */
export const valueOn = (selection: Selection, name: string, day: Day): string => lastOf(selection, "id", name, day);

/**
 * Selects the days of a window with a report: `id`, `day`, `value`, and the value `before`.
 * @param isKnown leaves out days on which the value was removed
 */
export function changesIn(selection: Selection, name: string, { from, to }: Window, isKnown: boolean): string {
  const read = name === "stage" ? stageOf("value") : "value";
  return `
  SELECT id, day, value, before FROM (
    SELECT id, day, ${read} AS value, lag(${read}) OVER (PARTITION BY id ORDER BY day) AS before
    FROM (${lastOf(selection, "id, day", name, to)})${isKnown ? " WHERE value IS NOT NULL" : ""}
  ) WHERE day >= ${from}`;
}
