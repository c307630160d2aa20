/**
 * The parts of the ingest statements. They read :rows as an array of rows `head`, or as an object of entries `entry`, with
 * rows by the name of a user or an account: a name's rows are unpacked only when its stored row needs a change.
 */
import { columnsOf } from "../client/columns-of.ts";
import { prepare, type Prepared } from "../client/prepare.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { accounts, folds, messages, users } from "../schema/schema.ts";

const account = columnsOf(accounts);
const fold = columnsOf(folds);
const message = columnsOf(messages);
const user = columnsOf(users, "user");

/**
 * Collapses white space, because every request carries its statements and indentation is a third of them. No literal in
 * them has two spaces in a row.
 */
export const oneLine = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values)
    .replaceAll(/\s+/g, " ")
    .trim();

/** The fields of a row of :rows. */
export const HEAD = {
  position: "head.value ->> 0",
  messageId: "head.value ->> 1",
  type: "head.value ->> 2",
  userId: "head.value ->> 3",
  accountId: "head.value ->> 4",
  /** The index in the order of occurredAt, with ties by position: unique within the request. */
  rank: "head.value ->> 5",
  // Only rows of the append have the following.
  occurredAt: "head.value ->> 6",
  event: "head.value ->> 7",
  attributes: "head.value ->> 8",
  properties: "head.value ->> 9",
  mapping: "head.value ->> 10",
} as const;

const isNotStored = (messageId: string) => `NOT EXISTS (
  SELECT 1 FROM ${message.table}
  WHERE ${message.workspace} = :workspace AND ${message.source} = :source AND ${message.messageId} = ${messageId})`;

/**
 * Deduplication (docs/wire/batches.md §4.4): whether the message is not in the log yet. Statements do nothing for the others,
 * which are duplicates.
 */
export const NOT_STORED_YET = isNotStored(HEAD.messageId);

/** The stored users that :rows names, each with its rows. */
export const STORED_USERS = `json_each(:rows) entry CROSS JOIN ${user.table} CROSS JOIN json_each(entry.value) head`;

const KNOWN = {
  accountId: `SELECT 1 FROM ${account.table}
    WHERE ${account.workspace} = :workspace AND ${account.kind} = 'company' AND ${account.externalId} = entry.key`,
  userId: `SELECT 1 FROM ${user.table} WHERE ${user.workspace} = :workspace AND ${user.externalId} = entry.key`,
} as const;

/** Whether a message that is not stored yet names an account or user that is new. Nothing more is read about a known name. */
export const isNew = (name: keyof typeof KNOWN) => `iif(EXISTS (${KNOWN[name]}), FALSE, iif(entry.type = 'text',
  ${isNotStored("entry.value")}, EXISTS (SELECT 1 FROM json_each(entry.value) id WHERE ${isNotStored("id.value")})))`;

/** The key of the workspace's newest message, or the watermark if retention deleted that one: no key is used twice. */
export const LAST_SEQ = `coalesce(${newestSeq(":workspace")},
    (SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = :workspace), :workspace << 32
  )`;

/** Makes the time of every year from 0 to 9999 positive, so that its zero-padded text sorts like the number. */
const BEFORE_ALL_TIMES_MS = 1_000_000_000_000_000;

/**
 * Merges attributes into a JSON column of the shape name → `[value, occurredAt, seq]`. The latest value of each name
 * wins.
 * @param owners the table and its key
 * @param column its JSON column
 * @param candidates selects owner, name, value (JSON text), occurred_at and seq
 */
export function mergeAttributes(
  { table, number }: { table: string; number: string },
  column: string,
  candidates: string,
): Prepared {
  const stored = `coalesce(owner.${column}, '{}')`;
  return prepare(oneLine`
UPDATE ${table} SET ${column} = json_patch(coalesce(${table}.${column}, '{}'), merged.patch)
FROM (
  SELECT latest.owner, json_group_object(latest.name, json_array(json(latest.value), latest.occurred_at, latest.seq)) AS patch
  FROM (
    SELECT owner, name, value, occurred_at, seq, max(printf('%020d %020d', occurred_at + ${String(BEFORE_ALL_TIMES_MS)}, seq))
    FROM (${candidates})
    GROUP BY owner, name
  ) latest CROSS JOIN ${table} owner ON owner.${number} = latest.owner
  WHERE ${stored} -> latest.name IS NULL OR (latest.occurred_at, latest.seq)
    > (${stored} ->> ('$.' || latest.name || '[1]'), ${stored} ->> ('$.' || latest.name || '[2]'))
  GROUP BY latest.owner
) merged
WHERE ${table}.${number} = merged.owner`);
}
