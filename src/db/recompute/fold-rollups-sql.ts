/**
 * The statements that fold a range of a workspace's log into daily rollups. They run in one transaction that also moves
 * the watermark, and each one checks the watermark that it was built for. A range is therefore folded once, whatever
 * crashes, overlaps or runs again. They are SQL text because they upsert what a SELECT over the range finds.
 *
 * The range is after `:from`, the seq that equals the watermark, up to and including `:through`. A rebuild takes the
 * days from `:firstDay` on.
 */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { prepare } from "../client/prepare.ts";
import { dayOf, lastNumber } from "../client/sql-fragments.ts";
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
import { MAY_WRITE } from "./lease-sql.ts";

/** The messages after `from`, up to and including `through`, that occurred on `firstDay` or later. */
export interface LogRange {
  from: number;
  through: number;
  firstDay: Day;
}

const eventName = columnsOf(eventNames);
const fold = columnsOf(folds);
const known = columnsOf(eventNames, "known");
const message = columnsOf(messages, "message");
const pending = columnsOf(pendingAttributeDays, "pending");
const progress = columnsOf(accountProgress);
const rollup = columnsOf(rollups);
const userAccount = columnsOf(userAccounts);
const workspaceDay = columnsOf(workspaceDays);

/** The column of `folds` that records the progress of a fold, or of a rebuild. */
const PROGRESS = { fold: fold.watermark, rebuild: fold.rebuiltThrough } as const;
export type FoldKind = keyof typeof PROGRESS;

const DAY = dayOf(message.occurredAt);
const IN_RANGE = `${message.seq} > :from AND ${message.seq} <= :through AND ${DAY} >= :firstDay`;
const IS_EVENT = `${IN_RANGE} AND ${message.type} = 'track' AND ${message.account} IS NOT NULL`;

/** The first account in the range of each user with pending attributes. It receives them. */
const FIRST_ACCOUNTS = `(
  SELECT ${message.user} AS user, ${message.account} AS account, min(${message.seq})
  FROM ${message.table}
  WHERE ${message.seq} > :from AND ${message.seq} <= :through AND ${message.account} IS NOT NULL
    AND EXISTS (SELECT 1 FROM ${pending.table} WHERE ${pending.user} = ${message.user})
  GROUP BY ${message.user}
)`;

const PENDING_OF_FIRST_ACCOUNTS = `${FIRST_ACCOUNTS} first CROSS JOIN ${pending.table} ON ${pending.user} = first.user`;

/** Selects owner, day, name, value, occurred_at and seq of the attributes that messages carry. */
const attributesOf = (owner: string, condition: string) => `
  SELECT ${owner} AS owner, ${DAY} AS day, attribute.key AS name, ${message.attributes} -> attribute.key AS value,
    ${message.occurredAt} AS occurred_at, ${message.seq} AS seq
  FROM ${message.table} CROSS JOIN json_each(${message.attributes}) attribute
  WHERE ${IN_RANGE} AND ${message.attributes} IS NOT NULL AND ${condition}`;

/** Selects the same columns from a row of stored attributes. */
const storedAttributes = (source: string, row: { day: string; attributes: string }, owner: string) => `
  SELECT ${owner} AS owner, ${row.day} AS day, attribute.key AS name, attribute.value -> 0 AS value,
    attribute.value ->> 1 AS occurred_at, attribute.value ->> 2 AS seq
  FROM ${source} CROSS JOIN json_each(${row.attributes}) attribute`;

const byAccount = columnsOf(attributeDays);
const byUser = columnsOf(pendingAttributeDays);

/** Keeps the latest value of each owner, day and name among the new ones and the stored one. */
function keepLatest(
  { table, day, attributes }: typeof byAccount | typeof byUser,
  owner: string,
  incoming: string,
  may: string,
): string {
  const row = { day: `stored.${day}`, attributes: `stored.${attributes}` };
  const source = `(SELECT DISTINCT owner, day FROM incoming) changed
      CROSS JOIN ${table} stored ON stored.${owner} = changed.owner AND stored.${day} = changed.day`;
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
    ${storedAttributes(source, row, "changed.owner")}
  )
  ORDER BY owner, day, name
)
WHERE place = 1 AND ${may}
GROUP BY owner, day
ON CONFLICT (${owner}, ${day}) DO UPDATE SET ${attributes} = excluded.${attributes}`;
}

/** Assigns the smaller or the larger of the stored and the new value in an upsert. Both may be NULL. */
const keep = (smallerOrLarger: "min" | "max", column: string): string =>
  `${column} = ${smallerOrLarger}(coalesce(${column}, excluded.${column}), coalesce(excluded.${column}, ${column}))`;

/** New names come first, so that they get the next numbers. The numbers of others aren't used. */
const upsertEventNames = (may: string) => `
INSERT INTO ${eventName.table}
  (${eventName.number}, ${eventName.workspace}, ${eventName.name}, ${eventName.firstDay}, ${eventName.lastDay})
