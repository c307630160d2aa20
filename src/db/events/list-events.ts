import { and, between, desc, eq, max } from "drizzle-orm";

import type { Source } from "../../core/ingest/message.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Database, databaseOf, seqRange, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import type { AccountSummary } from "../users/find-user.ts";

export interface StoredEvent {
  /** Grows with the order of arrival, and serves as the position of a page. */
  seq: number;
  messageId: string;
  name: string;
  account: AccountSummary | null;
  user: EntityRef | null;
  properties: JsonObject;
  occurredAt: number;
  receivedAt: number;
  source: Source;
}

/** The most messages that a page reads: it skips messages that are not events. */
const MAX_SCANNED = 5_000;

/**
 * Lists behavior events that arrived before `before`, newest first.
 * @returns at most `limit` events, and the position of the next page: `null` at the end of the log
 */
export async function listEvents(
  env: Env,
  workspace: WorkspaceRef,
  limit: number,
  before: number | null,
): Promise<{ events: StoredEvent[]; next: number | null }> {
  const db = databaseOf(env, workspace);
  const { first, last } = seqRange(workspace);
  // Positions come from clients. One past the own log must not read the next workspace's.
  const top = before === null ? await newestSeq(db, first, last) : Math.min(before - 1, last);
  const bottom = Math.max(first, top - MAX_SCANNED + 1);
  const rows = await withRetry(() =>
    db
      .select({
        seq: messages.seq,
        messageId: messages.messageId,
        name: messages.event,
        properties: messages.properties,
        occurredAt: messages.occurredAt,
        receivedAt: messages.receivedAt,
        source: messages.source,
        account: { id: accounts.id, externalId: accounts.externalId, kind: accounts.kind },
        user: { id: users.id, externalId: users.externalId },
      })
      .from(messages)
      .leftJoin(accounts, eq(accounts.number, messages.account))
      .leftJoin(users, eq(users.number, messages.user))
      .where(and(between(messages.seq, bottom, top), eq(messages.type, "track")))
      .orderBy(desc(messages.seq))
      .limit(limit + 1),
  );
  const events = rows.slice(0, limit).map(({ account, user, ...row }) => ({
    ...row,
    name: row.name ?? "",
    account: account && { ...account, externalId: shownId(account.externalId) },
    user: user && { ...user, externalId: shownId(user.externalId) },
    properties: row.properties ?? {},
  }));
  if (rows.length > limit) return { events, next: events.at(-1)?.seq ?? null };
  return { events, next: bottom > first ? bottom : null };
}

/** Finds the key of the newest message. Pages count back from it, so new arrivals don't shift them. */
async function newestSeq(db: Database, first: number, last: number): Promise<number> {
  const [log] = await withRetry(() =>
    db
      .select({ newest: max(messages.seq) })
      .from(messages)
      .where(between(messages.seq, first, last)),
  );
  return log?.newest ?? first - 1;
}
