/**
 * The short way for the commonest request, one track. What the transaction does beside its append - make the account,
 * make the user, settle the user's account - has nothing to do once a first message has done it. Where this isolate has
 * seen that, it leaves those statements out, and brings the numbers that the append would look up: one short statement
 * is a quarter of the database's work for six.
 *
 * It takes nothing on trust. The statement stores only if the user still has that name and that account, tested in the
 * same transaction as the write; else it stores nothing, and the long way follows. Rows of users and accounts stay for
 * as long as their workspace does, so that a number of a live workspace means the same row for ever.
 */
import type { IngestBatch, Message } from "../../core/ingest/message.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { LAST_SEQ, LIVE_WORKSPACE, oneLine } from "./statement-forms-sql.ts";
import { packMapping } from "./stored-mapping.ts";

export interface EntityRef {
  id: string;
  /** `null` of a user who was erased, and of their account of one: duplicates still name them. */
  externalId: string | null;
}

/** Whom a track was stored for: as it is answered, and the numbers of their rows. */
export interface SettledPair {
  account: EntityRef;
  user: EntityRef;
  accountNumber: number;
  userNumber: number;
}

/** By workspace, user and account as messages name them; oldest first. */
const settled = new Map<string, SettledPair>();
const MAX_SETTLED = 10_000;

/**
 * A user with an account keeps it when a track names none; one that names an account moves a user out of an account of
 * one, which is the long way's. A duplicate writes its row as it was, so that its account and user are answered.
 */
export const APPEND_SETTLED = oneLine`
INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, properties, occurred_at,
  received_at, mapping)
SELECT ${LAST_SEQ} + 1, ?1, ?2, ?3, ?4, 'track', ?5, ?6, ?7, ?8, ?9, ?10, ?13
FROM ${LIVE_WORKSPACE}, users u
WHERE u.number = ?6 AND u.external_id = ?11 AND iif(?12, u.account_via <> 'solo', u.account = ?5)
ON CONFLICT (workspace, source, message_id) DO UPDATE SET ingest_id = ingest_id
RETURNING ingest_id = ?4 AS stored, account, user`;

/** The parameters of {@link APPEND_SETTLED}. */
export function appendSettledValues(
  workspace: WorkspaceRef,
  { source, receivedAt }: IngestBatch,
  ingestId: number,
  message: Message,
  { accountNumber, userNumber }: SettledPair,
): (string | number | null)[] {
  const { messageId, event, properties, occurredAt, userId, accountId, mapping } = message;
  const stored = [accountNumber, userNumber, event, properties && JSON.stringify(properties), occurredAt, receivedAt];
  const tested = [userId, accountId === null ? 0 : 1];
  return [workspace.number, source, messageId, ingestId, ...stored, ...tested, JSON.stringify(packMapping(mapping))];
}

/** The message of a request that may take the short way once its user and account are settled; else `null`. */
export function onlyTrack({ messages, rejections }: IngestBatch): Message | null {
  const [message, second] = messages;
  if (message === undefined || second !== undefined || rejections.length > 0) return null;
  return message.type === "track" && message.userId !== null && message.attributes === null ? message : null;
}

type Named = Pick<Message, "userId" | "accountId">;

export const settledPair = (workspace: WorkspaceRef, message: Named): SettledPair | undefined =>
  settled.get(nameOf(workspace, message));

/** To be called when the long way has stored the message. */
export function rememberSettled(workspace: WorkspaceRef, message: Named, pair: SettledPair): void {
  const [oldest] = settled.keys();
  if (oldest !== undefined && settled.size >= MAX_SETTLED) settled.delete(oldest);
  settled.set(nameOf(workspace, message), pair);
}

/** To be called when the short way found it otherwise: the user was erased, say. */
export const forgetSettled = (workspace: WorkspaceRef, message: Named): void =>
  void settled.delete(nameOf(workspace, message));

const nameOf = ({ number }: WorkspaceRef, { userId, accountId }: Named): string =>
  JSON.stringify([number, userId, accountId]);
