/**
 * The statements of the ingest transaction. Nothing is read before it: duplicates, the account of a message and the
 * newest attributes are all decided here, so that no concurrent request can come between a decision and its write. That is
 * why they are SQL text over sets of rows. See docs/decisions/0002-one-transaction-in-sql.md.
 *
 * Deduplication is NOT_STORED_YET (ingest-fragments-sql.ts), and ON CONFLICT on the short path (known-users.ts). The response
 * counts duplicates, and names the account and user that the message was stored for the first time.
 *
 * They are rendered once, when the module loads, so that the hot path builds no SQL. They are optimized for rows read: a
 * lookup by a unique index reads one row, or none if it misses, and a pass over :rows reads one for each of its rows.
 */
import { columnsOf } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { accounts, memberships, messages, traits, users } from "../schema/schema.ts";
import {
  HEAD,
  isNew,
  LAST_SEQ,
  mergeAttributes,
  NOT_STORED_YET,
  oneLine,
  STORED_USERS,
} from "./ingest-fragments-sql.ts";

const account = columnsOf(accounts, "account");
const message = columnsOf(messages, "message");
const user = columnsOf(users, "user");
// The table that a statement writes to has no alias.
const accountColumns = columnsOf(accounts);
const messageColumns = columnsOf(messages);
const userColumns = columnsOf(users);
const membership = columnsOf(memberships);
const trait = columnsOf(traits);
/** The user whom an UPDATE … FROM changes. */
const changed = columnsOf(users, userColumns.table);

/** Appends an account's number within its workspace to a rank or a position, so that max() and min() carry it along. */
const withAccount = (rank: string) => `${rank} << 32 | (named_account & 0xffffffff)`;
const accountIn = (packed: string) => `(:workspace << 32 | (${packed} & 0xffffffff))`;

/** Numbers the entries of :rows from 1. Unlike row_number(), it reads nothing. */
const ENTRY_ORDINAL = "(entry.rowid + 1)";

const newId = (prefix: string) => `'${prefix}_' || lower(hex(randomblob(12)))`;

const PERSONAL_ACCOUNT = `(
  SELECT ${account.number} FROM ${account.table}
  WHERE ${account.workspace} = :workspace AND ${account.kind} = 'solo' AND ${account.externalId} = sent.user_id
)`;

/** The rows of :rows with their rows in the log. */
const EACH_STORED = `json_each(:rows) head CROSS JOIN ${message.table}`;
/** With `EACH_STORED`: the row that this request stored for a message. A duplicate has no row. */
const OWN = `${message.workspace} = :workspace AND ${message.source} = :source
  AND ${message.messageId} = ${HEAD.messageId} AND ${message.ingestId} = :ingestId`;
/** With `STORED_USERS`: the user of the messages. After an erasure, the same name is another user. */
const NAMED = `${user.workspace} = :workspace AND ${user.externalId} = entry.key`;
/** With `EACH_STORED`, of traits: whether they belong to the user. */
const OF_USER = "head.value ->> 3 IS NULL";

const insertAccounts = (kind: "company" | "solo", externalId: string, from: string) =>
  prepare(oneLine`
INSERT INTO ${accountColumns.table} (${accountColumns.number}, ${accountColumns.id}, ${accountColumns.workspace},
  ${accountColumns.kind}, ${accountColumns.externalId}, ${accountColumns.createdAt})
SELECT ${lastNumber(accountColumns, ":workspace")} + ${ENTRY_ORDINAL}, ${newId("acc")}, :workspace, '${kind}', ${externalId},
  :receivedAt ${from}
ON CONFLICT DO NOTHING`);

const attributesOf = (owner: string, condition: string) => `
SELECT ${owner} AS owner, attribute.key AS name, ${message.attributes} -> attribute.key AS value,
  ${message.occurredAt} AS occurred_at, ${message.seq} AS seq
FROM ${EACH_STORED} CROSS JOIN json_each(${message.attributes}) attribute
WHERE ${OWN} AND ${condition}`;

