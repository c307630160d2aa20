/**
 * The statements that erase users. While an erasure runs, it has a row in `user_erasures`, and all statements refer to
 * that row, so that each may run again.
 *
 * ?1 is always the workspace's number.
 */
import { columnsOf } from "../client/columns-of.ts";
import { inOwnRange, newestSeq, oldestSeq, withinWorkspace } from "../client/sql-fragments.ts";
import { deleteNamesSql } from "../ask/name-rows.ts";
import { isCopied, recordChanged } from "../moves/changed-subjects-sql.ts";
import {
  accounts,
  archiveErasures,
  archiveFiles,
  archiveSteps,
  attributeDays,
  dimensionValues,
  identityTraits,
  messages,
  NAME_SOURCES,
  pendingAttributeDays,
  rejections,
  traits,
  userErasures,
  users,
} from "../schema/schema.ts";
import { isNotErased, opaqueIdOf } from "./erased-ids.ts";

/** Rows of the log, including other users', that a step reads. */
const SEQS_PER_STEP = 20_000;

const a = columnsOf(accounts, "a");
const archived = columnsOf(archiveFiles);
const archiveErasure = columnsOf(archiveErasures);
const archiveStep = columnsOf(archiveSteps);
const account = columnsOf(accounts);
const d = columnsOf(attributeDays);
const e = columnsOf(userErasures);
const i = columnsOf(identityTraits);
const m = columnsOf(messages);
const n = columnsOf(userErasures, "n");
const p = columnsOf(pendingAttributeDays);
const r = columnsOf(rejections);
const t = columnsOf(traits, "t");
const trait = columnsOf(traits);
const u = columnsOf(users, "u");
const user = columnsOf(users);
const v = columnsOf(dimensionValues);

/** Selects the users whose erasure is running, as `user`. */
export const SELECT_PENDING = `SELECT ${e.user} AS user FROM ${e.table} WHERE ${e.workspace} = ?1`;

const IS_PENDING = `IN (SELECT ${e.user} FROM ${e.table} WHERE ${e.workspace} = ?1)`;

/**
 * The user with the id ?2. The internal id of an erased user matches nobody, so that it can't hide a user whose external
 * id is the same.
 */
const NUMBER = `coalesce(
    (SELECT ${user.number} FROM ${user.table} WHERE ${user.workspace} = ?1 AND ${user.id} = ?2 AND ${isNotErased(user.externalId)}),
    (SELECT ${user.number} FROM ${user.table} WHERE ${user.workspace} = ?1 AND ${user.externalId} = ?2)
  )`;

/** ?2 the id of a user, or of a person who was only ever rejected. */
export const SELECT_PERSON = `
SELECT ${u.externalId} AS externalId, ${withinWorkspace(u.number)} AS user FROM ${u.table} WHERE ${u.number} = ${NUMBER}
UNION ALL SELECT ?2, 0 WHERE EXISTS (SELECT 1 FROM ${r.table} WHERE ${inOwnRange(r.seq, "?1")} AND ${r.userId} = ?2)
LIMIT 1`;

/** Begins an erasure. ?2 the user's id. */
const BEGIN = `
INSERT INTO ${e.table} (${e.workspace}, ${e.user}, ${e.nextSeq}, ${e.lastSeq})
SELECT ?1, ${u.number}, coalesce(${oldestSeq("?1")}, (?1 << 32) + 1), coalesce(${newestSeq("?1")}, ?1 << 32)
FROM ${u.table}
WHERE ${u.number} = ${NUMBER}
ON CONFLICT DO NOTHING`;

/** Deletes rejections, also of a user who was only ever rejected. ?2 the user's id. */
const DELETE_REJECTIONS = `
DELETE FROM ${r.table}
WHERE ${inOwnRange(r.seq, "?1")} AND (
  ${r.userId} = ?2 OR ${r.userId} IN (SELECT ${user.externalId} FROM ${user.table} WHERE ${user.number} ${IS_PENDING})
)`;

/** Runs before PSEUDONYMIZE_USERS, because it finds a personal account by its user's external id. */
const PSEUDONYMIZE_ACCOUNTS = `
UPDATE ${account.table} SET ${account.externalId} = ${opaqueIdOf(u.id)}
FROM ${u.table}
WHERE ${u.number} ${IS_PENDING} AND ${isNotErased(u.externalId)} AND ${account.table}.${account.workspace} = ?1
  AND ${account.table}.${account.kind} = 'solo' AND ${account.table}.${account.externalId} = ${u.externalId}`;

