/** Reads a page of workspaces with figures, in one round trip. */
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { directory } from "../client/database.ts";
import { countStored } from "../events/newest-arrivals.ts";
import { withRetry } from "../client/faults.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { folds, messages, workspaces } from "../schema/schema.ts";
import { type Workspace, workspaceColumns } from "./workspaces.ts";

export interface ListedWorkspace extends Workspace {
  /** All messages ever stored, including deleted ones. */
  stored: number;
  /** When the newest kept message was received. */
  lastMessageAt: number | null;
}

interface WorkspaceList {
  /** Newest first. */
  workspaces: ListedWorkspace[];
  /** When accounts were last scored; `null` before the first recompute. */
  updatedAt: number | null;
}

/** The seq of the newest message of the outer query's workspace. */
const newest = alias(messages, "newest");
const NEWEST_SEQ = sql`(SELECT max(${newest.seq}) FROM ${messages} newest
  WHERE ${newest.seq} > ${workspaces.number} << 32 AND ${newest.seq} < (${workspaces.number} + 1) << 32)`;

/** @param before the number of the last workspace on the previous page; `null` for the first page */
export async function listWithFigures(env: Env, limit: number, before: number | null): Promise<WorkspaceList> {
  const db = directory(env);
  const [rows, [run]] = await withRetry(() =>
    db.batch([
      db
        .select({
          ...workspaceColumns,
          watermark: folds.watermark,
          newestSeq: messages.seq,
          lastMessageAt: messages.receivedAt,
        })
        .from(workspaces)
        .leftJoin(folds, eq(folds.workspace, workspaces.number))
        .leftJoin(messages, eq(messages.seq, NEWEST_SEQ))
        // The lower bound changes no result. It makes SQLite seek instead of scanning the table.
        .where(
          and(isNull(workspaces.erasedAt), before === null ? gt(workspaces.number, 0) : lt(workspaces.number, before)),
        )
        .orderBy(desc(workspaces.number))
        .limit(limit),
      lastRunQuery(db),
    ]),
  );
  return {
    workspaces: rows.map(({ watermark, newestSeq, ...workspace }) => ({
      ...workspace,
      stored: countStored(workspace, newestSeq, watermark),
    })),
    updatedAt: run?.asOf ?? null,
  };
}