export const INGEST = {
  insertAccounts: insertAccounts("company", "entry.key", `FROM json_each(:rows) entry WHERE ${isNew("accountId")}`),

  insertUsers: prepare(oneLine`
INSERT INTO ${userColumns.table} (${userColumns.number}, ${userColumns.id}, ${userColumns.workspace},
  ${userColumns.externalId}, ${userColumns.createdAt})
SELECT ${lastNumber(userColumns, ":workspace")} + ${ENTRY_ORDINAL}, ${newId("usr")}, :workspace, entry.key, :receivedAt
FROM json_each(:rows) entry
WHERE ${isNew("userId")}
ON CONFLICT DO NOTHING`),

  /** Creates accounts for users whose first message that needs an account is a track without one. */
  insertPersonalAccounts: insertAccounts(
    "solo",
    user.externalId,
    `FROM ${STORED_USERS}
WHERE ${NAMED} AND ${user.account} IS NULL AND (${HEAD.type} <> 'identify' OR ${HEAD.accountId} IS NOT NULL)
  AND ${NOT_STORED_YET}
GROUP BY ${user.number}
HAVING min(${HEAD.position} << 1 | (${HEAD.accountId} IS NOT NULL)) & 1 = 0`,
  ),

  append: append({
    account: `sent.named_account, sent.stored_account, iif(sent.type = 'track', ${PERSONAL_ACCOUNT}, NULL)`,
    source: "named",
    ordinal: "row_number() OVER ()",
  }),

  /**
   * Appends when several messages of a user follow each other and the earlier ones may move the user. The account is
   * that of the latest group in the request or the database, else the first account named, else the personal account.
   */
  appendInOrder: append({
    account: `sent.named_account, CASE
        WHEN sent.user IS NULL THEN NULL
        WHEN sent.grouped IS NOT NULL AND (sent.stored_via IS NOT 'group' OR sent.grouped_at >= sent.stored_grouped_at)
          THEN ${accountIn("sent.grouped")}
        WHEN sent.stored_via IN ('group', 'implied') THEN sent.stored_account
        WHEN sent.implied IS NOT NULL THEN ${accountIn("sent.implied")}
        WHEN sent.stored_account IS NOT NULL THEN sent.stored_account
        WHEN sent.type = 'track' OR sent.tracked THEN ${PERSONAL_ACCOUNT}
      END`,
    source: `(SELECT *,
        max(CASE WHEN type = 'group' THEN ${withAccount("rank")} END) OVER earlier AS grouped,
        max(CASE WHEN type = 'group' THEN occurred_at END) OVER earlier AS grouped_at,
        min(CASE WHEN type <> 'group' THEN ${withAccount("position")} END) OVER earlier AS implied,
        max(type = 'track') OVER earlier AS tracked
      FROM named
      WINDOW earlier AS (PARTITION BY user ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))`,
    ordinal: "row_number() OVER (ORDER BY sent.position)",
  }),

  /**
   * Keeps attributes that an identify carries for a user without an account until the user gets one. In a retried
   * transaction the user may already have it.
   */
  keepPending: mergeAttributes(
    userColumns,
    userColumns.pendingAttributes,
    attributesOf(
      message.user,
      `${message.account} IS NULL
  AND (SELECT ${user.account} FROM ${user.table} WHERE ${user.number} = ${message.user}) IS NULL`,
    ),
  ),

  /** Applies pending attributes, with their own times, to the account of the user's first message that has one. */
  applyPending: mergeAttributes(
    accountColumns,
    accountColumns.attributes,
    `SELECT earliest.account AS owner, attribute.key AS name, attribute.value -> 0 AS value,
       attribute.value ->> 1 AS occurred_at, attribute.value ->> 2 AS seq
     FROM (
       SELECT ${message.account} AS account, ${user.pendingAttributes} AS pending, min(${message.seq})
       FROM ${STORED_USERS} CROSS JOIN ${message.table}
       WHERE ${NAMED} AND ${user.pendingAttributes} IS NOT NULL
         AND ${OWN} AND ${message.user} = ${user.number} AND ${message.account} IS NOT NULL
       GROUP BY ${user.number}
     ) earliest CROSS JOIN json_each(earliest.pending) attribute`,
  ),

  mergeAttributes: mergeAttributes(
    accountColumns,
    accountColumns.attributes,
    attributesOf(message.account, `${message.account} IS NOT NULL`),
  ),

  /** A user belongs to the account of the latest group, whatever order they arrive in. Ties go to the later arrival. */
  moveGroupedUsers: prepare(oneLine`
UPDATE ${userColumns.table} SET ${userColumns.account} = latest.account, ${userColumns.accountVia} = 'group',
  ${userColumns.groupedAt} = latest.occurred_at, ${userColumns.groupedSeq} = latest.seq, ${userColumns.pendingAttributes} = NULL
FROM (
  SELECT ${message.user} AS user, ${message.account} AS account, ${message.occurredAt} AS occurred_at,
    ${message.seq} AS seq, max(${HEAD.rank})
  FROM ${EACH_STORED}
  WHERE ${OWN} AND ${message.user} IS NOT NULL
  GROUP BY ${message.user}
) latest
WHERE ${changed.number} = latest.user AND (
  ${changed.accountVia} IS NOT 'group'
  OR (latest.occurred_at, latest.seq) > (${changed.groupedAt}, ${changed.groupedSeq})
)`),

  /** Gives a user with no account or a personal one the first account that a message names, else the personal one. */
  assignAccounts: prepare(oneLine`
UPDATE ${userColumns.table} SET ${userColumns.account} = earliest.account, ${userColumns.accountVia} = earliest.via,
  ${userColumns.pendingAttributes} = NULL
FROM (
  SELECT ${user.number} AS number, ${message.account} AS account,
    iif(${HEAD.accountId} IS NULL, 'solo', 'implied') AS via, min((${HEAD.accountId} IS NULL) << 62 | ${message.seq})
  FROM ${STORED_USERS} CROSS JOIN ${message.table}
  WHERE ${NAMED} AND (${user.account} IS NULL OR ${user.accountVia} = 'solo')
    AND (${user.account} IS NULL OR ${HEAD.accountId} IS NOT NULL)
    AND ${OWN} AND ${message.user} = ${user.number} AND ${message.account} IS NOT NULL
  GROUP BY ${user.number}
) earliest
WHERE ${changed.number} = earliest.number AND (${changed.account} IS NULL OR earliest.via = 'implied')`),

  /** The latest rows come first, so that each membership is written once. */
  upsertMemberships: prepare(oneLine`
INSERT INTO ${membership.table} (${membership.user}, ${membership.account}, ${membership.groupedAt}, ${membership.groupedSeq})
SELECT ${message.user}, ${message.account}, ${message.occurredAt}, ${message.seq}
FROM ${EACH_STORED}
WHERE ${OWN} AND ${message.user} IS NOT NULL
ON CONFLICT (${membership.user}, ${membership.account}) DO UPDATE
SET ${membership.groupedAt} = excluded.${membership.groupedAt}, ${membership.groupedSeq} = excluded.${membership.groupedSeq}
WHERE (excluded.${membership.groupedAt}, excluded.${membership.groupedSeq}) > (${membership.groupedAt}, ${membership.groupedSeq})`),

  /**
   * :rows here: `[null, messageId, [[key, JSON text of the value or null]…], of the account?]`, the latest first. Others
   * belong to the user.
   */
  upsertTraits: prepare(oneLine`
INSERT INTO ${trait.table} (${trait.subjectKind}, ${trait.subject}, ${trait.key}, ${trait.value}, ${trait.occurredAt}, ${trait.seq})
SELECT iif(${OF_USER}, 'user', 'account'), iif(${OF_USER}, ${message.user}, ${message.account}),
  pair.value ->> 0, pair.value ->> 1, ${message.occurredAt}, ${message.seq}
FROM ${EACH_STORED} CROSS JOIN json_each(head.value, '$[2]') pair
WHERE ${OWN}
ON CONFLICT (${trait.subjectKind}, ${trait.subject}, ${trait.key}) DO UPDATE
SET ${trait.value} = excluded.${trait.value}, ${trait.occurredAt} = excluded.${trait.occurredAt}, ${trait.seq} = excluded.${trait.seq}
WHERE (excluded.${trait.occurredAt}, excluded.${trait.seq}) > (${trait.occurredAt}, ${trait.seq})`),

  /** Counts the rows that this request stored, for the answer of a retried transaction. */
  countStored: prepareQuery(
    { stored: expression<number>("count(*)") },
    (columns) => oneLine`SELECT ${columns} FROM ${EACH_STORED} WHERE ${OWN}`,
  ),
};

