/**
 * The statements that erase users. While an erasure runs, it has a row in `user_erasures`, and all statements refer to
 * that row, so that each may run again. They are SQL text, because each changes sets of rows that others of the same
 * transaction have found.
 */
import { columnsOf } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
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

const account = columnsOf(accounts, "account");
const archiveErasure = columnsOf(archiveErasures);
const archiveFile = columnsOf(archiveFiles);
const archiveStep = columnsOf(archiveSteps);
const attributeDay = columnsOf(attributeDays);
const erasure = columnsOf(userErasures, "erasure");
const identityTrait = columnsOf(identityTraits);
const indexed = columnsOf(dimensionValues);
const message = columnsOf(messages);
const pendingDay = columnsOf(pendingAttributeDays);
const rejection = columnsOf(rejections);
const trait = columnsOf(traits, "trait");
const user = columnsOf(users, "user");
// The table that a statement writes to has no alias.
const accountColumns = columnsOf(accounts);
const erasureColumns = columnsOf(userErasures);
const traitColumns = columnsOf(traits);
const userColumns = columnsOf(users);
/** The account that an UPDATE … FROM changes. */
const changed = columnsOf(accounts, accountColumns.table);

const FROM_PENDING = `FROM ${erasure.table} WHERE ${erasure.workspace} = :workspace`;
const IS_PENDING = `IN (SELECT ${erasure.user} ${FROM_PENDING})`;

/** Selects the users whose erasure is running. */
export const SELECT_PENDING = prepareQuery({ user: erasure.user }, (columns) => `SELECT ${columns} ${FROM_PENDING}`);

/**
 * The user with the id :userId. The internal id of an erased user matches nobody, so that it can't hide a user whose external
 * id is the same.
 */
const NUMBER = `coalesce(
    (SELECT ${user.number} FROM ${user.table}
      WHERE ${user.workspace} = :workspace AND ${user.id} = :userId AND ${isNotErased(user.externalId)}),
    (SELECT ${user.number} FROM ${user.table} WHERE ${user.workspace} = :workspace AND ${user.externalId} = :userId)
  )`;

const IS_OWN_REJECTION = inOwnRange(rejection.seq, ":workspace");

/** Selects the user with the id :userId, or a person known only from rejected messages, whose number is 0. */
export const SELECT_PERSON = prepareQuery(
  { externalId: user.externalId, user: expression<number>(withinWorkspace(user.number)) },
  (columns) => `
SELECT ${columns} FROM ${user.table} WHERE ${user.number} = ${NUMBER}
UNION ALL SELECT :userId, 0
WHERE EXISTS (SELECT 1 FROM ${rejection.table} WHERE ${IS_OWN_REJECTION} AND ${rejection.userId} = :userId)
LIMIT 1`,
);

const BEGIN = `
INSERT INTO ${erasureColumns.table} (${erasureColumns.workspace}, ${erasureColumns.user}, ${erasureColumns.nextSeq}, ${erasureColumns.lastSeq})
SELECT :workspace, ${user.number}, coalesce(${oldestSeq(":workspace")}, (:workspace << 32) + 1),
  coalesce(${newestSeq(":workspace")}, :workspace << 32)
FROM ${user.table} WHERE ${user.number} = ${NUMBER}
ON CONFLICT DO NOTHING`;

/** Deletes rejections, also of a person known only from rejected messages. */
const DELETE_REJECTIONS = `
DELETE FROM ${rejection.table} WHERE ${IS_OWN_REJECTION} AND (
  ${rejection.userId} = :userId
  OR ${rejection.userId} IN (SELECT ${user.externalId} FROM ${user.table} WHERE ${user.number} ${IS_PENDING})
)`;

/** Runs before PSEUDONYMIZE_USERS, because it finds a personal account by its user's external id. */
const PSEUDONYMIZE_ACCOUNTS = `
UPDATE ${accountColumns.table} SET ${accountColumns.externalId} = ${opaqueIdOf(user.id)}
FROM ${user.table}
WHERE ${user.number} ${IS_PENDING} AND ${isNotErased(user.externalId)} AND ${changed.workspace} = :workspace
  AND ${changed.kind} = 'solo' AND ${changed.externalId} = ${user.externalId}`;

const PSEUDONYMIZE_USERS = `
UPDATE ${userColumns.table} SET ${userColumns.externalId} = ${opaqueIdOf(userColumns.id)}
WHERE ${userColumns.number} ${IS_PENDING} AND ${isNotErased(userColumns.externalId)}`;

