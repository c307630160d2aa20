/**
 * The statements that fold a range of a workspace's log into daily rollups. They run in one transaction that also moves
 * the watermark, and each one checks the watermark that it was built for. A range is therefore folded once, whatever
 * crashes, overlaps or runs again.
 *
 * All statements take the same parameters:
 *   ?1 the workspace's number   ?2 the seq before the range, equal to the watermark   ?3 the last seq
 *   ?4 the run   ?5 today   ?6 the first day to take (for a rebuild)
 */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { dayOf, lastNumber } from "../client/sql-fragments.ts";
import { type Statement, statement, type Value } from "../client/statements.ts";
import {
  accountProgress,
  attributeDays,
  eventNames,
  folds,
  messages,
  pendingAttributeDays,
  rollups,
  userAccounts,
  workspaceDays,
} from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";

/** The messages after `from`, up to and including `through`, that occurred on `firstDay` or later. */
export interface LogRange {
  from: number;
  through: number;
  firstDay: Day;
}

const a = columnsOf(accountProgress);
const d = columnsOf(workspaceDays);
const e = columnsOf(eventNames);
const f = columnsOf(folds);
const m = columnsOf(messages, "m");
const p = columnsOf(pendingAttributeDays, "p");
const r = columnsOf(rollups);
const u = columnsOf(userAccounts);

/** The column of `folds` that records the progress of a fold, or of a rebuild. */
const PROGRESS = { fold: f.watermark, rebuild: f.rebuiltThrough } as const;
export type FoldKind = keyof typeof PROGRESS;

const DAY = dayOf(m.occurredAt);
const IN_RANGE = `${m.seq} > ?2 AND ${m.seq} <= ?3 AND ${DAY} >= ?6`;
const IS_EVENT = `${IN_RANGE} AND ${m.type} = 'track' AND ${m.account} IS NOT NULL`;

/** The first account in the range of each user with pending attributes. It receives them. */
const FIRST_ACCOUNTS = `(
  SELECT ${m.user} AS user, ${m.account} AS account, min(${m.seq})
  FROM ${m.table}
  WHERE ${m.seq} > ?2 AND ${m.seq} <= ?3 AND ${m.account} IS NOT NULL
    AND EXISTS (SELECT 1 FROM ${p.table} WHERE ${p.user} = ${m.user})
  GROUP BY ${m.user}
)`;

const PENDING_OF_FIRST_ACCOUNTS = `${FIRST_ACCOUNTS} first CROSS JOIN ${p.table} ON ${p.user} = first.user`;

/** Selects owner, day, name, value, occurred_at and seq of the attributes that messages carry. */
const attributesOf = (owner: string, condition: string) => `
  SELECT ${owner} AS owner, ${DAY} AS day, a.key AS name, ${m.attributes} -> a.key AS value,
    ${m.occurredAt} AS occurred_at, ${m.seq} AS seq
  FROM ${m.table} CROSS JOIN json_each(${m.attributes}) a
  WHERE ${IN_RANGE} AND ${m.attributes} IS NOT NULL AND ${condition}`;

/** Selects the same columns from a row of stored attributes. */
const storedAttributes = (source: string, row: { day: string; attributes: string }, owner: string) => `
  SELECT ${owner} AS owner, ${row.day} AS day, a.key AS name, a.value -> 0 AS value, a.value ->> 1 AS occurred_at,
    a.value ->> 2 AS seq
  FROM ${source} CROSS JOIN json_each(${row.attributes}) a`;

const byAccount = columnsOf(attributeDays);
const byUser = columnsOf(pendingAttributeDays);

/** Keeps the latest value of each owner, day and name among the new ones and the stored one. */
function keepLatest(
  { table, day, attributes }: typeof byAccount | typeof byUser,
  owner: string,
  incoming: string,
  may: string,
): string {
  const row = { day: `d.${day}`, attributes: `d.${attributes}` };
  const source = `(SELECT DISTINCT owner, day FROM incoming) i
      CROSS JOIN ${table} d ON d.${owner} = i.owner AND d.${day} = i.day`;
  return `
INSERT INTO ${table} (${owner}, ${day}, ${attributes})
WITH incoming AS MATERIALIZED (${incoming})
SELECT owner, day, json_group_object(name, json_array(json(value), occurred_at, seq))
FROM (
  SELECT owner, day, name, value, occurred_at, seq,
    row_number() OVER (PARTITION BY owner, day, name ORDER BY occurred_at DESC, seq DESC) AS place
  FROM (
    SELECT * FROM incoming
    UNION ALL
    ${storedAttributes(source, row, "i.owner")}
  )
  ORDER BY owner, day, name
)
WHERE place = 1 AND ${may}
GROUP BY owner, day
ON CONFLICT (${owner}, ${day}) DO UPDATE SET ${attributes} = excluded.${attributes}`;
}