/**
 * Stores the messages that are no duplicates in their order, with numbers that follow the workspace's newest message. It runs before
 * users move, so that a track before a group keeps its old account.
 * @param how account: of the message `sent`, the first value found; source: `named`, or a query on it; ordinal: of the
 *   message among those that are stored, from 1
 */
function append(how: { account: string; source: string; ordinal: string }) {
  const { seq, workspace, source, messageId, ingestId, type, event, properties, attributes } = messageColumns;
  const columns = [seq, workspace, source, messageId, ingestId, type, messageColumns.account, messageColumns.user];
  const more = [
    event,
    properties,
    attributes,
    messageColumns.occurredAt,
    messageColumns.receivedAt,
    messageColumns.mapping,
  ];
  return prepare(oneLine`
INSERT INTO ${messageColumns.table} (${[...columns, ...more].join(", ")})
WITH named AS (
  SELECT ${HEAD.position} AS position, ${HEAD.messageId} AS message_id, ${HEAD.type} AS type,
    ${HEAD.userId} AS user_id, ${HEAD.rank} AS rank, ${HEAD.occurredAt} AS occurred_at, ${HEAD.event} AS event,
    ${HEAD.attributes} AS attributes, ${HEAD.properties} AS properties, ${HEAD.mapping} AS mapping,
    ${account.number} AS named_account, ${user.number} AS user, ${user.account} AS stored_account,
    ${user.accountVia} AS stored_via, ${user.groupedAt} AS stored_grouped_at
  FROM json_each(:rows) head
  LEFT JOIN ${user.table} ON ${user.workspace} = :workspace AND ${user.externalId} = ${HEAD.userId}
  LEFT JOIN ${account.table}
    ON ${account.workspace} = :workspace AND ${account.kind} = 'company' AND ${account.externalId} = ${HEAD.accountId}
  WHERE ${NOT_STORED_YET}
)
SELECT
  ${LAST_SEQ} + ${how.ordinal},
  :workspace, :source, sent.message_id, :ingestId, sent.type, coalesce(${how.account}), sent.user, sent.event,
  sent.properties, sent.attributes, sent.occurred_at, :receivedAt, sent.mapping
FROM ${how.source} sent`);
}
