/**
 * The erasure of users, statement by statement. The row that an erasure has in `user_erasures` while it is under way is
 * what all of them go by, so that each may run again.
 *
 * ?1 is always the workspace's number.
 */
import { isNameable, opaqueIdOf } from "./erased-ids.ts";
import { deleteNamesSql } from "../identity/identity-names.ts";

/** Rows of the log, other users' too, that a step walks over. */
export const SEQS_PER_STEP = 20_000;

const goodKey = (key: string): string => `EXISTS (
  SELECT 1 FROM api_keys k CROSS JOIN workspaces w ON w.number = k.workspace
  WHERE k.id = ${key} AND k.workspace = ?1 AND k.revoked_at IS NULL AND w.erased_at IS NULL)`;

/** Gives a row while the key and its workspace are there. ?2 the key's id. */
export const KEY_IS_GOOD = `SELECT 1 WHERE ${goodKey("?2")}`;

const PENDING = "(SELECT user FROM user_erasures WHERE workspace = ?1)";
const IN_LOG = "seq > ?1 << 32 AND seq < (?1 + 1) << 32";

/**
 * ?2 the user's id, ?3 the key's. The internal id of somebody who was erased names nobody, so that it hides nobody whom
 * a sender calls the same.
 */
const BEGIN = `
INSERT INTO user_erasures (workspace, user, next_seq, last_seq)
SELECT ?1, u.number,
  coalesce((SELECT min(seq) FROM messages WHERE ${IN_LOG}), (?1 << 32) + 1),
  coalesce((SELECT max(seq) FROM messages WHERE ${IN_LOG}), ?1 << 32)
FROM users u
WHERE u.number = coalesce(
    (SELECT number FROM users WHERE workspace = ?1 AND id = ?2 AND ${isNameable("external_id")}),
    (SELECT number FROM users WHERE workspace = ?1 AND external_id = ?2)
  ) AND ${goodKey("?3")}
ON CONFLICT DO NOTHING`;

/** A name that was only ever rejected goes too. ?2 the user's id, ?3 the key's. */
const DELETE_REJECTIONS = `
DELETE FROM rejections
WHERE ${IN_LOG} AND (user_id = ?2 OR user_id IN (SELECT external_id FROM users WHERE number IN ${PENDING}))
  AND ${goodKey("?3")}`;

/** While it still has its user's name. */
const HIDE_ACCOUNTS = `
UPDATE accounts SET external_id = ${opaqueIdOf("u")}
FROM users u
WHERE u.number IN ${PENDING} AND ${isNameable("u.external_id")}
  AND accounts.workspace = ?1 AND accounts.kind = 'solo' AND accounts.external_id = u.external_id`;

const HIDE_USERS = `
UPDATE users SET external_id = ${opaqueIdOf("users")}
WHERE number IN ${PENDING} AND ${isNameable("external_id")}`;

/** The accounts of one of the users under erasure: they are named like them. */
const ACCOUNTS = `
  SELECT a.number
  FROM user_erasures e CROSS JOIN users u ON u.number = e.user
  CROSS JOIN accounts a ON a.workspace = ?1 AND a.kind = 'solo' AND a.external_id = u.external_id
  WHERE e.workspace = ?1`;

const SUBJECTS = `
  SELECT 'user' AS kind, user AS subject FROM user_erasures WHERE workspace = ?1
  UNION ALL SELECT 'account', number FROM (${ACCOUNTS})`;
const SOURCES = JSON.stringify(["external_id", "company", "name", "email"]);

/** Those that never came by an account. What others brought while they had none is their first account's since then. */
const WITHOUT_ACCOUNT = `(SELECT number FROM users WHERE number IN ${PENDING} AND account IS NULL)`;

/** All that is known of them apart from what they did. */
const FORGET = [
  ...deleteNamesSql(
    `SELECT s.kind, s.subject, f.value AS source FROM (${SUBJECTS}) s CROSS JOIN json_each('${SOURCES}') f`,
    "TRUE",
  ),
  // Kind by kind: of pairs SQLite would walk through all traits.
  `DELETE FROM traits WHERE subject_kind = 'user' AND subject IN ${PENDING}`,
  `DELETE FROM traits WHERE subject_kind = 'account' AND subject IN (${ACCOUNTS})`,
  `DELETE FROM identity_traits WHERE workspace = ?1 AND subject_kind = 'user' AND subject IN ${PENDING}`,
  `DELETE FROM identity_traits WHERE workspace = ?1 AND subject_kind = 'account' AND subject IN (${ACCOUNTS})`,
  `UPDATE users SET pending_attributes = NULL WHERE number IN ${PENDING} AND pending_attributes IS NOT NULL`,
  `DELETE FROM pending_attribute_days WHERE user IN ${WITHOUT_ACCOUNT}`,
];

/** In their order, and in one transaction; `asked` take ?2 the user's id and ?3 the key's. */
export const MARKING = { asked: [BEGIN, DELETE_REJECTIONS], own: [HIDE_ACCOUNTS, HIDE_USERS, ...FORGET] } as const;

export const LIST_PENDING = "SELECT user FROM user_erasures WHERE workspace = ?1";

/** Where the erasure that has come farthest goes on; NULL where none has to. */
const NEXT = "(SELECT max(next_seq) FROM user_erasures WHERE workspace = ?1 AND next_seq <= last_seq)";

/** Without its ingest id the message is a duplicate to the transaction that stored it, should that run again. */
const CLEAR_MESSAGES = `
UPDATE messages SET properties = NULL, mapping = NULL, ingest_id = -1,
  attributes = iif(account IS NULL AND user IN ${WITHOUT_ACCOUNT}, NULL, attributes)
WHERE seq >= ${NEXT} AND seq < ${NEXT} + ${SEQS_PER_STEP} AND user IN ${PENDING} AND ingest_id <> -1`;

const ADVANCE = `
UPDATE user_erasures SET next_seq = next_seq + ${SEQS_PER_STEP}
WHERE workspace = ?1 AND next_seq <= last_seq AND next_seq = ${NEXT}`;

/** A step of the walk, in one transaction. */
export const WALKING = [CLEAR_MESSAGES, ADVANCE] as const;

/** Gives a row while the log is walked for one of the users that ?2 lists. */
export const WALKING_OF = `
SELECT 1 FROM json_each(?2) u CROSS JOIN user_erasures e ON e.workspace = ?1 AND e.user = u.value
WHERE e.next_seq <= e.last_seq LIMIT 1`;

const END = "DELETE FROM user_erasures WHERE workspace = ?1 AND next_seq > last_seq";

export const CLOSING = [...FORGET, END] as const;
