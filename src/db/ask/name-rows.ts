/**
 * Stores and removes the names by which questions find accounts and users. The fold stores the ids in messages; the
 * identity operation stores the names of people and companies. SQL text, because names are stored and removed in the
 * transactions of their source, in sets.
 */
import { nameKeys } from "../../core/ask/normalize-names.ts";
import { columnsOf } from "../client/columns-of.ts";
import { type NAME_SOURCES, names } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { account, message, user } from "./query/aliases.ts";

/** The number of an account or a user, and its name. */
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

const name = columnsOf(names);
const known = columnsOf(names, "known");

/** Selects the number of an account or user, if it still has the external id that the name was made of. */
const numberIn = (own: typeof account | typeof user) => `(
  SELECT ${own.number} FROM ${own.table} WHERE ${own.number} = entry.value ->> 1 AND ${own.workspace} = :workspace
    AND (entry.value ->> 2 <> 'external_id' OR ${own.externalId} = entry.value ->> 3))`;

/**
 * Builds the statement that stores names, unless they are already stored. `:rows` lists `NameRow`s.
 * @param condition of the write, which may use further parameters
 */
export const insertNamesSql = (condition: string): string => `
INSERT INTO ${name.table}
  (${name.workspace}, ${name.key}, ${name.kind}, ${name.subject}, ${name.source}, ${name.isPart})
SELECT :workspace, key, kind, subject, source, isPart
FROM (
  SELECT entry.value ->> 4 AS key, entry.value ->> 0 AS kind, entry.value ->> 2 AS source, entry.value ->> 5 AS isPart,
    iif(entry.value ->> 0 = 'account', ${numberIn(account)}, ${numberIn(user)}) AS subject
  FROM json_each(:rows) entry
)
WHERE subject IS NOT NULL AND ${condition}
ON CONFLICT DO NOTHING`;

/**
 * Builds the statement that deletes names, for the transaction that deletes their source. Without the index and the casts,
 * SQLite would read all names of the workspace.
 * @param removed selects kind, subject and source of the names
 * @param condition of the write
 */
export const deleteNamesSql = (removed: string, condition: string): string => `
DELETE FROM ${name.table} INDEXED BY names_subject
WHERE ${name.workspace} = :workspace AND (${name.kind}, ${name.subject}, ${name.source}) IN (
  SELECT CAST(kind AS TEXT), CAST(subject AS INTEGER), CAST(source AS TEXT) FROM (${removed})
) AND ${condition}`;

/**
 * Selects an {@link UnnamedRow} for each account and user of messages whose external id isn't a name yet.
 * @param where picks messages, called `message`
 * @param most how many accounts and how many users to select
 */
export const selectUnnamed = (where: string, most = -1): string => `
SELECT * FROM (${selectUnnamedOf("account", account, message.account, where)} LIMIT ${most})
UNION ALL
SELECT * FROM (${selectUnnamedOf("user", user, message.user, where)} LIMIT ${most})`;

const selectUnnamedOf = (
  kind: Name["kind"],
  own: typeof account | typeof user,
  sender: string,
  where: string,
): string => `
SELECT '${kind}' AS kind, ${own.number} AS subject, ${own.externalId} AS text
FROM (SELECT DISTINCT ${sender} AS number FROM ${message.table} WHERE ${where} AND ${sender} IS NOT NULL) sender
CROSS JOIN ${own.table} ON ${own.number} = sender.number
WHERE ${isNotErased(own.externalId)} AND NOT EXISTS (
  SELECT 1 FROM ${known.table} WHERE ${known.workspace} = :workspace AND ${known.kind} = '${kind}'
    AND ${known.subject} = ${own.number} AND ${known.source} = 'external_id')`;
