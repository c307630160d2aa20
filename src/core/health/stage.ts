/** Reads the stage from the word that the sender uses for it (docs/health.md §11.9). */
import { type Stage, STAGES } from "./model.ts";

/** In lower case, without spaces, hyphens and underscores. */
export const STAGE_WORDS: Readonly<Record<Stage, readonly string[]>> = {
  trial: ["trial", "trialing", "trialling", "intrial", "freetrial", "poc", "pilot", "evaluation"],
  active: ["active", "customer", "paid", "paying", "live"],
  churned: ["churned", "cancelled", "canceled", "lost"],
};

/** Reads an unknown or absent word as active, with `known` false. */
export function readStage(word: string | undefined): { stage: Stage; known: boolean } {
  const normalized = (word ?? "").toLowerCase().replaceAll(/[\s_-]+/g, "");
  const stage = STAGES.find((each) => STAGE_WORDS[each].includes(normalized));
  return { stage: stage ?? "active", known: stage !== undefined };
}
