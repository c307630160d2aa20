import { iso } from "../../edge/present/iso.ts";
import type { RecomputeOutcome } from "../../services/recompute/model.ts";
import type { recomputed } from "../schemas/administration.ts";
import type { ResponseBody } from "../schemas/registry.ts";

/** Presents the figures of a run that the administration started, or that another run is in progress. */
export function presentRun(result: RecomputeOutcome): ResponseBody<typeof recomputed> {
  if (result.outcome === "skipped") return { ok: true, skipped: result.reason };
  const { asOf, startedAt, finishedAt, ...run } = result.run;
  return {
    ok: true,
    ...run,
    trigger: "admin",
    asOf: iso(asOf),
    startedAt: iso(startedAt),
    finishedAt: iso(finishedAt),
  };
}
