/**
 * The short path for the most common request: one track or capture of a known user. Once a first message has created the
 * account and the user, most statements of the ingest transaction have nothing to do. For a user in the cache they are
 * left out, and the append takes the row numbers from the cache: one short statement in place of six.
 *
 * A message with the same id from the same source is a duplicate, as in the full transaction (ingest-sql.ts).
 *
 * The cache is never trusted. The statement stores only if the numbers still belong to that user and that account, checked
 * in the same transaction, which is why it is SQL text; otherwise it stores nothing, and the full transaction runs. After a
 * restore, numbers may belong to others.
 */
import { HOUR_MS } from "../../core/durations.ts";
import type { IngestBatch, Message } from "../../core/ingest/message.ts";
import { ttlCache } from "../../core/ttl-cache.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { isLive } from "../client/sql-fragments.ts";
import type { Row, Statement, Value } from "../client/statement.ts";
import { accounts, messages, users } from "../schema/schema.ts";
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
/** The database is in the key, so that a workspace that was moved or restored isn't looked for in vain. */
const keyOf = ({ id, database }: WorkspaceRef, { userId, accountId }: NamedIds): string =>
  JSON.stringify([id, database, userId, accountId]);

/** Known users by workspace, and by the user and account ids that a message names. */
export const knownUserCache = {
  get: (workspace: WorkspaceRef, message: NamedIds) => cache.get(keyOf(workspace, message), Date.now()),
  set: (workspace: WorkspaceRef, message: NamedIds, known: KnownUser) =>
    cache.set(keyOf(workspace, message), known, Date.now()),
  delete: (workspace: WorkspaceRef, message: NamedIds) => cache.delete(keyOf(workspace, message)),
};

const message = columnsOf(messages);
const user = columnsOf(users);
const account = columnsOf(accounts);

/**
 * Appends a track of a known user. A user keeps their account if the track names no account. If it names an account and
 * the user has only a personal account, the user moves, which the full transaction does. A duplicate rewrites its row
 * unchanged, so that the row's account and user are returned.
 */
export const APPEND_FOR_KNOWN_USER = prepareQuery(
  { stored: expression<0 | 1>(`${message.ingestId} = :ingestId`), account: message.account, user: message.user },
  (columns) => oneLine`
INSERT INTO ${message.table} (${message.seq}, ${message.workspace}, ${message.source}, ${message.messageId},
  ${message.ingestId}, ${message.type}, ${message.account}, ${message.user}, ${message.event}, ${message.properties},
  ${message.occurredAt}, ${message.receivedAt}, ${message.mapping})
SELECT ${LAST_SEQ} + 1, :workspace, :source, :messageId, :ingestId, 'track', :account, :user, :event, :properties,
  :occurredAt, :receivedAt, :mapping
FROM ${user.table}
WHERE ${isLive(":workspace", ":id")} AND ${user.number} = :user AND ${user.externalId} = :userId
  AND CASE WHEN :accountId IS NULL THEN ${user.account} = :account ELSE ${user.accountVia} <> 'solo' AND EXISTS (
    SELECT 1 FROM ${account.table} WHERE ${account.number} = :account AND ${account.kind} = 'company'
      AND ${account.externalId} = :accountId) END
ON CONFLICT (${message.workspace}, ${message.source}, ${message.messageId}) DO UPDATE SET ${message.ingestId} = ${message.ingestId}
RETURNING ${columns}`,
);

/** @param request the values `workspace`, `id`, `source`, `ingestId` and `receivedAt` */
export function appendForKnownUser(
  request: Readonly<Record<string, Value>>,
  { messageId, event, properties, occurredAt, userId, accountId, mapping }: Message,
  { accountNumber, userNumber }: KnownUser,
): Statement<Row> {
  const texts = { properties: properties && JSON.stringify(properties), mapping: JSON.stringify(packMapping(mapping)) };
  const checked = { account: accountNumber, user: userNumber, userId, accountId };
  return APPEND_FOR_KNOWN_USER.bind({ ...request, ...texts, ...checked, messageId, event, occurredAt });
}

/** Returns the message of a request that may take the short path; `null` for any other request. */
export function loneTrack(batch: IngestBatch): Message | null {
  const [first, second] = batch.messages;
  if (first === undefined || second !== undefined || batch.rejections.length > 0) return null;
  return first.type === "track" && first.userId !== null && first.attributes === null ? first : null;
}
