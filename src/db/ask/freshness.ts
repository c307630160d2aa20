/**
 * Selects how far a workspace's data goes back, and how far it has been processed. SQL text, because the rule for the
 * tail is SQL text.
 */
import type { Freshness } from "../../core/ask/model.ts";
import type { Day } from "../../core/health/model.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { folds } from "../schema/schema.ts";
import { workspaceDay } from "./query/aliases.ts";
import { MAX_TAIL, tailEvents, watermark } from "./tail.ts";

const fold = columnsOf(folds, "fold");

const SELECT_FRESHNESS = prepareQuery(
  {
    lastEventAt: expression<number | null>("max(coalesce(stored.at, tail.at), coalesce(tail.at, stored.at))"),
    firstDay: expression<Day | null>("min(coalesce(first.day, tail.day), coalesce(tail.day, first.day))"),
    lastRecomputeAt: expression<number | null>("stored.as_of"),
    isBehind: expression<number>(
      `coalesce(${newestSeq(":workspace")} - ${watermark(":workspace")} > ${MAX_TAIL}, 0) OR stored.rebuilds`,
    ),
  },
  (columns) => `
SELECT ${columns}
FROM (
  SELECT max(${fold.lastEventAt}) AS at, max(${fold.asOf}) AS as_of,
    coalesce(max(${fold.rebuildDay}) IS NOT NULL, 0) AS rebuilds
  FROM ${fold.table} WHERE ${fold.workspace} = :workspace
) stored
CROSS JOIN (
  SELECT min(${workspaceDay.day}) AS day FROM ${workspaceDay.table}
  WHERE ${workspaceDay.workspace} = :workspace AND ${workspaceDay.day} >= max(:historyFrom, coalesce(
    (SELECT ${fold.historyFrom} FROM ${fold.table} WHERE ${fold.workspace} = :workspace), :historyFrom))
) first
CROSS JOIN (
  SELECT min(day) FILTER (WHERE day >= :historyFrom) AS day, max(at) AS at FROM (${tailEvents(":workspace")})
) tail`,
);

/** A day before all days that messages can have. */
const FIRST_DAY = 0;

const NONE = { lastEventAt: null, firstDay: null, lastRecomputeAt: null, isBehind: 0 };

/** @param historyFrom the first day whose counts are kept */
export function selectFreshness(batch: Batch, historyFrom: Day = FIRST_DAY): () => Freshness {
  const rows = batch.add(SELECT_FRESHNESS, { historyFrom });
  return () => {
    const [row = NONE] = rows();
    return { ...row, isBehind: row.isBehind === 1 };
  };
}
