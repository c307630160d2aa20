/** What is known of a workspace whatever is asked: how far its data goes back, and how far it is counted. */
import { DAY_MS } from "../../core/durations.ts";
import type { Freshness } from "../../core/ask/model.ts";
import type { Batch } from "../client/batch.ts";
import { numberOrNull } from "./entity-rows.ts";
import { IN_TAIL, MAX_TAIL, NEWEST, WATERMARK } from "./tail.ts";

const PROGRESS = `
SELECT f.last_event_at, f.rebuild_day, ${NEWEST} - ${WATERMARK} AS waiting,
  (SELECT min(d.day) FROM workspace_days d WHERE d.workspace = ?1) AS first_day,
  (SELECT r.as_of FROM recompute_runs r WHERE r.started_at > 0 AND r.finished_at IS NOT NULL
    ORDER BY r.started_at DESC LIMIT 1) AS as_of
FROM (SELECT ?1 AS workspace) w LEFT JOIN folds f ON f.workspace = w.workspace`;

const TAIL_BOUNDS = `
SELECT min(m.occurred_at) AS first_at, max(m.occurred_at) AS last_at FROM messages m
WHERE ${IN_TAIL} AND m.type = 'track' AND m.account IS NOT NULL`;

export function selectFreshness(batch: Batch): () => Freshness {
  const progress = batch.add(PROGRESS);
  const tail = batch.add(TAIL_BOUNDS);
  return () => {
    const [stored] = progress();
    const [unfolded] = tail();
    const lastAt = latest(numberOrNull(stored?.["last_event_at"]), numberOrNull(unfolded?.["last_at"]));
    const tailFirstAt = numberOrNull(unfolded?.["first_at"]);
    const tailFirstDay = tailFirstAt === null ? null : Math.floor(tailFirstAt / DAY_MS);
    return {
      lastEventAt: lastAt,
      lastRecomputeAt: numberOrNull(stored?.["as_of"]),
      firstDay: earliest(numberOrNull(stored?.["first_day"]), tailFirstDay),
      // While rollups are being rebuilt, some of them are missing.
      isBehind: (numberOrNull(stored?.["waiting"]) ?? 0) > MAX_TAIL || stored?.["rebuild_day"] != null,
    };
  };
}

/** The later of two moments that may not have been. */
export const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** The earlier of two. */
export const earliest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
