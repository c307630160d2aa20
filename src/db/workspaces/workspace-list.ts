/** A page of workspaces with what happens in each of them, for people: all of it in one round trip. */
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";

import { directory, seqRange } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { folds, messages, workspaces } from "../schema/schema.ts";
import type { Workspace } from "./workspaces.ts";

export interface ListedWorkspace extends Workspace {
  /** Messages ever stored, those deleted since too. */
  stored: number;
  /** When the newest was received; `null` where none is kept. */
  lastMessageAt: number | null;
}

interface WorkspaceList {
  /** The newest first. */
  workspaces: ListedWorkspace[];
  /** When accounts were last judged; `null` before the first recompute. */
  judgedAt: number | null;
}

/** The seq of the newest message of the workspace that the query around it is at. */
const NEWEST_SEQ = sql`(SELECT max(newest.seq) FROM ${messages} AS newest
  WHERE newest.seq > ${workspaces.number} << 32 AND newest.seq < (${workspaces.number} + 1) << 32)`;

/** @param before the number of the last workspace of the page before; `null` for the first page */
export async function listWithFigures(env: Env, limit: number, before: number | null): Promise<WorkspaceList> {
  const db = directory(env);
  const [rows, [run]] = await withRetry(() =>
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
        // A bound that all of them keep: SQLite seeks by it where it would walk through the table.
        .where(
          and(isNull(workspaces.erasedAt), before === null ? gt(workspaces.number, 0) : lt(workspaces.number, before)),
        )
        .orderBy(desc(workspaces.number))
        .limit(limit),
      lastRunQuery(db),
    ]),
  );
  return {
    workspaces: rows.map(({ watermark, newest, ...workspace }) => {
      // The log numbers a workspace's messages from 1: the newest number is their count, those deleted included.
      const { first } = seqRange(workspace);
      return { ...workspace, stored: Math.max(newest ?? 0, watermark ?? 0, first - 1) - first + 1 };
    }),
    judgedAt: run?.asOf ?? null,
  };
}
