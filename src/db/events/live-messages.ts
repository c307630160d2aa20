/** The newest messages and rejects for the console's live page. */
import { between, desc, eq, sql } from "drizzle-orm";

import type { KeptMessage, MessageType, Source } from "../../core/ingest/message.ts";
import type { Mapping } from "../../core/ingest/mapping.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Database, databaseOf, seqRange, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { unpackMapping } from "../ingest/stored-mapping.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { accounts, folds, messages, rejections, users } from "../schema/schema.ts";
import type { AccountSummary } from "../users/find-user.ts";

export interface Arrival {
  /** Increases with arrival. */
  seq: number;
  messageId: string;
  type: MessageType;
  source: Source;
  event: string | null;
  account: AccountSummary | null;
  user: EntityRef | null;
  properties: JsonObject | null;
  occurredAt: number;
  receivedAt: number;
  /** `null` once the user is erased. */
  mapping: Mapping | null;
}

export interface RejectedArrival extends KeptMessage {
  /** Increases with arrival. Numbered separately from messages. */
  seq: number;
  receivedAt: number;
  keyId: string;
  code: string;
  reason: string;
  path: string | null;
}

interface NewestArrivals {
  /** Newest first. */
  messages: Arrival[];
  rejections: RejectedArrival[];
  /** All messages ever stored, including deleted ones. */
  stored: number;
}

/** Columns of joined tables have aliases, because a batch returns rows by column name. */
const arrivalColumns = {
  seq: messages.seq,
  messageId: messages.messageId,
  type: messages.type,
  source: messages.source,
  event: messages.event,
  properties: messages.properties,
  occurredAt: messages.occurredAt,
  receivedAt: messages.receivedAt,
  mapping: messages.mapping,
  accountId: sql<string | null>`${accounts.id}`.as("account_id"),
  accountExternalId: sql<string | null>`${accounts.externalId}`.as("account_external_id"),
  accountKind: sql<AccountSummary["kind"] | null>`${accounts.kind}`.as("account_kind"),
  userId: sql<string | null>`${users.id}`.as("user_id"),
  userExternalId: sql<string | null>`${users.externalId}`.as("user_external_id"),
};

const arrivalsQuery = (db: Database) =>
  db
    .select(arrivalColumns)
    .from(messages)
    .leftJoin(accounts, eq(accounts.number, messages.account))
    .leftJoin(users, eq(users.number, messages.user));

type ArrivalRow = Awaited<ReturnType<typeof arrivalsQuery>>[number];

/** Reads the newest messages and rejects of a workspace, at most `limit` of each, in one round trip. */
export async function newestArrivals(env: Env, workspace: WorkspaceRef, limit: number): Promise<NewestArrivals> {
  const db = databaseOf(env, workspace);
  const { first, last } = seqRange(workspace);
  const [arrived, rejected, [fold]] = await withRetry(() =>
    db.batch([
      arrivalsQuery(db)
        .where(between(messages.seq, first, last))
        .orderBy(desc(messages.seq))
        .limit(limit),
      db
        .select()
        .from(rejections)
        .where(between(rejections.seq, first, last))
        .orderBy(desc(rejections.seq))
        .limit(limit),
      db.select({ watermark: folds.watermark }).from(folds).where(eq(folds.workspace, workspace.number)),
    ]),
  );
  // A workspace's messages are numbered from 1, so the newest number is their count.
  const newest = Math.max(arrived[0]?.seq ?? 0, fold?.watermark ?? 0, first - 1);
  return { messages: arrived.map(toArrival), rejections: rejected, stored: newest - first + 1 };
}

function toArrival(row: ArrivalRow): Arrival {
  const { accountId, accountExternalId, accountKind, userId, userExternalId, mapping, ...rest } = row;
  return {
    ...rest,
    account:
      accountId === null || accountExternalId === null || accountKind === null
        ? null
        : { id: accountId, externalId: shownId(accountExternalId), kind: accountKind },
    user: userId === null || userExternalId === null ? null : { id: userId, externalId: shownId(userExternalId) },
    mapping: mapping === null ? null : unpackMapping(mapping),
  };
}
