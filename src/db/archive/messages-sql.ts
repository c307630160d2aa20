/** Reads messages of the log in the form of the archive and exports. */
import type { ArchivedMessage } from "../../core/archive/message.ts";
import { columnsOf } from "../client/columns-of.ts";
import { newestSeq, oldestSeq, withinWorkspace } from "../client/sql-fragments.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";

const a = columnsOf(accounts, "a");
const m = columnsOf(messages, "m");
const own = columnsOf(messages);
const u = columnsOf(users, "u");

/**
 * The first message of the workspace ?1 received at a time or later. A binary search finds it, because the time of receipt
 * has no index and the log has no gaps. Messages are numbered when they are stored, so some that were received around that
 * time may be on the wrong side.
 */
export const firstReceived = (time: string): string => `(
  WITH RECURSIVE search (low, high) AS (
    SELECT ${oldestSeq("?1")}, ${newestSeq("?1")} + 1
    UNION ALL
    SELECT iif(${own.receivedAt} < ${time}, ${own.seq} + 1, low), iif(${own.receivedAt} < ${time}, high, ${own.seq})
    FROM search CROSS JOIN ${own.table} ON ${own.seq} = (low + high) / 2 WHERE low < high
  )
  SELECT low FROM search WHERE low = high
)`;

/** What a message takes without its texts of variable length. */
const MESSAGE_BYTES = 130;

/** The size of a message in the log, roughly. Its id is in an index too. */
export const messageBytes = `${MESSAGE_BYTES} + 2 * octet_length(${own.messageId})
  + ${[own.event, own.properties, own.attributes, own.mapping].map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ")}`;

/** The external id of an erased person is a control character and the internal id; this is the latter. */
const shown = (externalId: string): string => `ltrim(${externalId}, char(1))`;
const unlessErased = (value: string, condition = "TRUE"): string =>
  `iif(NOT ${isNotErased(u.externalId)} AND ${condition}, NULL, ${value})`;

export type MessageRow = ArchivedMessage & { seq: number };

/**
 * Selects messages as {@link MessageRow}, in their order. A person's messages are cleared here as soon as the erasure has
 * begun, even those that it has not reached in the log yet.
 */
export const selectMessages = (where: string): string => `
SELECT ${m.seq} AS seq, ${m.messageId} AS messageId, ${m.type} AS type, ${m.source} AS source,
  ${shown(a.externalId)} AS accountId, ${a.kind} AS accountKind, ${shown(u.externalId)} AS userId, ${m.event} AS event,
  ${unlessErased(m.properties)} AS properties, ${unlessErased(m.attributes, `${m.account} IS NULL AND ${u.account} IS NULL`)} AS attributes,
  ${m.occurredAt} AS occurredAt, ${m.receivedAt} AS receivedAt,
  coalesce(iif(${isNotErased(u.externalId)}, 1, -1) * ${withinWorkspace(u.number)}, 0) AS user
FROM ${m.table} LEFT JOIN ${a.table} ON ${a.number} = ${m.account} LEFT JOIN ${u.table} ON ${u.number} = ${m.user}
WHERE ${where} ORDER BY ${m.seq}`;
