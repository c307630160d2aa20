/**
 * The ingest transaction, statement by statement. Nothing is read before it: which messages are duplicates, which
 * account a message belongs to and which attribute is the newest are all settled in here, so that no concurrent
 * request can come between a decision and its write. See docs/decisions/0002-one-transaction-in-sql.md.
 *
 * All statements take the same parameters:
 *   ?1 the workspace's number   ?2 the source   ?3 the ingest id   ?4 the time of receipt   ?5 rows, as JSON
 *
 * They are constants and not made by the query builder: what they say (json_each, window functions, UPDATE … FROM)
 * is SQL either way, and a constant costs the hot path nothing to build. They are written for rows read: a look-up by
 * a unique index reads one row, or none where it misses; every pass over ?5 reads one for each of its rows.
 */
import { type Form, FORMS, freshIn, headOf, LAST_SEQ, LIVE_WORKSPACE, namedIn, oneLine } from "./statement-forms.ts";
import { mergeNewest } from "../client/merge-newest.ts";

/** Room for an account's number beside a rank or a position in one integer, so that max() and min() carry it along. */
const ACCOUNT_BITS = 40;
const ACCOUNT_MASK = `((1 << ${ACCOUNT_BITS}) - 1)`;

const newId = (prefix: string) => `'${prefix}_' || lower(hex(randomblob(12)))`;

const ACCOUNT_OF_ONE = `(SELECT number FROM accounts WHERE workspace = ?1 AND kind = 'solo' AND external_id = m.user_id)`;

export type IngestStatements = ReturnType<typeof ingestStatements>;

/** The statements for a ?5 that holds many rows, or one. */
export const INGEST = { many: ingestStatements(FORMS.many), one: ingestStatements(FORMS.one) } as const;

