import { and, desc, eq, lte, gte } from "drizzle-orm";

import type { Source } from "../core/ingest/message.ts";
import type { JsonObject } from "../core/json.ts";
import { databaseOf, seqRange, type WorkspaceRef } from "./database.ts";
import { withRepeat } from "./faults.ts";
import { accounts, messages, users } from "./schema.ts";

export interface StoredEvent {
  /** Grows with the order of arrival; the position of a page. */
  seq: number;
  messageId: string;
  name: string;
  account: { id: string; externalId: string; kind: "company" | "solo" } | null;
  user: { id: string; externalId: string } | null;
  properties: JsonObject;
  occurredAt: number;
  receivedAt: number;
  source: Source;
}

/** So many messages of the log are looked at for a page: what is no event is passed over, but not without end. */
const MAX_LOOKED_AT = 5_000;

/**
 * Behaviour events, the newest arrival first, from just before `before` on.
 * @returns at most `limit` of them, and where to go on: `null` at the end of the log
 */
export async function listEvents(
  env: Env,
  workspace: WorkspaceRef,
  limit: number,
  before: number | null,
): Promise<{ events: StoredEvent[]; next: number | null }> {
  const db = databaseOf(env, workspace);
  const { first, last } = seqRange(workspace);
  const inLog = and(gte(messages.seq, first), lte(messages.seq, before === null ? last : before - 1));
  const lookedAt = db
    .select()
    .from(messages)
    .where(inLog)
    .orderBy(desc(messages.seq))
    .limit(MAX_LOOKED_AT)
    .as("looked_at");
  const rows = await withRepeat(() =>
    db
      .select({
        seq: lookedAt.seq,
        messageId: lookedAt.messageId,
        name: lookedAt.event,
        properties: lookedAt.properties,
        occurredAt: lookedAt.occurredAt,
        receivedAt: lookedAt.receivedAt,
        source: lookedAt.source,
        account: { id: accounts.id, externalId: accounts.externalId, kind: accounts.kind },
        user: { id: users.id, externalId: users.externalId },
      })
      .from(lookedAt)
      .leftJoin(accounts, eq(accounts.number, lookedAt.account))
      .leftJoin(users, eq(users.number, lookedAt.user))
      .where(eq(lookedAt.type, "track"))
      .orderBy(desc(lookedAt.seq))
      .limit(limit + 1),
  );
  const events = rows
    .slice(0, limit)
    .map((row) => ({ ...row, name: row.name ?? "", properties: row.properties ?? {} }));
  if (rows.length > limit) return { events, next: events.at(-1)?.seq ?? null };
  const [lastLookedAt] = await withRepeat(() =>
    db
      .select({ seq: messages.seq })
      .from(messages)
      .where(inLog)
      .orderBy(desc(messages.seq))
      .limit(1)
      .offset(MAX_LOOKED_AT - 1),
  );
  return { events, next: lastLookedAt?.seq ?? null };
}
