/**
 * The statements of the ingest transaction. Nothing is read before it: duplicates, the account of a message and the
 * newest attributes are all decided here, so that no concurrent request can come between a decision and its write.
 * See docs/decisions/0002-one-transaction-in-sql.md.
 *
 * All statements take the same parameters:
 *   ?1 the workspace's number   ?2 the source   ?3 the ingest id   ?4 the time of receipt   ?5 rows, as JSON
 *
 * They are rendered once, when the module loads, so that the hot path builds no SQL. They are optimized for rows read: a
 * lookup by a unique index reads one row, or none if it misses, and a pass over ?5 reads one for each of its rows.
 */
import { columnsOf } from "../client/columns-of.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { accounts, memberships, messages, traits, users } from "../schema/schema.ts";
import { FRESH, HEAD, isNew, LAST_SEQ, mergeAttributes, oneLine, STORED_USERS } from "./ingest-fragments-sql.ts";

const account = columnsOf(accounts);
const membership = columnsOf(memberships);
const message = columnsOf(messages);
const trait = columnsOf(traits);
const user = columnsOf(users);
const a = columnsOf(accounts, "a");
const l = columnsOf(messages, "l");
const u = columnsOf(users, "u");
/** The stored row of a user, in an UPDATE … FROM. */
const stored = columnsOf(users, user.table);

/** Puts the part of an account's number that is its own after a rank or a position, so that max() and min() carry it. */
const withAccount = (rank: string) => `${rank} << 32 | (named_account & 0xffffffff)`;
const accountIn = (packed: string) => `(?1 << 32 | (${packed} & 0xffffffff))`;

/** Counts the names of ?5 from 1. Unlike row_number(), it reads nothing. */
const NAME_PLACE = "(e.rowid + 1)";

const newId = (prefix: string) => `'${prefix}_' || lower(hex(randomblob(12)))`;

const PERSONAL_ACCOUNT = `(
  SELECT ${account.number} FROM ${account.table}
  WHERE ${account.workspace} = ?1 AND ${account.kind} = 'solo' AND ${account.externalId} = m.user_id
)`;

const ATTRIBUTES_OF_ACCOUNT = { table: account.table, column: account.attributes, number: account.number };
const PENDING_OF_USER = { table: user.table, column: user.pendingAttributes, number: user.number };

/** The rows of ?5 with their rows in the log. */
const EACH_STORED = `json_each(?5) h CROSS JOIN ${l.table}`;
/** With `EACH_STORED`: the row that this request stored for a message. A duplicate has none. */
const OWN = `${l.workspace} = ?1 AND ${l.source} = ?2 AND ${l.messageId} = ${HEAD.messageId} AND ${l.ingestId} = ?3`;
/** With `STORED_USERS`: the user of the messages. After an erasure, the same name is another user. */
const NAMED = `${u.workspace} = ?1 AND ${u.externalId} = e.key`;
/** With `EACH_STORED`, of traits: whether they belong to the user. */
const OF_USER = "h.value ->> 3 IS NULL";
const insertAccounts = (kind: "company" | "solo", externalId: string, from: string) => oneLine`
INSERT INTO ${account.table} (${account.number}, ${account.id}, ${account.workspace}, ${account.kind}, ${account.externalId}, ${account.createdAt})
SELECT ${lastNumber(account, "?1")} + ${NAME_PLACE}, ${newId("acc")}, ?1, '${kind}', ${externalId}, ?4 ${from}
ON CONFLICT DO NOTHING`;
const attributesOf = (owner: string, condition: string) => `
SELECT ${owner} AS owner, a.key AS name, ${l.attributes} -> a.key AS value, ${l.occurredAt} AS occurred_at, ${l.seq} AS seq
FROM ${EACH_STORED} CROSS JOIN json_each(${l.attributes}) a
WHERE ${OWN} AND ${condition}`;

