/**
 * The two forms of the ingest statements: for many rows, and for one. A single capture is the most common request. Without
 * a pass over an array and a window function it reads half the rows.
 */
import { columnsOf } from "../client/columns-of.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { accounts, folds, messages, users } from "../schema/schema.ts";

const a = columnsOf(accounts, "a");
const f = columnsOf(folds);
const m = columnsOf(messages);
const u = columnsOf(users, "u");

/**
 * Says how to read ?5: as an array of rows, or as the one row itself, which needs no pass. Where ?5 groups many rows by
 * the name of a user or an account, a name's rows are unpacked only when its stored row needs a change.
 */
export const FORMS = {
  many: {
    value: "h.value",
    each: "json_each(?5) h CROSS JOIN ",
    fromEach: "json_each(?5) h",
    next: "row_number() OVER ()",
    fromEachName: "FROM json_each(?5) e",
    /** Counts the names from 1. Unlike row_number(), it reads nothing. */
    namePlace: "(e.rowid + 1)",
    accountId: "e.key",
    userId: "e.key",
    users: `json_each(?5) e CROSS JOIN ${u.table} CROSS JOIN json_each(e.value) h`,
  },
  one: {
    value: "?5",
    each: "",
    fromEach: "(SELECT 1)",
    next: "1",
    fromEachName: "",
    namePlace: "1",
    accountId: "?5 ->> 4",
    userId: "?5 ->> 3",
    users: u.table,
  },
} as const;
export type Form = (typeof FORMS)[keyof typeof FORMS];

/**
 * Collapses white space, because every request carries its statements and indentation is a third of them. No literal in
 * them has two spaces in a row.
 */
export const oneLine = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values)
    .replaceAll(/\s+/g, " ")
    .trim();

/** The places in a row of ?5. */
export const headOf = ({ value }: Form) =>
  ({
    position: `${value} ->> 0`,
    messageId: `${value} ->> 1`,
    type: `${value} ->> 2`,
    userId: `${value} ->> 3`,
    accountId: `${value} ->> 4`,
    /** The place in the order of occurredAt, with ties by position: unique within the request. */
    rank: `${value} ->> 5`,
    // Only rows of the append have the following.
    occurredAt: `${value} ->> 6`,
    event: `${value} ->> 7`,
    attributes: `${value} ->> 8`,
    properties: `${value} ->> 9`,
    mapping: `${value} ->> 10`,
  }) as const;

const isFresh = (messageId: string) => `NOT EXISTS (
  SELECT 1 FROM ${m.table} WHERE ${m.workspace} = ?1 AND ${m.source} = ?2 AND ${m.messageId} = ${messageId})`;

/** Whether the message is not in the log yet. */
export const freshIn = (form: Form) => isFresh(headOf(form).messageId);

const KNOWN = {
  accountId: `SELECT 1 FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.kind} = 'company' AND ${a.externalId}`,
  userId: `SELECT 1 FROM ${u.table} WHERE ${u.workspace} = ?1 AND ${u.externalId}`,
} as const;

/**
 * Whether a fresh message names an account or user that is new. For many messages it is checked once per name. Nothing
 * more is read about a known name.
 */
export const isNewIn = (form: Form, name: "accountId" | "userId") =>
  `iif(EXISTS (${KNOWN[name]} = ${form[name]}), FALSE, ${namedIn(form)})`;

const namedIn = (form: Form) =>
  form === FORMS.one
    ? freshIn(form)
    : `iif(e.type = 'text', ${isFresh("e.value")}, EXISTS (SELECT 1 FROM json_each(e.value) m WHERE ${isFresh("m.value")}))`;

/** The key of the workspace's newest message, or the watermark if retention deleted that one: no key is used twice. */
export const LAST_SEQ = `coalesce(
    ${newestSeq("?1")}, (SELECT ${f.watermark} FROM ${f.table} WHERE ${f.workspace} = ?1), ?1 << 32
  )`;