const PERSONAL_ACCOUNTS = `
  SELECT ${account.number} AS number
  FROM ${erasure.table} CROSS JOIN ${user.table} ON ${user.number} = ${erasure.user} CROSS JOIN ${account.table}
    ON ${account.workspace} = :workspace AND ${account.kind} = 'solo' AND ${account.externalId} = ${user.externalId}
  WHERE ${erasure.workspace} = :workspace`;

const SUBJECTS = `
  SELECT 'user' AS kind, ${erasure.user} AS subject ${FROM_PENDING}
  UNION ALL SELECT 'account', number FROM (${PERSONAL_ACCOUNTS})`;

/** Users who never had an account. Pending attributes of the others have moved to their first account. */
const WITHOUT_ACCOUNT = `(
  SELECT ${user.number} FROM ${user.table} WHERE ${user.number} ${IS_PENDING} AND ${user.account} IS NULL
)`;

/** Nearly all indexed values belong to the first subjects. SQLite reads the others only for a value that these lack. */
const FIRST_SUBJECTS = 2_000;

/**
 * Deletes the traits of users or of accounts, and first the indexed values that nobody else has for their keys. Traits
 * keep no earlier values, so these include all that the erased people ever had. It deletes one kind at a time: for
 * pairs of kind and subject, SQLite would read all traits. A search for each value would read them each time.
 */
const deleteTraits = (kind: "account" | "user", erased: string) => {
  const isErased = `${trait.subjectKind} = '${kind}' AND ${trait.subject} ${erased}`;
  const dimension = `'${kind}.' || ${trait.key}`;
  const ofErased = `${indexed.workspace} = :workspace
AND ${indexed.dimension} IN (SELECT ${dimension} FROM ${trait.table} WHERE ${isErased})`;
  const first = `${trait.subject} > :workspace << 32 AND ${trait.subject} <= (:workspace << 32) + ${FIRST_SUBJECTS}`;
  const listed = `(${dimension}, ${trait.value}) IN (
  SELECT ${indexed.dimension}, ${indexed.value} FROM ${indexed.table} WHERE ${ofErased})`;
  const isOfOthers = (which: string) => `(${indexed.dimension}, ${indexed.value}) IN (
  SELECT ${dimension}, ${trait.value} FROM ${trait.table}
  WHERE ${trait.subjectKind} = '${kind}' AND ${which} AND NOT ${trait.subject} ${erased} AND ${trait.value} IS NOT NULL
)`;
  return [
    `
DELETE FROM ${indexed.table} WHERE ${ofErased} AND NOT ${isOfOthers(first)}
AND NOT ${isOfOthers(`${inOwnRange(trait.subject, ":workspace")} AND ${listed}`)}`,
    `DELETE FROM ${traitColumns.table} WHERE ${traitColumns.subjectKind} = '${kind}' AND ${traitColumns.subject} ${erased}`,
    `
DELETE FROM ${identityTrait.table} WHERE ${identityTrait.workspace} = :workspace
AND ${identityTrait.subjectKind} = '${kind}' AND ${identityTrait.subject} ${erased}`,
  ];
};

/** Selects the `attributes` of all accounts and of users who keep their pending ones, also those of earlier days. */
const KEPT_ATTRIBUTES = `
  SELECT ${account.attributes} AS attributes FROM ${account.table} WHERE ${account.workspace} = :workspace
  UNION ALL SELECT ${attributeDay.attributes} FROM ${attributeDay.table}
  WHERE ${inOwnRange(attributeDay.account, ":workspace")}
  UNION ALL SELECT ${user.pendingAttributes} FROM ${user.table}
  WHERE ${user.workspace} = :workspace AND NOT ${user.number} ${IS_PENDING}
  UNION ALL SELECT ${pendingDay.attributes} FROM ${pendingDay.table}
  WHERE ${inOwnRange(pendingDay.user, ":workspace")} AND NOT ${pendingDay.user} ${IS_PENDING}`;

/** Deletes indexed plans that only pending attributes have had. */
const DELETE_PENDING_PLANS = `
DELETE FROM ${indexed.table} WHERE ${indexed.workspace} = :workspace AND ${indexed.dimension} = 'plan' AND EXISTS (
  SELECT 1 FROM ${pendingDay.table}
  WHERE ${pendingDay.user} IN ${WITHOUT_ACCOUNT} AND json_type(${pendingDay.attributes}, '$.plan') IS NOT NULL
) AND ${indexed.value} NOT IN (SELECT coalesce(attributes -> '$.plan[0]', '') FROM (${KEPT_ATTRIBUTES}))`;