SELECT ${lastNumber(eventName, ":workspace")} + row_number() OVER (ORDER BY is_known, first_seq),
  :workspace, event, first, last
FROM (
  SELECT ${message.event} AS event, min(${DAY}) AS first, max(${DAY}) AS last, min(${message.seq}) AS first_seq, EXISTS (
    SELECT 1 FROM ${known.table} WHERE ${known.workspace} = :workspace AND ${known.name} = ${message.event}
  ) AS is_known
  FROM ${message.table} WHERE ${IS_EVENT} AND ${may} GROUP BY ${message.event}
)
WHERE TRUE
ON CONFLICT (${eventName.workspace}, ${eventName.name}) DO UPDATE SET
  ${keep("min", eventName.firstDay)}, ${keep("max", eventName.lastDay)}
WHERE excluded.${eventName.firstDay} < coalesce(${eventName.firstDay}, 1e9)
  OR excluded.${eventName.lastDay} > ${eventName.lastDay}`;

const addRollups = (may: string) => `
INSERT INTO ${rollup.table}
  (${rollup.account}, ${rollup.day}, ${rollup.user}, ${rollup.event}, ${rollup.count}, ${rollup.lastAt})
SELECT counted.account, counted.day, counted.user, ${known.number}, counted.count, counted.last_at
FROM (
  SELECT ${message.account} AS account, ${DAY} AS day, coalesce(${message.user}, 0) AS user, ${message.event} AS event,
    count(*) AS count, max(${message.occurredAt}) AS last_at
  FROM ${message.table}
  WHERE ${IS_EVENT} AND ${may}
  GROUP BY 1, 2, 3, 4
) counted CROSS JOIN ${known.table} ON ${known.workspace} = :workspace AND ${known.name} = counted.event
WHERE true
ON CONFLICT (${rollup.account}, ${rollup.day}, ${rollup.user}, ${rollup.event}) DO UPDATE SET
  ${rollup.count} = ${rollup.count} + excluded.${rollup.count}, ${keep("max", rollup.lastAt)}`;

const addWorkspaceDays = (may: string) => `
INSERT INTO ${workspaceDay.table} (${workspaceDay.workspace}, ${workspaceDay.day}, ${workspaceDay.events})
SELECT :workspace, ${DAY}, count(*)
FROM ${message.table}
WHERE ${IS_EVENT} AND ${may}
GROUP BY 2
ON CONFLICT (${workspaceDay.workspace}, ${workspaceDay.day}) DO UPDATE SET
  ${workspaceDay.events} = ${workspaceDay.events} + excluded.${workspaceDay.events}`;

/** Each row is written at most once a day, however often that day's events are folded. */
const upsertUserAccounts = (may: string) => `
INSERT INTO ${userAccount.table}
  (${userAccount.user}, ${userAccount.account}, ${userAccount.firstDay}, ${userAccount.lastDay})
SELECT ${message.user}, ${message.account}, min(${DAY}), max(${DAY})
FROM ${message.table}
WHERE ${IS_EVENT} AND ${message.user} IS NOT NULL AND ${may}
GROUP BY ${message.user}, ${message.account}
ON CONFLICT (${userAccount.user}, ${userAccount.account}) DO UPDATE SET
  ${keep("min", userAccount.firstDay)}, ${keep("max", userAccount.lastDay)}
