/** Reads whether a workspace has received anything yet, and if not, why. For people who send their first message. */
import { and, between, desc, eq, gte, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { MessageType } from "../../core/ingest/message.ts";
import { databaseOf, seqRange, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { REJECTION_RETENTION_DAYS } from "./rejections.ts";
import { accounts, messages, rejectionCounts, rejections, users } from "../schema/schema.ts";

/** The newest stored message. */
export interface StoredArrival {
  type: MessageType;
  /** Set for a `track` or a native capture. */
  event: string | null;
  /** External ids; `null` if absent or erased. */
  account: string | null;
  user: string | null;
  receivedAt: number;
  /** All messages ever stored. */
  stored: number;
}

/** The newest kept rejection. */
export interface NewestReject {
  code: string;
  reason: string;
  path: string | null;
  receivedAt: number;
}

export interface FirstArrivals {
  stored: StoredArrival | null;
  rejected: NewestReject | null;
  /** A rejection code of the last day with rejections, including codes that are only counted. */
  rejectedAs: string | null;
}

export async function readFirstArrivals(env: Env, workspace: WorkspaceRef, now: number): Promise<FirstArrivals> {
  const db = databaseOf(env, workspace);
  const { first, last } = seqRange(workspace);
  // Counts outlive kept rejections, so older counts are ignored.
  const keptSince = Math.ceil(now / DAY_MS) - REJECTION_RETENTION_DAYS;
  const [[stored], [rejected], [counted]] = await withRetry(() =>
    db.batch([
      db
        .select({
          seq: messages.seq,
          type: messages.type,
          event: messages.event,
          receivedAt: messages.receivedAt,
          // In a batch D1 returns rows by column name, and both tables have this column.
          account: sql<string | null>`${accounts.externalId}`.as("account_external_id"),
          user: sql<string | null>`${users.externalId}`.as("user_external_id"),
        })
        .from(messages)
        .leftJoin(accounts, eq(accounts.number, messages.account))
        .leftJoin(users, eq(users.number, messages.user))
        .where(between(messages.seq, first, last))
        .orderBy(desc(messages.seq))
        .limit(1),
      db
        .select({
          code: rejections.code,
          reason: rejections.reason,
          path: rejections.path,
          receivedAt: rejections.receivedAt,
        })
        .from(rejections)
        .where(between(rejections.seq, first, last))
        .orderBy(desc(rejections.seq))
        .limit(1),
      db
        .select({ code: rejectionCounts.code })
        .from(rejectionCounts)
        .where(and(eq(rejectionCounts.workspace, workspace.number), gte(rejectionCounts.day, keptSince)))
        .orderBy(desc(rejectionCounts.day))
        .limit(1),
    ]),
  );
  return {
    stored: stored === undefined ? null : toArrival(stored, first),
    rejected: rejected ?? null,
    rejectedAs: counted?.code ?? null,
  };
}

interface ArrivalRow extends Omit<StoredArrival, "stored"> {
  seq: number;
}

const toArrival = ({ seq, account, user, ...row }: ArrivalRow, first: number): StoredArrival => ({
  ...row,
  account: account === null ? null : shownId(account),
  user: user === null ? null : shownId(user),
  stored: seq - first + 1,
});
