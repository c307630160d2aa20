import type { RecomputeOutcome } from "../../services/recompute/model.ts";
import { iso } from "../../edge/present/iso.ts";

/** What a run of the recompute did, or that another one is under way. */
export function presentOutcome(told: RecomputeOutcome) {
  if (told.outcome === "skipped") return { skipped: told.reason };
  const { asOf, startedAt, finishedAt, ...run } = told.run;
  return { ...run, asOf: iso(asOf), startedAt: iso(startedAt), finishedAt: iso(finishedAt) };
}
