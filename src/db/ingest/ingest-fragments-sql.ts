/**
 * The parts of the ingest statements. They read ?5 as an array of rows `h`, or as rows by the name of a user or an
 * account: a name's rows are unpacked only when its stored row needs a change.
 */
import { columnsOf } from "../client/columns-of.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { accounts, folds, messages, users } from "../schema/schema.ts";

const a = columnsOf(accounts, "a");
const f = columnsOf(folds);
const m = columnsOf(messages);
const u = columnsOf(users, "u");

/**
 * Collapses white space, because every request carries its statements and indentation is a third of them. No literal in
 * them has two spaces in a row.
 */
export const oneLine = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values)
    .replaceAll(/\s+/g, " ")
    .trim();

/** The places in a row of ?5. */
export const HEAD = {
  position: "h.value ->> 0",
  messageId: "h.value ->> 1",
  type: "h.value ->> 2",
  userId: "h.value ->> 3",
  accountId: "h.value ->> 4",
  /** The place in the order of occurredAt, with ties by position: unique within the request. */
  rank: "h.value ->> 5",
  // Only rows of the append have the following.
  occurredAt: "h.value ->> 6",
  event: "h.value ->> 7",
  attributes: "h.value ->> 8",
  properties: "h.value ->> 9",
  mapping: "h.value ->> 10",
} as const;

const isFresh = (messageId: string) => `NOT EXISTS (
  SELECT 1 FROM ${m.table} WHERE ${m.workspace} = ?1 AND ${m.source} = ?2 AND ${m.messageId} = ${messageId})`;

/** Whether the message is not in the log yet. */
export const FRESH = isFresh(HEAD.messageId);

/** The stored users that ?5 names, each with its rows. */
export const STORED_USERS = `json_each(?5) e CROSS JOIN ${u.table} CROSS JOIN json_each(e.value) h`;

const KNOWN = {
  accountId: `SELECT 1 FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.kind} = 'company' AND ${a.externalId} = e.key`,
  userId: `SELECT 1 FROM ${u.table} WHERE ${u.workspace} = ?1 AND ${u.externalId} = e.key`,
} as const;

/** Whether a fresh message names an account or user that is new. Nothing more is read about a known name. */
export const isNew = (name: keyof typeof KNOWN) => `iif(EXISTS (${KNOWN[name]}), FALSE, iif(e.type = 'text',
  ${isFresh("e.value")}, EXISTS (SELECT 1 FROM json_each(e.value) m WHERE ${isFresh("m.value")})))`;

/** The key of the workspace's newest message, or the watermark if retention deleted that one: no key is used twice. */
export const LAST_SEQ = `coalesce(
    ${newestSeq("?1")}, (SELECT ${f.watermark} FROM ${f.table} WHERE ${f.workspace} = ?1), ?1 << 32
  )`;

/** Makes the time of every year from 0 to 9999 positive, so that its zero-padded text sorts like the number. */
const BEFORE_ALL_TIMES_MS = 1_000_000_000_000_000;

/**
 * Merges attributes into a JSON column of the shape name → `[value, occurredAt, seq]`. The latest value of each name
 * wins.
 * @param target the table, its JSON column and its key
 * @param candidates selects owner, name, value (JSON text), occurred_at and seq
 */
export function mergeAttributes(
  { table, column, number }: { table: string; column: string; number: string },
  candidates: string,
): string {
  const stored = `coalesce(o.${column}, '{}')`;
  return oneLine`
UPDATE ${table} SET ${column} = json_patch(coalesce(${table}.${column}, '{}'), merged.patch)
FROM (
  SELECT c.owner, json_group_object(c.name, json_array(json(c.value), c.occurred_at, c.seq)) AS patch
  FROM (
    SELECT owner, name, value, occurred_at, seq, max(printf('%020d %020d', occurred_at + ${String(BEFORE_ALL_TIMES_MS)}, seq))
    FROM (${candidates})
    GROUP BY owner, name
  ) c CROSS JOIN ${table} o ON o.${number} = c.owner
  WHERE ${stored} -> c.name IS NULL
    OR (c.occurred_at, c.seq) > (${stored} ->> ('$.' || c.name || '[1]'), ${stored} ->> ('$.' || c.name || '[2]'))
  GROUP BY c.owner
) merged
WHERE ${table}.${number} = merged.owner`;
}
