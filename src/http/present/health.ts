/** Presents health as the API returns it: days as dates, and a sentence beside each code. */
import type { Health } from "../../core/health/model.ts";
import { describeChange, describeMissing, describeReasons } from "../../core/health/texts.ts";
import { isoDate, isoDates } from "../../edge/present/iso.ts";

/** Presents an account's health for lists. */
export const presentHealth = ({ score, state, confidence, trend, day, modelVersion }: Health) => ({
  score,
  state,
  confidence,
  provisional: confidence === "low",
  trend,
  asOf: isoDate(day),
  modelVersion,
});

/** Presents health with its explanation. */
export const presentExplainedHealth = (health: Health) => {
  const texts = describeReasons(health.reasons);
  return {
    ...presentHealth(health),
    uncapped: health.uncapped,
    coverage: health.coverage,
    stage: health.stage,
    stageKnown: health.stageKnown,
    reasons: health.reasons.map((reason, index) => ({
      ...reason,
      window: isoDates(reason.window),
      text: texts[index],
    })),
    changes: health.changes.map((change) => ({ ...change, text: describeChange(change) })),
    missing: health.missing.map((missing) => ({ ...missing, text: describeMissing(missing) })),
  };
};