/** Deletes everything known about the users except what they did. */
const DELETE_PERSONAL_DATA = [
  recordChanged(SUBJECTS),
  deleteNamesSql(
    `SELECT erased.kind, erased.subject, source.value AS source
FROM (${SUBJECTS}) erased CROSS JOIN json_each('${JSON.stringify(NAME_SOURCES)}') source`,
    "TRUE",
  ),
  ...deleteTraits("user", IS_PENDING),
  ...deleteTraits("account", `IN (${PERSONAL_ACCOUNTS})`),
  DELETE_PENDING_PLANS,
  `
UPDATE ${userColumns.table} SET ${userColumns.pendingAttributes} = NULL
WHERE ${userColumns.number} ${IS_PENDING} AND ${userColumns.pendingAttributes} IS NOT NULL`,
  `DELETE FROM ${pendingDay.table} WHERE ${pendingDay.user} IN ${WITHOUT_ACCOUNT}`,
];

/** Whether the workspace has an archive, in which the users may be. */
const HAS_FILES = `EXISTS (SELECT 1 FROM ${archiveFile.table} WHERE ${inOwnRange(archiveFile.first, ":workspace")})`;

/** Makes the archive search its files, and rewrite the file that it may be writing now. */
const ERASE_FROM_ARCHIVE = [
  `
INSERT INTO ${archiveErasure.table} (${archiveErasure.user})
SELECT ${erasure.user} ${FROM_PENDING} AND ${HAS_FILES} ON CONFLICT DO NOTHING`,
  `
UPDATE ${archiveStep.table} SET ${archiveStep.revision} = ${archiveStep.revision} + 1
WHERE ${archiveStep.workspace} = :workspace`,
];

/** Selects a row when the workspace has an archive. */
export const SELECT_ARCHIVED = prepare(`SELECT 1 WHERE ${HAS_FILES}`);

/** Marks the user with the id :userId as erased, and those whose erasure is running, in one transaction. */
export const MARK = [
  BEGIN,
  DELETE_REJECTIONS,
  PSEUDONYMIZE_ACCOUNTS,
  PSEUDONYMIZE_USERS,
  ...DELETE_PERSONAL_DATA,
  ...ERASE_FROM_ARCHIVE,
].map((sql) => prepare(sql));

/** The seq where the most advanced erasure continues; NULL without a running erasure. */
const NEXT = `(SELECT max(${erasure.nextSeq}) ${FROM_PENDING} AND ${erasure.nextSeq} <= ${erasure.lastSeq})`;

/** Clears the ingest id: if the storing transaction is retried, it sees a duplicate and does not restore the data. */
const CLEAR_MESSAGES = `
UPDATE ${message.table} SET ${message.properties} = NULL, ${message.mapping} = NULL, ${message.ingestId} = -1,
  ${message.attributes} = iif(${message.account} IS NULL AND ${message.user} IN ${WITHOUT_ACCOUNT}, NULL, ${message.attributes})
WHERE ${message.seq} >= ${NEXT} AND ${message.seq} < ${NEXT} + ${SEQS_PER_STEP}
  AND ${message.user} ${IS_PENDING} AND ${message.ingestId} <> -1`;

const ADVANCE = `
UPDATE ${erasureColumns.table} SET ${erasureColumns.nextSeq} = ${erasureColumns.nextSeq} + ${SEQS_PER_STEP}
WHERE ${erasureColumns.workspace} = :workspace AND ${erasureColumns.nextSeq} <= ${erasureColumns.lastSeq}
  AND ${erasureColumns.nextSeq} = ${NEXT}`;

/** One step through the log, in one transaction. */
export const CLEAR_STEP = [CLEAR_MESSAGES, ADVANCE].map((sql) => prepare(sql));

/** Selects a row while the log has to be cleared for one of :users. */
export const SELECT_UNCLEARED = prepare(`
SELECT 1 FROM json_each(:users) named
CROSS JOIN ${erasure.table} ON ${erasure.workspace} = :workspace AND ${erasure.user} = named.value
WHERE ${erasure.nextSeq} <= ${erasure.lastSeq} LIMIT 1`);

/** A copy may have rows from before their clearing. So it gets this row too, and the log is cleared again there. */
const END = `
DELETE FROM ${erasureColumns.table} WHERE ${erasureColumns.workspace} = :workspace
AND ${erasureColumns.nextSeq} > ${erasureColumns.lastSeq} AND NOT ${isCopied(":workspace")}`;

export const FINISH = [...DELETE_PERSONAL_DATA, END].map((sql) => prepare(sql));

/** Selects a row while the workspace is being copied. */
export const SELECT_COPIED = prepare(`SELECT 1 WHERE ${isCopied(":workspace")}`);