function ingestStatements(form: Form) {
  const { value, each } = form;
  const head = headOf(form);
  const fresh = freshIn(form);
  /** With `each` and `messages l`: the row that this request stored for a message. A duplicate has none. */
  const stored = `l.workspace = ?1 AND l.source = ?2 AND l.message_id = ${head.messageId} AND l.ingest_id = ?3`;
  /** With `form.users`: the user of the messages. Of those stored before it was erased, it is another one. */
  const named = `u.workspace = ?1 AND u.external_id = ${form.userId}`;

  return {
    insertAccounts: oneLine`
INSERT INTO accounts (id, workspace, kind, external_id, created_at)
SELECT ${newId("acc")}, ?1, 'company', ${form.accountId}, ?4
FROM ${LIVE_WORKSPACE}${form.andEachName}
WHERE ${namedIn(form, "accountId")}
ON CONFLICT DO NOTHING`,

    insertUsers: oneLine`
INSERT INTO users (id, workspace, external_id, created_at)
SELECT ${newId("usr")}, ?1, ${form.userId}, ?4
FROM ${LIVE_WORKSPACE}${form.andEachName}
WHERE ${namedIn(form, "userId")}
ON CONFLICT DO NOTHING`,

    /** For users whose first message to need an account is a track that names none. */
    insertAccountsOfOne: oneLine`
INSERT INTO accounts (id, workspace, kind, external_id, created_at)
SELECT ${newId("acc")}, ?1, 'solo', u.external_id, ?4
FROM ${form.users}
WHERE ${named} AND u.account IS NULL AND (${head.type} <> 'identify' OR ${head.accountId} IS NOT NULL) AND ${fresh}
GROUP BY u.number
HAVING min(${head.position} << 1 | (${head.accountId} IS NOT NULL)) & 1 = 0
ON CONFLICT DO NOTHING`,

    append: append(form, {
      account: `m.named_account, m.stored_account, iif(m.type = 'track', ${ACCOUNT_OF_ONE}, NULL)`,
      source: "named",
      place: form.next,
    }),

    /**
     * The same where messages of one user follow each other and the earlier ones may move the user: the latest
     * group of the request or of the database, else the first account named, else the account of one.
     */
    appendInOrder: append(form, {
      account: `m.named_account, CASE
        WHEN m.user IS NULL THEN NULL
        WHEN m.grouped IS NOT NULL AND (m.stored_via IS NOT 'group' OR m.grouped_at >= m.stored_grouped_at)
          THEN m.grouped & ${ACCOUNT_MASK}
        WHEN m.stored_via IN ('group', 'implied') THEN m.stored_account
        WHEN m.implied IS NOT NULL THEN m.implied & ${ACCOUNT_MASK}
        WHEN m.stored_account IS NOT NULL THEN m.stored_account
        WHEN m.type = 'track' OR m.tracked THEN ${ACCOUNT_OF_ONE}
      END`,
      source: `(SELECT *,
        max(CASE WHEN type = 'group' THEN rank << ${ACCOUNT_BITS} | named_account END) OVER earlier AS grouped,
        max(CASE WHEN type = 'group' THEN occurred_at END) OVER earlier AS grouped_at,
        min(CASE WHEN type <> 'group' THEN position << ${ACCOUNT_BITS} | named_account END) OVER earlier AS implied,
        max(type = 'track') OVER earlier AS tracked
      FROM named
      WINDOW earlier AS (PARTITION BY user ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))`,
      place: "row_number() OVER (ORDER BY m.position)",
    }),

    /**
     * Attributes that an identify brought to a user without an account wait for the first one. In a repeated
     * transaction the user may have it already.
     */
    keepPending: mergeNewest(
      form,
      "users",
      "pending_attributes",
      `SELECT l.user AS owner, a.key AS name, l.attributes -> a.key AS value, l.occurred_at, l.seq
       FROM ${each}messages l CROSS JOIN json_each(l.attributes) a
       WHERE ${stored} AND l.account IS NULL AND (SELECT u.account FROM users u WHERE u.number = l.user) IS NULL`,
    ),

    /** They go, with their own times, to the account of the user's first message that has one. */
    applyPending: mergeNewest(
      form,
      "accounts",
      "attributes",
      `SELECT f.account AS owner, a.key AS name, a.value -> 0 AS value, a.value ->> 1 AS occurred_at, a.value ->> 2 AS seq
       FROM (
         SELECT l.account, u.pending_attributes${each && ", min(l.seq)"}
         FROM ${form.users} CROSS JOIN messages l
         WHERE ${named} AND u.pending_attributes IS NOT NULL AND ${stored} AND l.user = u.number AND l.account IS NOT NULL
         ${each && "GROUP BY u.number"}
       ) f CROSS JOIN json_each(f.pending_attributes) a`,
    ),

    mergeAttributes: mergeNewest(
      form,
      "accounts",
      "attributes",
      `SELECT l.account AS owner, a.key AS name, l.attributes -> a.key AS value, l.occurred_at, l.seq
       FROM ${each}messages l CROSS JOIN json_each(l.attributes) a
       WHERE ${stored} AND l.account IS NOT NULL`,
    ),

    /** The account of a user is that of the latest group, in whatever order they arrive; ties go to the later arrival. */
    moveGroupedUsers: oneLine`
UPDATE users SET account = g.account, account_via = 'group', grouped_at = g.occurred_at, grouped_seq = g.seq, pending_attributes = NULL
FROM (
  SELECT l.user, l.account, l.occurred_at, l.seq, max(${head.rank})
  FROM ${each}messages l
  WHERE ${stored} AND l.user IS NOT NULL
  GROUP BY l.user
) g
WHERE users.number = g.user
  AND (users.account_via IS NOT 'group' OR (g.occurred_at, g.seq) > (users.grouped_at, users.grouped_seq))`,

    /** A user without an account, or with an account of one, takes the first that a message names; else the account of one. */
    settleUsers: oneLine`
UPDATE users SET account = s.account, account_via = s.via, pending_attributes = NULL
FROM (
  SELECT u.number, l.account, iif(${head.accountId} IS NULL, 'solo', 'implied') AS via${
    each &&
    `,
    min((${head.accountId} IS NULL) << 62 | l.seq)`
  }
  FROM ${form.users} CROSS JOIN messages l
  WHERE ${named} AND (u.account IS NULL OR u.account_via = 'solo')
    AND (u.account IS NULL OR ${head.accountId} IS NOT NULL)
    AND ${stored} AND l.user = u.number AND l.account IS NOT NULL
  ${each && "GROUP BY u.number"}
) s
WHERE users.number = s.number AND (users.account IS NULL OR s.via = 'implied')`,

    /** Rows the latest first, so that each membership is written once. */
    upsertMemberships: oneLine`
INSERT INTO memberships (user, account, grouped_at, grouped_seq)
SELECT l.user, l.account, l.occurred_at, l.seq
FROM ${each}messages l
WHERE ${stored} AND l.user IS NOT NULL
ON CONFLICT (user, account) DO UPDATE SET grouped_at = excluded.grouped_at, grouped_seq = excluded.grouped_seq
WHERE (excluded.grouped_at, excluded.grouped_seq) > (grouped_at, grouped_seq)`,

    /**
     * ?5 here: `[null, messageId, [[key, JSON text of the value or null]…]]`, the latest first. The traits of an
     * identify are its user's, else its account's; those of a group its account's.
     */
    upsertTraits: oneLine`
INSERT INTO traits (subject_kind, subject, key, value, occurred_at, seq)
SELECT iif(l.type = 'identify' AND l.user IS NOT NULL, 'user', 'account'),
  iif(l.type = 'identify' AND l.user IS NOT NULL, l.user, l.account),
  t.value ->> 0, t.value ->> 1, l.occurred_at, l.seq
FROM ${each}messages l CROSS JOIN json_each(${value}, '$[2]') t
WHERE ${stored}
ON CONFLICT (subject_kind, subject, key) DO UPDATE
SET value = excluded.value, occurred_at = excluded.occurred_at, seq = excluded.seq
WHERE (excluded.occurred_at, excluded.seq) > (occurred_at, seq)`,

    /** How many of the rows are this request's own: what a repeated transaction answers with. */
    countStored: `SELECT count(*) AS stored FROM ${each}messages l WHERE ${stored}`,
  };
}