const PSEUDONYMIZE_USERS = `
UPDATE ${user.table} SET ${user.externalId} = ${opaqueIdOf(user.id)}
WHERE ${user.number} ${IS_PENDING} AND ${isNotErased(user.externalId)}`;

const PERSONAL_ACCOUNTS = `
  SELECT ${a.number} AS number
  FROM ${e.table} e CROSS JOIN ${u.table} ON ${u.number} = e.${e.user}
  CROSS JOIN ${a.table} ON ${a.workspace} = ?1 AND ${a.kind} = 'solo' AND ${a.externalId} = ${u.externalId}
  WHERE e.${e.workspace} = ?1`;

const SUBJECTS = `
  SELECT 'user' AS kind, ${e.user} AS subject FROM ${e.table} WHERE ${e.workspace} = ?1
  UNION ALL SELECT 'account', number FROM (${PERSONAL_ACCOUNTS})`;

/** Users who never had an account. Pending attributes of the others have moved to their first account. */
const WITHOUT_ACCOUNT = `(
  SELECT ${user.number} FROM ${user.table} WHERE ${user.number} ${IS_PENDING} AND ${user.account} IS NULL
)`;

/** Nearly all indexed values are those of the first subjects. SQLite reads the others only for a value that these lack. */
const FIRST_SUBJECTS = 2_000;

/**
 * Deletes the traits of users or of accounts, and first the indexed values that nobody else has of their keys: traits have no
 * earlier values, so these include all that the erased ones ever had. One kind at a time: for pairs of kind and subject, SQLite
 * would read all traits. A search for each value would too, and once for each value.
 */
const deleteTraits = (kind: "account" | "user", erased: string) => {
  const ofErased = `${v.workspace} = ?1 AND ${v.dimension} IN (
  SELECT '${kind}.' || ${t.key} FROM ${t.table} WHERE ${t.subjectKind} = '${kind}' AND ${t.subject} ${erased}
)`;
  const first = `${t.subject} > ?1 << 32 AND ${t.subject} <= (?1 << 32) + ${FIRST_SUBJECTS}`;
  const listed = `('${kind}.' || ${t.key}, ${t.value}) IN (SELECT ${v.dimension}, ${v.value} FROM ${v.table} WHERE ${ofErased})`;
  const valuesOfOthers = (which: string) => `(
  SELECT '${kind}.' || ${t.key}, ${t.value} FROM ${t.table}
  WHERE ${t.subjectKind} = '${kind}' AND ${which} AND NOT ${t.subject} ${erased} AND ${t.value} IS NOT NULL
)`;
  return [
    `
DELETE FROM ${v.table} WHERE ${ofErased} AND (${v.dimension}, ${v.value}) NOT IN ${valuesOfOthers(first)}
AND (${v.dimension}, ${v.value}) NOT IN ${valuesOfOthers(`${inOwnRange(t.subject, "?1")} AND ${listed}`)}`,
    `DELETE FROM ${trait.table} WHERE ${trait.subjectKind} = '${kind}' AND ${trait.subject} ${erased}`,
    `DELETE FROM ${i.table} WHERE ${i.workspace} = ?1 AND ${i.subjectKind} = '${kind}' AND ${i.subject} ${erased}`,
  ];
};

/** Selects the `attributes` of all accounts and of users who keep their pending ones, also those of earlier days. */
const KEPT_ATTRIBUTES = `
  SELECT ${account.attributes} AS attributes FROM ${account.table} WHERE ${account.workspace} = ?1
  UNION ALL SELECT ${d.attributes} FROM ${d.table} WHERE ${inOwnRange(d.account, "?1")}
  UNION ALL SELECT ${user.pendingAttributes} FROM ${user.table} WHERE ${user.workspace} = ?1 AND NOT ${user.number} ${IS_PENDING}
  UNION ALL SELECT ${p.attributes} FROM ${p.table} WHERE ${inOwnRange(p.user, "?1")} AND NOT ${p.user} ${IS_PENDING}`;

/** Deletes indexed plans that only pending attributes have had. */
const DELETE_PENDING_PLANS = `
DELETE FROM ${v.table} WHERE ${v.workspace} = ?1 AND ${v.dimension} = 'plan' AND EXISTS (
  SELECT 1 FROM ${p.table} WHERE ${p.user} IN ${WITHOUT_ACCOUNT} AND json_type(${p.attributes}, '$.plan') IS NOT NULL
) AND ${v.value} NOT IN (SELECT coalesce(attributes -> '$.plan[0]', '') FROM (${KEPT_ATTRIBUTES}))`;

