/**
 * The short path for the most common request: one track or capture of a known user. Once a first message has created the
 * account and the user, most statements of the ingest transaction have nothing to do. For a user in the cache they are
 * left out, and the append takes the row numbers from the cache: one short statement in place of six.
 *
 * A message with the same id from the same source is a duplicate, as in the full transaction (ingest-sql.ts).
 *
 * The cache is never trusted. The statement stores only if the user still has that name and that account, checked in the
 * same transaction; otherwise it stores nothing, and the full transaction runs. Rows of users and accounts live as long
 * as their workspace, so a cached number never means another row.
 */
import { HOUR_MS } from "../../core/durations.ts";
import type { IngestBatch, Message } from "../../core/ingest/message.ts";
import { ttlCache } from "../../core/ttl-cache.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { isLive } from "../client/sql-fragments.ts";
import { type Row, type Statement, statement } from "../client/statements.ts";
import { messages, users } from "../schema/schema.ts";
import type { EntityRef } from "./entity-ref.ts";
import { LAST_SEQ, oneLine } from "./ingest-fragments-sql.ts";
import { packMapping } from "./stored-mapping.ts";

/** The user and account that a track was stored for: as the response names them, and the numbers of their rows. */
export interface KnownUser {
  account: EntityRef;
  user: EntityRef;
  accountNumber: number;
  userNumber: number;
}

type NamedIds = Pick<Message, "userId" | "accountId">;

const cache = ttlCache<KnownUser>({ ttlMs: HOUR_MS, maxEntries: 10_000 });
const keyOf = ({ id }: WorkspaceRef, { userId, accountId }: NamedIds): string =>
  JSON.stringify([id, userId, accountId]);

/** Known users by workspace, and by the user and account ids that a message names. */
export const knownUserCache = {
  get: (workspace: WorkspaceRef, message: NamedIds) => cache.get(keyOf(workspace, message), Date.now()),
  set: (workspace: WorkspaceRef, message: NamedIds, known: KnownUser) =>
    cache.set(keyOf(workspace, message), known, Date.now()),
  delete: (workspace: WorkspaceRef, message: NamedIds) => cache.delete(keyOf(workspace, message)),
};

const m = columnsOf(messages);
const u = columnsOf(users, "u");

/**
 * Appends a track of a known user. A user keeps their account if the track names none. If it names one and the user has
 * only a personal account, the user moves, which the full transaction does. A duplicate rewrites its row unchanged, so
 * that the row's account and user are returned.
 */
export const APPEND_FOR_KNOWN_USER = oneLine`
INSERT INTO ${m.table} (${m.seq}, ${m.workspace}, ${m.source}, ${m.messageId}, ${m.ingestId}, ${m.type}, ${m.account},
  ${m.user}, ${m.event}, ${m.properties}, ${m.occurredAt}, ${m.receivedAt}, ${m.mapping})
SELECT ${LAST_SEQ} + 1, ?1, ?2, ?3, ?4, 'track', ?5, ?6, ?7, ?8, ?9, ?10, ?13
FROM ${u.table}
WHERE ${isLive("?1", "?14")} AND ${u.number} = ?6 AND ${u.externalId} = ?11 AND iif(?12, ${u.accountVia} <> 'solo', ${u.account} = ?5)
ON CONFLICT (${m.workspace}, ${m.source}, ${m.messageId}) DO UPDATE SET ${m.ingestId} = ${m.ingestId}
RETURNING ${m.ingestId} = ?4 AS stored, ${m.account} AS account, ${m.user} AS user`;

export function appendForKnownUser(
  workspace: WorkspaceRef,
  { source, receivedAt }: IngestBatch,
  ingestId: number,
  message: Message,
  { accountNumber, userNumber }: KnownUser,
): Statement<Row> {
  const { messageId, event, properties, occurredAt, userId, accountId, mapping } = message;
  const stored = [accountNumber, userNumber, event, properties && JSON.stringify(properties), occurredAt, receivedAt];
  const checked = [userId, accountId === null ? 0 : 1, JSON.stringify(packMapping(mapping)), workspace.id];
  const request = [workspace.number, source, messageId, ingestId];
  return statement(APPEND_FOR_KNOWN_USER, ...request, ...stored, ...checked);
}

/** Returns the message of a request that may take the short path; `null` for any other request. */
export function loneTrack(batch: IngestBatch): Message | null {
  const [message, second] = batch.messages;
  if (message === undefined || second !== undefined || batch.rejections.length > 0) return null;
  return message.type === "track" && message.userId !== null && message.attributes === null ? message : null;
}
