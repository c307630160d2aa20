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

/** Behaviour events, the newest arrival first, from just before `before` on. */
export async function listEvents(
  env: Env,
  workspace: WorkspaceRef,
  limit: number,
  before: number | null,
): Promise<StoredEvent[]> {
  const { first, last } = seqRange(workspace);
  const rows = await withRepeat(() =>
    databaseOf(env, workspace)
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
      .where(
        and(
          gte(messages.seq, first),
          lte(messages.seq, before === null ? last : before - 1),
          eq(messages.type, "track"),
        ),
      )
      .orderBy(desc(messages.seq))
      .limit(limit),
  );
  return rows.map((row) => ({ ...row, name: row.name ?? "", properties: row.properties ?? {} }));
}
