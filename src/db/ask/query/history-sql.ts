/** SQL of past values: attributes by the days on which they changed, and health by the days that were scored. */
import type { Day, Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { dayOf } from "../../client/sql-fragments.ts";
import { healthDays } from "../../schema/schema.ts";
import { inTail } from "../tail.ts";
import { account, attributeDay, healthDay, message, progress } from "./aliases.ts";
import { stageOf } from "./stage-sql.ts";
import type { Selection } from "./selection.ts";
import type { Read } from "./shared-statement.ts";
import { countOfAll, FIRST_UNSUMMARIZED_DAY, TAIL_UNITS } from "./uses-sql.ts";

/** The days to select values of: from the last day with a value, `before` at the latest, through `until`. */
interface Span {
  before: Day;
  until: Day;
  /** Whether to ignore days on which the value is unknown. */
  isKnown: boolean;
}

/** Adds the value at the end of a day. Accounts without a report have no row. @returns its table, with `id` and `value` */
export const valueOn = (selection: Selection, name: string, day: Day): string =>
  joinLast(selection, "id", name, { before: day, until: day, isKnown: false }, (values) => values);

/** Adds the first score of each account in a window, if it had none before. @returns its table, with `id`, `value` and `day` */
export const firstScore = (selection: Selection, { from, to }: Window): string =>
  joinLast(
    selection,
    "id, day",
    "score",
    { before: from - 1, until: to, isKnown: true },
    // SQLite takes a column beside min() from the row with the minimum.
    (values) =>
      `SELECT id, value, min(day) AS day FROM (${values}) WHERE value IS NOT NULL GROUP BY id HAVING day >= ${from}`,
  );

const HAD_TRIAL = ", max(value = 'trial') OVER (PARTITION BY id) AS had_trial";

interface ChangeCondition {
  isKnown?: boolean;
  isFirst?: boolean;
  until?: Day;
  wanted: string;
}

/**
 * Adds the last day of a window with a report that meets a condition on the `value` and the value `before`. For stages,
 * `said` is NULL if nothing was reported, and `had_trial` says whether the account ever was on trial.
 * @param isKnown leaves out days on which the value was removed
 * @param isFirst takes the first day of all instead, if it is in the window
 * @param until later days count too: their changes make up for those in the window
 */
export function lastChange(
  selection: Selection,
  name: string,
  { from, to }: Window,
  { isKnown = false, isFirst = false, until = to, wanted }: ChangeCondition,
): string {
  const span = { before: from - 1, until, isKnown };
  const changed = isFirst ? "min(day)" : "max(day)";
  return joinLast(
    selection,
    "id, day",
    name,
    span,
    (values) => `SELECT id, ${changed} AS value FROM (
    SELECT *, lag(value) OVER (PARTITION BY id ORDER BY day) AS before${isFirst ? HAD_TRIAL : ""}
    FROM (SELECT id, day, ${shown(name)} AS value, value AS said FROM (${values})${isKnown ? " WHERE value IS NOT NULL" : ""})
  ) WHERE ${wanted} GROUP BY id HAVING ${changed} BETWEEN ${from} AND ${to}`,
  );
}

/** The stage, MRR and currency at the end of each day, until the end of a span. */
const moneyValues = (selection: Selection, span: Span): string =>
  MONEY_NAMES.map(
    (name) =>
      `SELECT '${name}' AS name, id, day, ${shown(name)} AS value FROM (${lastOf(selection, "id, day", name, span)})`,
  ).join("\nUNION ALL\n");
const MONEY_NAMES = ["stage", "mrr", "currency"];
const valueAt = (name: string, time: string) => `max(value) FILTER (WHERE name = '${name}' AND ${time})`;
const isLastOf = (within: string) => `row_number() OVER (PARTITION BY ${within} ORDER BY day DESC) = 1`;

/**
 * Adds the amount by which each account's MRR fell in a window. A customer that churned lost all of it. An account that
 * was a customer before the window and at its end lost the difference, in the same currency.
 * @param churned the table with the days on which customers churned
 * @returns its table, with `id`, `value` and `currency`
 */
export function lostMrr(selection: Selection, { from, to }: Window, churned: string): string {
  const { statement } = selection.compiling;
  const span = { before: from - 1, until: to, isKnown: false };
  const [before, end] = ["is_before AND is_latest", "is_end"];
  const isCustomer = (time: string) => `${valueAt("stage", time)} = 'active'`;
  const [mrr, lessMrr, currency] = [valueAt("mrr", before), valueAt("mrr", end), valueAt("currency", before)];
  const sql = `SELECT id, ${currency} AS currency, CASE WHEN churned IS NOT NULL THEN ${mrr}
    WHEN ${isCustomer(before)} AND ${isCustomer(end)} AND ${currency} IS ${valueAt("currency", end)}
      THEN nullif(max(0, ${mrr} - ${lessMrr}), 0) END AS value
  FROM (SELECT *, ${isLastOf("id, name, is_before")} AS is_latest, ${isLastOf("id, name")} AS is_end FROM (
    SELECT reported.*, churn.value AS churned, reported.day < coalesce(churn.value, ${from}) AS is_before
    FROM (${moneyValues(selection, span)}) reported LEFT JOIN ${churned} churn ON churn.id = reported.id
  )) GROUP BY id`;
  return selection.join(sql, "subject.account", () => {
    for (const name of MONEY_NAMES) statement.addRead(readOf(selection, name, span));
    statement.addRead({ upperBound: TAIL_UNITS });
    return sql;
  });
}

/** The value of the dimension `name`, from the value that was reported. */
const shown = (name: string): string => (name === "stage" ? stageOf("value") : "value");

/** Selects the day of the first message of each account: `id` and `value`. */
export const firstDays = (selection: Selection): string => `SELECT id, min(day) AS value FROM (
    SELECT subject.account AS id, ${dayOf(progress.firstAt)} AS day FROM ${progressOf(selection)}
    UNION ALL
    SELECT subject.account, ${MESSAGE_DAY} FROM ${inTailOf(selection)}
  ) GROUP BY id`;

/** Adds the table that `sql` selects from the last values. */
function joinLast(
  selection: Selection,
  each: "id" | "id, day",
  name: string,
  span: Span,
  sql: (values: string) => string,
) {
  const { statement } = selection.compiling;
  const joined = sql(lastOf(selection, each, name, span));
  return selection.join(joined, "subject.account", () => {
    statement.addRead(readOf(selection, name, span));
    statement.addRead({ upperBound: TAIL_UNITS });
    return joined;
  });
}

/** Selects the last value of each account, or of each account and day: `id`, `day`, `value`. */
const lastOf = (selection: Selection, each: "id" | "id, day", name: string, span: Span): string => `
  SELECT id, day, value FROM (
    SELECT *, row_number() OVER (PARTITION BY ${each} ORDER BY day DESC, at DESC, seq DESC) AS rank
    FROM (${reported(selection, name, span)})
  ) WHERE rank = 1`;

/**
 * Selects `id`, `day`, `at`, `seq` and `value` of the accounts of a selection: the changes in the timeline, the reports of
 * days that it doesn't have yet, and the unfolded tail. A message of the tail may be earlier than a report of its day, so
 * those reports count too. Of several rows of a day, the one with the latest `at` and `seq` counts. For the stage, each
 * account also has a NULL on its first day, which means active.
 */
function reported(selection: Selection, name: string, span: Span): string {
  if (isOfHealth(name)) {
    const value = name === "health" ? healthDay.state : healthDay.score;
    return `SELECT subject.account AS id, ${healthDay.day} AS day, 0 AS at, 0 AS seq, ${value} AS value
  FROM ${healthIn(selection, name, span)}`;
  }
  const { until } = span;
  const path = `'$.${name}'`;
  const tail = `${inTailOf(selection)}
    AND ${MESSAGE_DAY} <= ${until} AND json_type(${message.attributes}, ${path}) IS NOT NULL`;
  const ofDay = `${attributeDay.attributes} -> ${path}`;
  const report = `SELECT ${attributeDay.account}, ${attributeDay.day}, ${ofDay} ->> 1, ${ofDay} ->> 2, ${ofDay} ->> 0`;
  const hasValue = `json_type(${attributeDay.attributes}, ${path}) IS NOT NULL`;
  const first =
    name === "stage"
      ? `UNION ALL SELECT id, value, -1e18, 0, NULL FROM (${firstDays(selection)}) WHERE value <= ${until}`
      : "";
  return `
  SELECT subject.account AS id, change.value ->> 0 AS day, -1e17 AS at, 0 AS seq, change.value -> 1 ->> ${path} AS value
  FROM ${progressOf(selection)} CROSS JOIN json_each(${progress.timeline}) change
    ON change.value ->> 0 < ${FIRST_UNSUMMARIZED_DAY} AND change.value ->> 0 <= ${until}
    AND json_type(change.value -> 1, ${path}) IS NOT NULL
  UNION ALL
  ${report} FROM ${unsummarizedIn(selection, until)} WHERE ${hasValue}
  UNION ALL
  ${report} FROM (SELECT DISTINCT ${message.account} AS account, ${MESSAGE_DAY} AS day FROM ${tail}) tail_days
  CROSS JOIN ${attributeDay.table} ON ${attributeDay.account} = tail_days.account
    AND ${attributeDay.day} = tail_days.day WHERE ${hasValue}
  UNION ALL
  SELECT subject.account, ${MESSAGE_DAY}, ${message.occurredAt}, ${message.seq}, ${message.attributes} ->> ${path}
  FROM ${tail} ${first}`;
}

/** The accounts of the subjects, which may be users. */
const accountsOf = ({ subject }: Selection): string =>
  `(SELECT DISTINCT account FROM ${subject} WHERE account IS NOT NULL) subject`;
const MESSAGE_DAY = dayOf(message.occurredAt);
const IN_TAIL = inTail(":workspace");

const earlier = columnsOf(healthDays, "earlier");

/** The accounts with their health on the days of a span. */
function healthIn(selection: Selection, name: string, { before, until, isKnown }: Span): string {
  const isScored = isKnown && name === "score" ? `AND ${earlier.score} IS NOT NULL` : "";
  return `${accountsOf(selection)} CROSS JOIN ${healthDay.table} ON ${healthDay.account} = subject.account
    AND ${healthDay.day} <= ${until} AND ${healthDay.day} >= coalesce((
      SELECT ${earlier.day} FROM ${earlier.table}
      WHERE ${earlier.account} = subject.account AND ${earlier.day} <= ${before} ${isScored}
      ORDER BY ${earlier.day} DESC LIMIT 1), ${before + 1})`;
}

const progressOf = (selection: Selection): string => `${accountsOf(selection)}
  CROSS JOIN ${progress.table} ON ${progress.workspace} = :workspace AND ${progress.account} = subject.account`;

/** The accounts with their messages in the tail. */
const inTailOf = (selection: Selection): string => `${message.table}
  CROSS JOIN ${accountsOf(selection)} ON subject.account = ${message.account} WHERE ${IN_TAIL}`;

/** The accounts with the attributes of days that the timeline doesn't have yet. */
const unsummarizedIn = (selection: Selection, until: Day): string => `${progressOf(selection)}
  CROSS JOIN ${attributeDay.table} ON ${attributeDay.account} = subject.account
    AND ${attributeDay.day} BETWEEN ${FIRST_UNSUMMARIZED_DAY} AND ${until}`;

const isOfHealth = (name: string): boolean => name === "health" || name === "score";

/** Its JSON is parsed, and the rows are sorted twice. */
const UNITS_PER_REPORT = 4;
/** A change takes 20 bytes of a timeline or more. */
const BYTES_PER_UNIT = 5;

function readOf(selection: Selection, name: string, span: Span): Read {
  const { before, until, isKnown } = span;
  const perReport = (from: string) => ({ from, units: UNITS_PER_REPORT });
  if (isOfHealth(name))
    return {
      // Any number of days may lack a score.
      ...(!(isKnown && name === "score") && {
        upperBound: `${UNITS_PER_REPORT} * ${countOfAll(account)} * ${until - before + 1}`,
      }),
      counted: [perReport(healthIn(selection, name, span))],
    };
  const timelines = {
    from: progressOf(selection),
    units: `1 + octet_length(${progress.timeline}) / ${BYTES_PER_UNIT}`,
  };
  return { counted: [timelines, perReport(unsummarizedIn(selection, until))] };
}