/** Deletes everything known about the users except what they did. */
const DELETE_PERSONAL_DATA = [
  recordChanged(SUBJECTS),
  deleteNamesSql(
    `SELECT s.kind, s.subject, f.value AS source FROM (${SUBJECTS}) s CROSS JOIN json_each('${JSON.stringify(NAME_SOURCES)}') f`,
    "TRUE",
  ),
  ...deleteTraits("user", IS_PENDING),
  ...deleteTraits("account", `IN (${PERSONAL_ACCOUNTS})`),
  DELETE_PENDING_PLANS,
  `UPDATE ${user.table} SET ${user.pendingAttributes} = NULL WHERE ${user.number} ${IS_PENDING} AND ${user.pendingAttributes} IS NOT NULL`,
  `DELETE FROM ${p.table} WHERE ${p.user} IN ${WITHOUT_ACCOUNT}`,
];

/** Whether the workspace has an archive, in which the users may be. */
const HAS_FILES = `EXISTS (SELECT 1 FROM ${archived.table} WHERE ${inOwnRange(archived.first, "?1")})`;

/** Has the archive search its files, and write the file again that it may be writing now. */
const ERASE_FROM_ARCHIVE = [
  `INSERT INTO ${archiveErasure.table} (${archiveErasure.user})
  SELECT ${e.user} FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${HAS_FILES} ON CONFLICT DO NOTHING`,
  `UPDATE ${archiveStep.table} SET ${archiveStep.revision} = ${archiveStep.revision} + 1 WHERE ${archiveStep.workspace} = ?1`,
];

/** Selects a row when the workspace has an archive. */
export const SELECT_ARCHIVED = `SELECT 1 AS archived WHERE ${HAS_FILES}`;

/** Marks users as erased, in this order and in one transaction. `requested` takes ?2 the user's id. */
export const MARK = {
  requested: [BEGIN, DELETE_REJECTIONS],
  pending: [PSEUDONYMIZE_ACCOUNTS, PSEUDONYMIZE_USERS, ...DELETE_PERSONAL_DATA, ...ERASE_FROM_ARCHIVE],
} as const;

/** The seq where the most advanced erasure continues; NULL without a running erasure. */
const NEXT = `(SELECT max(${n.nextSeq}) FROM ${n.table} WHERE ${n.workspace} = ?1 AND ${n.nextSeq} <= ${n.lastSeq})`;

/** Clears the ingest id: if the storing transaction is retried, it sees a duplicate and does not restore the data. */
const CLEAR_MESSAGES = `
UPDATE ${m.table} SET ${m.properties} = NULL, ${m.mapping} = NULL, ${m.ingestId} = -1,
  ${m.attributes} = iif(${m.account} IS NULL AND ${m.user} IN ${WITHOUT_ACCOUNT}, NULL, ${m.attributes})
WHERE ${m.seq} >= ${NEXT} AND ${m.seq} < ${NEXT} + ${SEQS_PER_STEP} AND ${m.user} ${IS_PENDING} AND ${m.ingestId} <> -1`;

const ADVANCE = `
UPDATE ${e.table} SET ${e.nextSeq} = ${e.nextSeq} + ${SEQS_PER_STEP}
WHERE ${e.workspace} = ?1 AND ${e.nextSeq} <= ${e.lastSeq} AND ${e.nextSeq} = ${NEXT}`;

/** One step through the log, in one transaction. */
export const CLEAR_STEP = [CLEAR_MESSAGES, ADVANCE] as const;

/** Selects a row while the log has to be cleared for one of the users in ?2. */
export const SELECT_UNCLEARED = `
SELECT 1 AS uncleared FROM json_each(?2) u CROSS JOIN ${e.table} e ON e.${e.workspace} = ?1 AND e.${e.user} = u.value
WHERE e.${e.nextSeq} <= e.${e.lastSeq} LIMIT 1`;

/** A copy may contain what was cleared after it was copied. So the row is copied too, and the log is cleared again there. */
const END = `DELETE FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${e.nextSeq} > ${e.lastSeq} AND NOT ${isCopied("?1")}`;

export const FINISH = [...DELETE_PERSONAL_DATA, END] as const;

/** Selects a row while the workspace is being copied. */
export const SELECT_COPIED = `SELECT 1 AS copied WHERE ${isCopied("?1")}`;