export const INGEST = {
  insertAccounts: insertAccounts("company", "e.key", `FROM json_each(?5) e WHERE ${isNew("accountId")}`),

  insertUsers: oneLine`
INSERT INTO ${user.table} (${user.number}, ${user.id}, ${user.workspace}, ${user.externalId}, ${user.createdAt})
SELECT ${lastNumber(user, "?1")} + ${NAME_PLACE}, ${newId("usr")}, ?1, e.key, ?4
FROM json_each(?5) e
WHERE ${isNew("userId")}
ON CONFLICT DO NOTHING`,

  /** For users whose first message that needs an account is a track without one. */
  insertPersonalAccounts: insertAccounts(
    "solo",
    u.externalId,
    `FROM ${STORED_USERS}
WHERE ${NAMED} AND ${u.account} IS NULL AND (${HEAD.type} <> 'identify' OR ${HEAD.accountId} IS NOT NULL) AND ${FRESH}
GROUP BY ${u.number}
HAVING min(${HEAD.position} << 1 | (${HEAD.accountId} IS NOT NULL)) & 1 = 0`,
  ),

  append: append({
    account: `m.named_account, m.stored_account, iif(m.type = 'track', ${PERSONAL_ACCOUNT}, NULL)`,
    source: "named",
    place: "row_number() OVER ()",
  }),

  /**
   * The same when several messages of a user follow each other and the earlier ones may move the user. The account is
   * that of the latest group in the request or the database, else the first account named, else the personal account.
   */
  appendInOrder: append({
    account: `m.named_account, CASE
        WHEN m.user IS NULL THEN NULL
        WHEN m.grouped IS NOT NULL AND (m.stored_via IS NOT 'group' OR m.grouped_at >= m.stored_grouped_at)
          THEN ${accountIn("m.grouped")}
        WHEN m.stored_via IN ('group', 'implied') THEN m.stored_account
        WHEN m.implied IS NOT NULL THEN ${accountIn("m.implied")}
        WHEN m.stored_account IS NOT NULL THEN m.stored_account
        WHEN m.type = 'track' OR m.tracked THEN ${PERSONAL_ACCOUNT}
      END`,
    source: `(SELECT *,
        max(CASE WHEN type = 'group' THEN ${withAccount("rank")} END) OVER earlier AS grouped,
        max(CASE WHEN type = 'group' THEN occurred_at END) OVER earlier AS grouped_at,
        min(CASE WHEN type <> 'group' THEN ${withAccount("position")} END) OVER earlier AS implied,
        max(type = 'track') OVER earlier AS tracked
      FROM named
      WINDOW earlier AS (PARTITION BY user ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))`,
    place: "row_number() OVER (ORDER BY m.position)",
  }),

  /**
   * Keeps attributes that an identify carries for a user without an account until the user gets one. In a retried
   * transaction the user may already have it.
   */
  keepPending: mergeAttributes(
    PENDING_OF_USER,
    attributesOf(
      l.user,
      `${l.account} IS NULL AND (SELECT ${u.account} FROM ${u.table} WHERE ${u.number} = ${l.user}) IS NULL`,
    ),
  ),

  /** Applies pending attributes, with their own times, to the account of the user's first message that has one. */
  applyPending: mergeAttributes(
    ATTRIBUTES_OF_ACCOUNT,
    `SELECT f.account AS owner, a.key AS name, a.value -> 0 AS value, a.value ->> 1 AS occurred_at, a.value ->> 2 AS seq
       FROM (
         SELECT ${l.account} AS account, ${u.pendingAttributes} AS pending, min(${l.seq})
         FROM ${STORED_USERS} CROSS JOIN ${l.table}
         WHERE ${NAMED} AND ${u.pendingAttributes} IS NOT NULL
           AND ${OWN} AND ${l.user} = ${u.number} AND ${l.account} IS NOT NULL
         GROUP BY ${u.number}
       ) f CROSS JOIN json_each(f.pending) a`,
  ),

  mergeAttributes: mergeAttributes(ATTRIBUTES_OF_ACCOUNT, attributesOf(l.account, `${l.account} IS NOT NULL`)),

  /** A user belongs to the account of the latest group, whatever order they arrive in. Ties go to the later arrival. */
  moveGroupedUsers: oneLine`
UPDATE ${user.table} SET ${user.account} = g.account, ${user.accountVia} = 'group', ${user.groupedAt} = g.occurred_at,
  ${user.groupedSeq} = g.seq, ${user.pendingAttributes} = NULL
FROM (
  SELECT ${l.user} AS user, ${l.account} AS account, ${l.occurredAt} AS occurred_at, ${l.seq} AS seq, max(${HEAD.rank})
  FROM ${EACH_STORED}
  WHERE ${OWN} AND ${l.user} IS NOT NULL
  GROUP BY ${l.user}
) g
WHERE ${stored.number} = g.user AND (
  ${stored.accountVia} IS NOT 'group' OR (g.occurred_at, g.seq) > (${stored.groupedAt}, ${stored.groupedSeq})
)`,

  /** Gives a user with no account or a personal one the first account that a message names, else the personal one. */
  assignAccounts: oneLine`
UPDATE ${user.table} SET ${user.account} = s.account, ${user.accountVia} = s.via, ${user.pendingAttributes} = NULL
FROM (
  SELECT ${u.number} AS number, ${l.account} AS account, iif(${HEAD.accountId} IS NULL, 'solo', 'implied') AS via,
    min((${HEAD.accountId} IS NULL) << 62 | ${l.seq})
  FROM ${STORED_USERS} CROSS JOIN ${l.table}
  WHERE ${NAMED} AND (${u.account} IS NULL OR ${u.accountVia} = 'solo')
    AND (${u.account} IS NULL OR ${HEAD.accountId} IS NOT NULL)
    AND ${OWN} AND ${l.user} = ${u.number} AND ${l.account} IS NOT NULL
  GROUP BY ${u.number}
) s
WHERE ${stored.number} = s.number AND (${stored.account} IS NULL OR s.via = 'implied')`,

  /** The latest rows come first, so that each membership is written once. */
  upsertMemberships: oneLine`
INSERT INTO ${membership.table} (${membership.user}, ${membership.account}, ${membership.groupedAt}, ${membership.groupedSeq})
SELECT ${l.user}, ${l.account}, ${l.occurredAt}, ${l.seq}
FROM ${EACH_STORED}
WHERE ${OWN} AND ${l.user} IS NOT NULL
ON CONFLICT (${membership.user}, ${membership.account}) DO UPDATE
SET ${membership.groupedAt} = excluded.${membership.groupedAt}, ${membership.groupedSeq} = excluded.${membership.groupedSeq}
WHERE (excluded.${membership.groupedAt}, excluded.${membership.groupedSeq}) > (${membership.groupedAt}, ${membership.groupedSeq})`,

  /**
   * ?5 here: `[null, messageId, [[key, JSON text of the value or null]…], of the account?]`, the latest first. Others belong
   * to the user.
   */
  upsertTraits: oneLine`
INSERT INTO ${trait.table} (${trait.subjectKind}, ${trait.subject}, ${trait.key}, ${trait.value}, ${trait.occurredAt}, ${trait.seq})
SELECT iif(${OF_USER}, 'user', 'account'), iif(${OF_USER}, ${l.user}, ${l.account}),
  t.value ->> 0, t.value ->> 1, ${l.occurredAt}, ${l.seq}
FROM ${EACH_STORED} CROSS JOIN json_each(h.value, '$[2]') t
WHERE ${OWN}
ON CONFLICT (${trait.subjectKind}, ${trait.subject}, ${trait.key}) DO UPDATE
SET ${trait.value} = excluded.${trait.value}, ${trait.occurredAt} = excluded.${trait.occurredAt}, ${trait.seq} = excluded.${trait.seq}
WHERE (excluded.${trait.occurredAt}, excluded.${trait.seq}) > (${trait.occurredAt}, ${trait.seq})`,

  /** Counts the rows that this request stored, for the answer of a retried transaction. */
  countStored: `SELECT count(*) AS stored FROM ${EACH_STORED} WHERE ${OWN}`,
};

