/**
 * The short way for the commonest request, one track. What the transaction does beside its append - make the account,
 * make the user, settle the user's account - has nothing to do once a first message has done it. Where this isolate has
 * seen that, it leaves those statements out: one statement is a quarter of the database's work for six.
 *
 * It takes nothing on trust. The statement stores only if the user and the account are there and the one belongs to the
 * other for good, tested in the same transaction as the write; else it stores nothing, and the long way follows.
 */
import type { IngestBatch, Message } from "../core/ingest/message.ts";
import type { WorkspaceRef } from "./database.ts";
import { FORMS, headOf, LAST_SEQ, LIVE_WORKSPACE, oneLine } from "./ingest-forms.ts";

/** Oldest first. */
const settled = new Set<string>();
const MAX_SETTLED = 10_000;

const head = headOf(FORMS.one);

/**
 * The parameters of the ingest statements. A user with an account keeps it when a track names none; one that names an
 * account moves a user out of an account of one, which is the long way's. A duplicate writes its row as it was, so that
 * the answer can name whom it was stored for.
 */
export const APPEND_SETTLED = oneLine`
INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, properties, attributes,
  occurred_at, received_at)
SELECT ${LAST_SEQ} + 1, ?1, ?2, ${head.messageId}, ?3, ${head.type}, coalesce(a.number, u.account), u.number,
  ${head.event}, ${head.properties}, NULL, ${head.occurredAt}, ?4
FROM ${LIVE_WORKSPACE} CROSS JOIN users u
LEFT JOIN accounts a ON a.workspace = ?1 AND a.kind = 'company' AND a.external_id = ${head.accountId}
WHERE u.workspace = ?1 AND u.external_id = ${head.userId} AND u.account IS NOT NULL
  AND (${head.accountId} IS NULL OR (a.number IS NOT NULL AND u.account_via <> 'solo'))
ON CONFLICT (workspace, source, message_id) DO UPDATE SET ingest_id = ingest_id
RETURNING ingest_id = ?3 AS stored,
  (SELECT id FROM accounts WHERE number = account) AS account_id,
  (SELECT external_id FROM accounts WHERE number = account) AS account_external_id,
  (SELECT id FROM users WHERE number = user) AS user_id,
  (SELECT external_id FROM users WHERE number = user) AS user_external_id`;

/** The message of a request that may take the short way once its user and account are settled; else `null`. */
export function onlyTrack({ messages, rejections }: IngestBatch): Message | null {
  const [message, second] = messages;
  if (message === undefined || second !== undefined || rejections.length > 0) return null;
  return message.type === "track" && message.userId !== null && message.attributes === null ? message : null;
}

type Named = Pick<Message, "userId" | "accountId">;

export const isSettled = (workspace: WorkspaceRef, message: Named): boolean => settled.has(nameOf(workspace, message));

/** To be called when the long way has stored the message. */
export function rememberSettled(workspace: WorkspaceRef, message: Named): void {
  const [oldest] = settled;
  if (oldest !== undefined && settled.size >= MAX_SETTLED) settled.delete(oldest);
  settled.add(nameOf(workspace, message));
}

/** To be called when the short way found it otherwise: the user was erased, say. */
export const forgetSettled = (workspace: WorkspaceRef, message: Named): void =>
  void settled.delete(nameOf(workspace, message));

const nameOf = ({ number }: WorkspaceRef, { userId, accountId }: Named): string =>
  JSON.stringify([number, userId, accountId]);
