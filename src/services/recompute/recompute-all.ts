import { recomputeSettings } from "../../config.ts";
import type { RecomputeOptions, RecomputeOutcome } from "./model.ts";
import { recompute } from "./recompute.ts";

export const recomputeAll = (env: Env, trigger: RecomputeOptions["trigger"], now: number): Promise<RecomputeOutcome> =>
  recompute(env, { now, trigger, clock: Date.now, ...recomputeSettings(env) });