/** New names come first, so that they get the next numbers. The numbers of others aren't used. */
const upsertEventNames = (may: string) => `
INSERT INTO ${e.table} (${e.number}, ${e.workspace}, ${e.name}, ${e.firstDay}, ${e.lastDay})
SELECT ${lastNumber(e, "?1")} + row_number() OVER (ORDER BY is_known, first_seq), ?1, event, first, last
FROM (
  SELECT ${m.event} AS event, min(${DAY}) AS first, max(${DAY}) AS last, min(${m.seq}) AS first_seq,
    EXISTS (SELECT 1 FROM ${e.table} n WHERE n.${e.workspace} = ?1 AND n.${e.name} = ${m.event}) AS is_known
  FROM ${m.table} WHERE ${IS_EVENT} AND ${may} GROUP BY ${m.event}
)
WHERE TRUE
ON CONFLICT (${e.workspace}, ${e.name}) DO UPDATE SET
  ${e.firstDay} = min(coalesce(${e.firstDay}, excluded.${e.firstDay}), excluded.${e.firstDay}),
  ${e.lastDay} = max(coalesce(${e.lastDay}, excluded.${e.lastDay}), excluded.${e.lastDay})
WHERE excluded.${e.firstDay} < coalesce(${e.firstDay}, 1e9) OR excluded.${e.lastDay} > ${e.lastDay}`;

const addRollups = (may: string) => `
INSERT INTO ${r.table} (${r.account}, ${r.day}, ${r.user}, ${r.event}, ${r.count}, ${r.lastAt})
SELECT g.account, g.day, g.user, n.${e.number}, g.count, g.last_at
FROM (
  SELECT ${m.account} AS account, ${DAY} AS day, coalesce(${m.user}, 0) AS user, ${m.event} AS event, count(*) AS count,
    max(${m.occurredAt}) AS last_at
  FROM ${m.table}
  WHERE ${IS_EVENT} AND ${may}
  GROUP BY 1, 2, 3, 4
) g CROSS JOIN ${e.table} n ON n.${e.workspace} = ?1 AND n.${e.name} = g.event
WHERE true
ON CONFLICT (${r.account}, ${r.day}, ${r.user}, ${r.event}) DO UPDATE
SET ${r.count} = ${r.count} + excluded.${r.count}, ${r.lastAt} = max(${r.lastAt}, excluded.${r.lastAt})`;

const addWorkspaceDays = (may: string) => `
INSERT INTO ${d.table} (${d.workspace}, ${d.day}, ${d.events})
SELECT ?1, ${DAY}, count(*)
FROM ${m.table}
WHERE ${IS_EVENT} AND ${may}
GROUP BY 2
ON CONFLICT (${d.workspace}, ${d.day}) DO UPDATE SET ${d.events} = ${d.events} + excluded.${d.events}`;

/** Each row is written at most once a day, however often that day's events are folded. */
const upsertUserAccounts = (may: string) => `
INSERT INTO ${u.table} (${u.user}, ${u.account}, ${u.firstDay}, ${u.lastDay})
SELECT ${m.user}, ${m.account}, min(${DAY}), max(${DAY})
FROM ${m.table}
WHERE ${IS_EVENT} AND ${m.user} IS NOT NULL AND ${may}
GROUP BY ${m.user}, ${m.account}
ON CONFLICT (${u.user}, ${u.account}) DO UPDATE SET
  ${u.firstDay} = min(${u.firstDay}, excluded.${u.firstDay}), ${u.lastDay} = max(${u.lastDay}, excluded.${u.lastDay})
WHERE excluded.${u.firstDay} < ${u.firstDay} OR excluded.${u.lastDay} > ${u.lastDay}`;