/**
 * Stores the fresh messages in their order, numbered on from the newest of the workspace. It runs before users move, so
 * that a track before a group keeps its old account.
 * @param how account: of the message `m`, the first value found; source: `named`, or a query on it; place: of the message
 *   among the fresh ones, from 1
 */
function append(how: { account: string; source: string; place: string }): string {
  const { seq, workspace, source, messageId, ingestId, type, event, properties, attributes } = message;
  const columns = [seq, workspace, source, messageId, ingestId, type, message.account, message.user, event, properties];
  const more = [attributes, message.occurredAt, message.receivedAt, message.mapping];
  return oneLine`
INSERT INTO ${message.table} (${[...columns, ...more].join(", ")})
WITH named AS (
  SELECT ${HEAD.position} AS position, ${HEAD.messageId} AS message_id, ${HEAD.type} AS type,
    ${HEAD.userId} AS user_id, ${HEAD.rank} AS rank, ${HEAD.occurredAt} AS occurred_at, ${HEAD.event} AS event,
    ${HEAD.attributes} AS attributes, ${HEAD.properties} AS properties, ${HEAD.mapping} AS mapping,
    ${a.number} AS named_account, ${u.number} AS user, ${u.account} AS stored_account, ${u.accountVia} AS stored_via,
    ${u.groupedAt} AS stored_grouped_at
  FROM json_each(?5) h
  LEFT JOIN ${u.table} ON ${u.workspace} = ?1 AND ${u.externalId} = ${HEAD.userId}
  LEFT JOIN ${a.table} ON ${a.workspace} = ?1 AND ${a.kind} = 'company' AND ${a.externalId} = ${HEAD.accountId}
  WHERE ${FRESH}
)
SELECT
  ${LAST_SEQ} + ${how.place},
  ?1, ?2, m.message_id, ?3, m.type, coalesce(${how.account}), m.user, m.event, m.properties, m.attributes,
  m.occurred_at, ?4, m.mapping
FROM ${how.source} m`;
}
