/** A page of the console's list of workspaces, in one round trip. */
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";

import { directory, seqRange } from "../client/database.ts";
import { withRepeat } from "../client/faults.ts";
import { selectingLastRun } from "../recompute/last-run.ts";
import { folds, messages, workspaces } from "../schema/schema.ts";
import type { Workspace } from "./workspaces.ts";

export interface ListedWorkspace extends Workspace {
  /** All messages ever stored, including deleted ones. */
  stored: number;
  /** `null` if no message is kept. */
  lastMessageAt: number | null;
}

interface WorkspaceList {
  /** Newest first. */
  workspaces: ListedWorkspace[];
  /** When scores were last updated; `null` before the first recompute. */
  updatedAt: number | null;
}

/** Selects the seq of the newest message of the outer query's workspace. */
const NEWEST_SEQ = sql`(SELECT max(newest.seq) FROM ${messages} AS newest
  WHERE newest.seq > ${workspaces.number} << 32 AND newest.seq < (${workspaces.number} + 1) << 32)`;

/** @param before the number of the last workspace of the previous page; `null` for the first page */
export async function listWithFigures(env: Env, limit: number, before: number | null): Promise<WorkspaceList> {
  const db = directory(env);
  const [rows, [run]] = await withRepeat(() =>
    db.batch([
      db
        .select({
          id: workspaces.id,
          number: workspaces.number,
          name: workspaces.name,
          writeLimit: workspaces.writeLimit,
          createdAt: workspaces.createdAt,
          watermark: folds.watermark,
          newest: messages.seq,
          lastMessageAt: messages.receivedAt,
        })
        .from(workspaces)
        .leftJoin(folds, eq(folds.workspace, workspaces.number))
        .leftJoin(messages, eq(messages.seq, NEWEST_SEQ))
        // The bound lets SQLite seek instead of scanning the table.
        .where(
          and(isNull(workspaces.erasedAt), before === null ? gt(workspaces.number, 0) : lt(workspaces.number, before)),
        )
        .orderBy(desc(workspaces.number))
        .limit(limit),
      selectingLastRun(db),
    ]),
  );
  return {
    workspaces: rows.map(({ watermark, newest, ...workspace }) => {
      // A workspace's messages are numbered from 1, so the newest number is their count.
      const { first } = seqRange(workspace);
      return { ...workspace, stored: Math.max(newest ?? 0, watermark ?? 0, first - 1) - first + 1 };
    }),
    updatedAt: run?.asOf ?? null,
  };
}
