/** SQL of past values: attributes by the days on which senders reported them, and health by the days that were scored. */
import type { Day, Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { dayOf } from "../../client/sql-fragments.ts";
import { attributeDays, healthDays, messages } from "../../schema/schema.ts";
import { IN_TAIL } from "../tail.ts";

const d = columnsOf(attributeDays, "d");
const h = columnsOf(healthDays, "h");
const m = columnsOf(messages, "m");

/** Attributes of accounts with a history, as they are stored; `state` and `score` are of the health. */
export type Historic = "stage" | "plan" | "seats" | "mrr" | "state" | "score";

/**
 * Selects `id`, `day`, `at` and `value` of the accounts in `subject`: everything reported up to a day, the unfolded tail
 * included. A day may have several rows; the one with the latest `at` and `seq` is its value.
 */
function reported(name: Historic, until: Day): string {
  if (name === "state" || name === "score")
    return `SELECT s.id, ${h.day} AS day, 0 AS at, 0 AS seq, ${h[name]} AS value
  FROM subject s CROSS JOIN ${h.table} ON ${h.account} = s.id AND ${h.day} <= ${until}`;
  const path = `'$.${name}'`;
  const messageDay = dayOf(m.occurredAt);
  return `SELECT s.id, ${d.day} AS day, ${d.attributes} -> ${path} ->> 1 AS at, ${d.attributes} -> ${path} ->> 2 AS seq,
    ${d.attributes} -> ${path} ->> 0 AS value
  FROM subject s CROSS JOIN ${d.table} ON ${d.account} = s.id AND ${d.day} <= ${until}
  WHERE json_type(${d.attributes}, ${path}) IS NOT NULL
  UNION ALL
  SELECT s.id, ${messageDay}, ${m.occurredAt}, ${m.seq}, ${m.attributes} ->> ${path}
  FROM ${m.table} CROSS JOIN subject s ON s.id = ${m.account}
  WHERE ${IN_TAIL} AND ${messageDay} <= ${until} AND json_type(${m.attributes}, ${path}) IS NOT NULL`;
}

/** Selects the value at the end of each day with a report: `id`, `day`, `value`. */
const daily = (name: Historic, until: Day): string => `
  SELECT id, day, value FROM (
    SELECT *, row_number() OVER (PARTITION BY id, day ORDER BY at DESC, seq DESC) AS place FROM (${reported(name, until)})
  ) WHERE place = 1`;

/** Selects the value at the end of a day: `id`, `value`. Accounts without a report have no row. */
export const valueOn = (name: Historic, day: Day): string => `
  SELECT id, value FROM (
    SELECT id, value, row_number() OVER (PARTITION BY id ORDER BY day DESC) AS place FROM (${daily(name, day)})
  ) WHERE place = 1`;

/**
 * Selects the changes on the days of a window: `id`, `day`, `value`, `before`.
 * @param read turns a stored value into the one that is compared
 */
export const changesIn = (name: Historic, { from, to }: Window, read: (value: string) => string): string => `
  SELECT id, day, value, before FROM (
    SELECT id, day, ${read("value")} AS value, lag(${read("value")}) OVER (PARTITION BY id ORDER BY day) AS before
    FROM (${daily(name, to)})
  ) WHERE day >= ${from} AND value IS NOT before`;
