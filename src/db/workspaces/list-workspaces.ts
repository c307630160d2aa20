/** Lists workspaces with the details that the console and the administration show. */
import { and, desc, gt, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import { agreementColumns } from "../identity/agreement.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory } from "../client/database.ts";
import { countStored } from "../events/arrivals.ts";
import { expression, nullable } from "../client/expression.ts";
import { type Prepared, prepareQuery, type RowOf } from "../client/prepare.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
import { withRetry } from "../client/faults.ts";
import { summaryColumns } from "./api-keys.ts";
import { notErased, type Workspace } from "./find-workspace.ts";
import {
  agreements,
  apiKeys,
  folds,
  messages,
  moves,
  rejectionCounts,
  workspaces,
  workspaceStates,
} from "../schema/schema.ts";

/**
 * Lists workspaces, newest first, that come after the workspace with the number `before`. Without it, the lower bound
 * changes no result: it makes SQLite seek instead of scanning the table.
 * @param which `null` for all, also those that are being created or erased
 */
export function listWorkspaces(
  env: Env,
  limit: number,
  before: number | null,
  which: SQL | null = notErased,
): Promise<Workspace[]> {
  const isListed = and(which ?? undefined, before === null ? gt(workspaces.number, 0) : lt(workspaces.number, before));
  const query = directory(env).select().from(workspaces).where(isListed);
  return withRetry(() => query.orderBy(desc(workspaces.number)).limit(limit));
}

/** Lists those of these workspaces that are open. */
export const listAmong = (env: Env, ids: readonly string[], limit: number, before: number | null) => {
  const isAmong = sql`${notErased} AND ${workspaces.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return listWorkspaces(env, limit, before, isAmong);
};

const fold = columnsOf(folds, "fold");
const message = columnsOf(messages, "message");
const counted = columnsOf(rejectionCounts);
const state = columnsOf(workspaceStates, "state");

const FIGURES = {
  id: state.id,
  newest: nullable(message.seq),
  watermark: nullable(fold.watermark),
  /** When the newest kept message was received. */
  lastMessageAt: nullable(message.receivedAt),
  /** The moment that outcomes refer to: `asOf` of the last complete run. */
  lastRecomputeAt: nullable(fold.asOf),
};

/** SQL text, for a list of ids as JSON: D1 binds at most 100 values. */
const selectFigures = (columns: string): string => `
SELECT ${columns} FROM ${state.table} LEFT JOIN ${fold.table} ON ${fold.workspace} = ${state.number}
LEFT JOIN ${message.table} ON ${message.seq} = ${newestSeq(state.number)}
WHERE ${state.id} IN (SELECT value FROM json_each(:ids))`;

const SELECT_FIGURES = prepareQuery(FIGURES, selectFigures);

/** Selects the figures, and all messages ever rejected. Only for the administration, because it reads a row for each day. */
export const REJECTED = prepareQuery(
  {
    ...FIGURES,
    rejected: expression<number | null>(`(
  SELECT sum(${counted.count}) FROM ${counted.table} WHERE ${counted.workspace} = ${state.number})`),
  },
  selectFigures,
);

type Figures = RowOf<typeof FIGURES> & { rejected?: number | null };

/** The figures of a workspace that its database doesn't have. */
const NOT_IN_USE = { newest: null, watermark: null, lastMessageAt: null, lastRecomputeAt: null, rejected: null };

const numbersOf = (entries: readonly Workspace[]): string => JSON.stringify(entries.map(({ number }) => number));

export type ListedWorkspace = Awaited<ReturnType<typeof readFigures>>[number];

/** Adds figures to workspaces, in their order. The number of statements is constant. */
export async function readFigures(
  env: Env,
  entries: readonly Workspace[],
  figuresQuery: Prepared<Figures> = SELECT_FIGURES,
) {
  const read = Array.from(
    Map.groupBy(entries, ({ database }) => database),
    ([database, own]) =>
      runBatch(databaseOf(env, { database }), [figuresQuery.bind({ ids: JSON.stringify(own.map(({ id }) => id)) })]),
  );
  const figures = (await Promise.all(read)).flatMap(([{ results }]) => results);
  const byId = new Map(figures.map((each) => [each.id, each]));
  return entries.map((workspace) => {
    const { newest, watermark, ...known } = byId.get(workspace.id) ?? NOT_IN_USE;
    return { ...workspace, ...known, stored: countStored(workspace, newest, watermark) };
  });
}

const MAX_AGREEMENTS = 200;

/** Adds keys, agreements and moves to workspaces, in their order. The number of statements is constant. */
export async function readRecords<Entry extends Workspace>(env: Env, entries: readonly Entry[]) {
  const db = directory(env);
  const among = (column: SQLiteColumn) => sql`${column} IN (SELECT value FROM json_each(${numbersOf(entries)}))`;
  const [keys, recorded, running] = await withRetry(() =>
    db.batch([
      db
        .select({ workspace: apiKeys.workspace, key: summaryColumns })
        .from(apiKeys)
        .where(among(apiKeys.workspace))
        .orderBy(apiKeys.createdAt),
      db
        .select({ workspace: agreements.workspace, id: agreements.id, agreement: agreementColumns })
        .from(agreements)
        .where(among(agreements.workspace))
        .orderBy(desc(agreements.id)),
      db.select().from(moves).where(among(moves.workspace)),
    ]),
  );
  return entries.map((workspace) => {
    const { number } = workspace;
    const accepted = recorded.filter(({ workspace: own }) => own === number);
    return {
      ...workspace,
      keys: keys.flatMap(({ workspace: own, key }) => (own === number ? [key] : [])),
      /** All acceptances of the data processing agreement, newest first. */
      agreements: accepted.slice(0, MAX_AGREEMENTS).map(({ agreement }) => agreement),
      newestAgreement: accepted[0] ? { id: accepted[0].id, ...accepted[0].agreement } : null,
      /** The running move to another database. */
      move: running.find(({ workspace: own }) => own === number) ?? null,
    };
  });
}