/** A new account is due at once. */
const upsertProgress = (may: string) => `
INSERT INTO ${a.table} (${a.workspace}, ${a.account}, ${a.firstAt}, ${a.lastEventAt}, ${a.summarizeFrom}, ${a.scoreFrom}, ${a.dueAt})
SELECT ?1, account, min(first_at), max(last_event_at), min(day), min(day), 0
FROM (
  SELECT ${m.account} AS account, min(${m.occurredAt}) AS first_at,
    max(iif(${m.type} = 'track', ${m.occurredAt}, NULL)) AS last_event_at, min(${DAY}) AS day
  FROM ${m.table}
  WHERE ${IN_RANGE} AND ${m.account} IS NOT NULL
  GROUP BY ${m.account}
  UNION ALL
  SELECT first.account, NULL, NULL, min(${p.day})
  FROM ${PENDING_OF_FIRST_ACCOUNTS}
  GROUP BY first.account
)
WHERE ${may}
GROUP BY account
ON CONFLICT (${a.workspace}, ${a.account}) DO UPDATE SET
  ${a.firstAt} = min(${a.firstAt}, excluded.${a.firstAt}),
  ${a.lastEventAt} = max(coalesce(${a.lastEventAt}, excluded.${a.lastEventAt}), coalesce(excluded.${a.lastEventAt}, ${a.lastEventAt})),
  ${a.summarizeFrom} = min(coalesce(${a.summarizeFrom}, excluded.${a.summarizeFrom}), excluded.${a.summarizeFrom}),
  ${a.scoreFrom} = min(${a.scoreFrom}, excluded.${a.scoreFrom})`;

/**
 * Makes accounts due that have new messages on a complete day. This is a separate statement because the upsert would
 * write the index on due accounts for every account of every range, even where it doesn't change.
 */
const setDue = (may: string) => `
UPDATE ${a.table} SET ${a.dueAt} = 0
WHERE ${a.workspace} = ?1 AND ${a.dueAt} IS NOT 0 AND ${a.account} IN (
  SELECT ${m.account} FROM ${m.table} WHERE ${IN_RANGE} AND ${DAY} < ?5
  UNION
  SELECT first.account FROM ${PENDING_OF_FIRST_ACCOUNTS} AND ${p.day} < ?5
) AND ${may}`;

const setLastEvent = (may: string) => `
UPDATE ${f.table} SET ${f.lastEventAt} = max(coalesce(${f.table}.${f.lastEventAt}, e.at), e.at)
FROM (SELECT max(${m.occurredAt}) AS at FROM ${m.table} WHERE ${IS_EVENT}) e
WHERE ${f.table}.${f.workspace} = ?1 AND e.at IS NOT NULL AND ${may}`;

const deleteAppliedPending = (may: string) => `
DELETE FROM ${byUser.table} WHERE ${byUser.user} IN (SELECT first.user FROM ${FIRST_ACCOUNTS} first) AND ${may}`;

/** Whether the run may fold what comes after ?2. */
export const mayFold = (kind: FoldKind): string => `${mayWrite("?4", "?1")}
  AND EXISTS (SELECT 1 FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${PROGRESS[kind]} = ?2)`;

/** A rebuild replaces rollups only; the bounds of accounts stay. */
function foldStatements(kind: FoldKind): string[] {
  const may = mayFold(kind);
  const applied = storedAttributes(PENDING_OF_FIRST_ACCOUNTS, p, "first.account");
  return [
    upsertEventNames(may),
    addRollups(may),
    addWorkspaceDays(may),
    keepLatest(byUser, byUser.user, attributesOf(m.user, `${m.account} IS NULL AND ${m.user} IS NOT NULL`), may),
    keepLatest(
      byAccount,
      byAccount.account,
      `${attributesOf(m.account, `${m.account} IS NOT NULL`)} UNION ALL ${applied}`,
      may,
    ),
    upsertUserAccounts(may),
    ...(kind === "fold" ? [upsertProgress(may), setDue(may), setLastEvent(may)] : []),
    deleteAppliedPending(may),
  ];
}

export const FOLD_RANGE = { fold: foldStatements("fold"), rebuild: foldStatements("rebuild") } as const;

/** Also changes the row when it is repeated, because its answer was lost. */
const moveProgress = (progress: string): string => `
UPDATE ${f.table} SET ${progress} = ?3 WHERE ${f.workspace} = ?1 AND ${progress} IN (?2, ?3) AND ${mayWrite("?4", "?1")}`;

export const MOVE_PROGRESS = { fold: moveProgress(f.watermark), rebuild: moveProgress(f.rebuiltThrough) } as const;

/** Binds the first of the values, as many as the statement has parameters: D1 rejects more. */
export const boundFirst = <R>(sql: string, values: readonly Value[]): Statement<R> =>
  statement(sql, ...values.slice(0, Math.max(...Array.from(sql.matchAll(/\?(\d)/g), ([, place]) => Number(place)))));