WHERE excluded.${userAccount.firstDay} < ${userAccount.firstDay}
  OR excluded.${userAccount.lastDay} > ${userAccount.lastDay}`;

/** A new account is due at once. */
const upsertProgress = (may: string) => `
INSERT INTO ${progress.table} (
  ${progress.workspace}, ${progress.account}, ${progress.firstAt}, ${progress.lastEventAt}, ${progress.summarizeFrom},
  ${progress.scoreFrom}, ${progress.dueAt}
)
SELECT :workspace, account, min(first_at), max(last_event_at), min(day), min(day), 0
FROM (
  SELECT ${message.account} AS account, min(${message.occurredAt}) AS first_at,
    max(iif(${message.type} = 'track', ${message.occurredAt}, NULL)) AS last_event_at, min(${DAY}) AS day
  FROM ${message.table}
  WHERE ${IN_RANGE} AND ${message.account} IS NOT NULL
  GROUP BY ${message.account}
  UNION ALL
  SELECT first.account, NULL, NULL, min(${pending.day})
  FROM ${PENDING_OF_FIRST_ACCOUNTS}
  GROUP BY first.account
)
WHERE ${may}
GROUP BY account
ON CONFLICT (${progress.workspace}, ${progress.account}) DO UPDATE SET
  ${keep("min", progress.firstAt)}, ${keep("max", progress.lastEventAt)},
  ${keep("min", progress.summarizeFrom)}, ${keep("min", progress.scoreFrom)}`;

/**
 * Makes accounts due that have new messages on a complete day. This is a separate statement because the upsert would
 * write the index on due accounts for every account of every range, even where it doesn't change.
 */
const setDue = (may: string) => `
UPDATE ${progress.table} SET ${progress.dueAt} = 0
WHERE ${progress.workspace} = :workspace AND ${progress.dueAt} IS NOT 0 AND ${progress.account} IN (
  SELECT ${message.account} FROM ${message.table} WHERE ${IN_RANGE} AND ${DAY} < :today
  UNION
  SELECT first.account FROM ${PENDING_OF_FIRST_ACCOUNTS} AND ${pending.day} < :today
) AND ${may}`;

const setLastEvent = (may: string) => `
UPDATE ${fold.table} SET ${fold.lastEventAt} = max(coalesce(${fold.table}.${fold.lastEventAt}, latest.at), latest.at)
FROM (SELECT max(${message.occurredAt}) AS at FROM ${message.table} WHERE ${IS_EVENT}) latest
WHERE ${fold.table}.${fold.workspace} = :workspace AND latest.at IS NOT NULL AND ${may}`;

const deleteAppliedPending = (may: string) => `
DELETE FROM ${byUser.table} WHERE ${byUser.user} IN (SELECT first.user FROM ${FIRST_ACCOUNTS} first) AND ${may}`;

/** Whether the run may fold the messages after `:from`. */
export const mayFold = (kind: FoldKind): string => `${MAY_WRITE}
  AND EXISTS (SELECT 1 FROM ${fold.table} WHERE ${fold.workspace} = :workspace AND ${PROGRESS[kind]} = :from)`;

/** A rebuild replaces rollups only; the bounds of accounts stay. */
function prepareFold(kind: FoldKind) {
  const may = mayFold(kind);
  const ofUsers = attributesOf(message.user, `${message.account} IS NULL AND ${message.user} IS NOT NULL`);
  const ofAccounts = attributesOf(message.account, `${message.account} IS NOT NULL`);
  const applied = storedAttributes(PENDING_OF_FIRST_ACCOUNTS, pending, "first.account");
  return [
    upsertEventNames(may),
    addRollups(may),
    addWorkspaceDays(may),
    keepLatest(byUser, byUser.user, ofUsers, may),
    keepLatest(byAccount, byAccount.account, `${ofAccounts} UNION ALL ${applied}`, may),
    upsertUserAccounts(may),
    ...(kind === "fold" ? [upsertProgress(may), setDue(may), setLastEvent(may)] : []),
    deleteAppliedPending(may),
  ].map(prepare);
}

export const FOLD_RANGE = { fold: prepareFold("fold"), rebuild: prepareFold("rebuild") } as const;

/** Changes the row even when it repeats a call whose answer was lost. */
const moveProgress = (column: string) =>
  prepare(`
UPDATE ${fold.table} SET ${column} = :through
WHERE ${fold.workspace} = :workspace AND ${column} IN (:from, :through) AND ${MAY_WRITE}`);

export const MOVE_PROGRESS = { fold: moveProgress(PROGRESS.fold), rebuild: moveProgress(PROGRESS.rebuild) } as const;
