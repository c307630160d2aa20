/**
 * Stores and removes the names by which questions find accounts and users. The fold stores the ids in messages; the
 * identity operation stores the names of people and companies.
 */
import { nameKeys } from "../../core/ask/names.ts";
import { columnsOf } from "../client/columns-of.ts";
import { type NAME_SOURCES, names } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { a, m, u } from "./query/aliases.ts";

/** The number of an account or a user, and what it is called. */
export interface UnnamedRow {
  kind: "account" | "user";
  subject: number;
  text: string;
}

export interface Name extends UnnamedRow {
  source: (typeof NAME_SOURCES)[number];
}

export type NameRow = [
  kind: Name["kind"],
  subject: number,
  source: Name["source"],
  text: string,
  key: string,
  isPart: 0 | 1,
];

/** Builds a row for each key of a name. */
export const nameRows = ({ kind, subject, source, text }: Name): NameRow[] =>
  nameKeys(text, source).map(({ key, isPart }) => [kind, subject, source, text, key, isPart ? 1 : 0]);

const n = columnsOf(names);
const h = columnsOf(names, "h");

/** Selects the number of an account or user, if it still has the external id that the name was made of. */
const numberIn = ({ table, number, workspace, externalId }: typeof a | typeof u, own: string) => `(
  SELECT ${number} FROM ${table} WHERE ${number} = r.value ->> 1 AND ${workspace} = ${own}
    AND (r.value ->> 2 <> 'external_id' OR ${externalId} = r.value ->> 3))`;

/**
 * Builds the statement that stores names, unless they are already stored.
 * @param condition of the write, which may use further parameters
 * @param workspace its number
 * @param rows lists `NameRow`s
 */
export const insertNamesSql = (condition: string, workspace = "?1", rows = "?2"): string => `
INSERT INTO ${n.table} (${n.workspace}, ${n.key}, ${n.kind}, ${n.subject}, ${n.source}, ${n.isPart})
SELECT ${workspace}, key, kind, subject, source, isPart
FROM (
  SELECT r.value ->> 4 AS key, r.value ->> 0 AS kind, r.value ->> 2 AS source, r.value ->> 5 AS isPart,
    iif(r.value ->> 0 = 'account', ${numberIn(a, workspace)}, ${numberIn(u, workspace)}) AS subject
  FROM json_each(${rows}) r
)
WHERE subject IS NOT NULL AND ${condition}
ON CONFLICT DO NOTHING`;

/**
 * Builds the statement that deletes names, for the transaction that deletes their source.
 * Without the index and the casts, SQLite would read all names of the workspace.
 * @param removed selects kind, subject and source of the names
 * @param condition of the write
 * @param workspace its number
 */
export const deleteNamesSql = (removed: string, condition: string, workspace = "?1"): string => `
DELETE FROM ${n.table} INDEXED BY names_subject WHERE ${n.workspace} = ${workspace} AND (${n.kind}, ${n.subject}, ${n.source}) IN (
  SELECT CAST(kind AS TEXT), CAST(subject AS INTEGER), CAST(source AS TEXT) FROM (${removed})
) AND ${condition}`;

const isUnnamed = (kind: Name["kind"], number: string): string => `NOT EXISTS (
  SELECT 1 FROM ${h.table} WHERE ${h.workspace} = ?1 AND ${h.kind} = '${kind}' AND ${h.subject} = ${number}
    AND ${h.source} = 'external_id')`;

/**
 * Selects the accounts and users of messages whose external ids aren't names yet. ?1 is the workspace's number.
 * @param where picks messages, called `m`
 * @param most how many accounts and how many users to select
 */
export const selectUnnamed = (where: string, most = -1): string => `
SELECT * FROM (SELECT 'account' AS kind, ${a.number} AS subject, ${a.externalId} AS text
FROM (SELECT DISTINCT ${m.account} AS number FROM ${m.table} WHERE ${where} AND ${m.account} IS NOT NULL) b
CROSS JOIN ${a.table} ON ${a.number} = b.number
WHERE ${isNotErased(a.externalId)} AND ${isUnnamed("account", a.number)} LIMIT ${most})
UNION ALL
SELECT * FROM (SELECT 'user', ${u.number}, ${u.externalId}
FROM (SELECT DISTINCT ${m.user} AS number FROM ${m.table} WHERE ${where} AND ${m.user} IS NOT NULL) b
CROSS JOIN ${u.table} ON ${u.number} = b.number
WHERE ${isNotErased(u.externalId)} AND ${isUnnamed("user", u.number)} LIMIT ${most})`;
