/** Selects how far a workspace's data goes back, and how far it has been processed. */
import type { Freshness } from "../../core/ask/model.ts";
import type { Day } from "../../core/health/model.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { statement } from "../client/statements.ts";
import { folds, workspaceDays } from "../schema/schema.ts";
import { MAX_TAIL, TAIL_EVENTS, WATERMARK } from "./tail.ts";

const d = columnsOf(workspaceDays);
const f = columnsOf(folds);

const SELECT_FRESHNESS = `
SELECT max(coalesce(stored.at, tail.at), coalesce(tail.at, stored.at)) AS lastEventAt,
  min(coalesce(first.day, tail.day), coalesce(tail.day, first.day)) AS firstDay, stored.as_of AS lastRecomputeAt,
  coalesce(${newestSeq("?1")} - ${WATERMARK} > ${MAX_TAIL}, 0) OR stored.rebuilds AS isBehind
FROM (
  SELECT max(${f.lastEventAt}) AS at, max(${f.asOf}) AS as_of, coalesce(max(${f.rebuildDay}) IS NOT NULL, 0) AS rebuilds FROM ${f.table}
  WHERE ${f.workspace} = ?1
) stored
CROSS JOIN (
  SELECT min(${d.day}) AS day FROM ${d.table}
  WHERE ${d.workspace} = ?1 AND ${d.day} >= max(?2, coalesce((SELECT ${f.historyFrom} FROM ${f.table} WHERE ${f.workspace} = ?1), ?2))
) first
CROSS JOIN (SELECT min(day) FILTER (WHERE day >= ?2) AS day, max(at) AS at FROM (${TAIL_EVENTS})) tail`;

/** Before all days that messages can have. */
const FIRST_DAY = 0;

const NONE = { lastEventAt: null, firstDay: null, lastRecomputeAt: null, isBehind: 0 };

/** @param historyFrom the first day whose counts are kept */
export function selectFreshness(batch: Batch, historyFrom: Day = FIRST_DAY): () => Freshness {
  type Row = Omit<Freshness, "isBehind"> & { isBehind: number };
  const rows = batch.addStatement(statement<Row>(SELECT_FRESHNESS, historyFrom));
  return () => {
    const [row = NONE] = rows();
    return { ...row, isBehind: row.isBehind === 1 };
  };
}
