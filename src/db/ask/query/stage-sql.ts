/** SQL of the stage of an `account`. */
import { STAGE_WORDS } from "../../../core/health/attributes.ts";
import { STAGES } from "../../../core/health/model.ts";
import { account } from "./aliases.ts";

/** The current value of an account's attribute. */
export const attribute = (name: string): string => `(${account.attributes} ->> '$.${name}[0]')`;

/** Whether a sender's word is one of the given words, regardless of case, spaces, hyphens and underscores. */
export const isStageWord = (word: string, words: readonly string[]): string =>
  `lower(replace(replace(replace(${word}, ' ', ''), '-', ''), '_', '')) IN ('${words.join("', '")}')`;

/** Reads a stage from the sender's word, as `readStage` does. Unknown and absent words mean active. */
export const stageOf = (word: string = attribute("stage")): string =>
  `CASE ${STAGES.filter((stage) => stage !== "active")
    .map((stage) => `WHEN ${isStageWord(word, STAGE_WORDS[stage])} THEN '${stage}'`)
    .join(" ")} ELSE 'active' END`;