/**
 * Stores the fresh messages in their order, numbered on from the newest of the workspace. Runs before users move, so
 * that a track before a group keeps its old account.
 * @param how account: that of the message `m`, the first value found; source: `named`, or what makes more of it;
 *   place: of the message among the fresh ones, from 1
 */
function append(form: Form, how: { account: string; source: string; place: string }): string {
  const head = headOf(form);
  return oneLine`
INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, properties, attributes,
  occurred_at, received_at, mapping)
WITH named AS (
  SELECT ${head.position} AS position, ${head.messageId} AS message_id, ${head.type} AS type,
    ${head.userId} AS user_id, ${head.rank} AS rank, ${head.occurredAt} AS occurred_at, ${head.event} AS event,
    ${head.attributes} AS attributes, ${head.properties} AS properties, ${head.mapping} AS mapping,
    a.number AS named_account, u.number AS user, u.account AS stored_account, u.account_via AS stored_via,
    u.grouped_at AS stored_grouped_at
  FROM ${LIVE_WORKSPACE}${form.andEach}
  LEFT JOIN users u ON u.workspace = ?1 AND u.external_id = ${head.userId}
  LEFT JOIN accounts a ON a.workspace = ?1 AND a.kind = 'company' AND a.external_id = ${head.accountId}
  WHERE ${freshIn(form)}
)
SELECT
  ${LAST_SEQ} + ${how.place},
  ?1, ?2, m.message_id, ?3, m.type, coalesce(${how.account}), m.user, m.event, m.properties, m.attributes,
  m.occurred_at, ?4, m.mapping
FROM ${how.source} m`;
}

/** What tells that the workspace is there, where no message does. */
export const SELECT_LIVE_WORKSPACE = `SELECT w.number FROM ${LIVE_WORKSPACE}`;

/** ?4 here: the message id of the last message. */
export const SELECT_ANSWER = oneLine`
SELECT l.account, a.id AS account_id, a.external_id AS account_external_id,
  l.user, u.id AS user_id, u.external_id AS user_external_id
FROM messages l
LEFT JOIN accounts a ON a.number = l.account
LEFT JOIN users u ON u.number = l.user
WHERE l.workspace = ?1 AND l.source = ?2 AND l.message_id = ?4`;
