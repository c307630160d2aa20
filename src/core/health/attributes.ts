/**
 * Keeps the attributes of an account over time, so that a past day is scored by the stage, seats and MRR of that day. A
 * timeline holds only changes: repeating a value adds nothing.
 */
import type { AccountAttributes } from "../ingest/message.ts";
import { countUntil } from "./activity.ts";
import { type AttributeChange, type AttributeValues, type Day, type Stage, STAGES } from "./model.ts";

/** Returns a reader of the attributes at the end of any day. It computes the values after each change once. */
export function attributesReader(changes: readonly AttributeChange[]): (day: Day) => AttributeValues {
  const dates = changes.map(([day]) => day);
  const states: AttributeValues[] = [];
  let values: AttributeValues = {};
  for (const [, changed] of changes) states.push((values = applied(values, changed)));
  return (day) => states[countUntil(dates, day) - 1] ?? {};
}

function applied(held: AttributeValues, changes: AccountAttributes): AttributeValues;
function applied(held: object, changes: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...held, ...changes }).filter(([, value]) => value !== null));
}

/** In lower case, without spaces, hyphens and underscores. */
export const STAGE_WORDS: Readonly<Record<Stage, readonly string[]>> = {
  trial: ["trial", "trialing", "trialling", "intrial", "freetrial", "poc", "pilot", "evaluation"],
  active: ["active", "customer", "paid", "paying", "live"],
  churned: ["churned", "cancelled", "canceled", "lost"],
};

/**
 * Reads the stage from the word that the sender uses for it (docs/health.md §11.9). An unknown or absent word counts as
 * active, with `known` false.
 */
export function readStage(word: string | undefined): { stage: Stage; known: boolean } {
  const normalized = (word ?? "").toLowerCase().replaceAll(/[\s_-]+/g, "");
  const stage = STAGES.find((each) => STAGE_WORDS[each].includes(normalized));
  return { stage: stage ?? "active", known: stage !== undefined };
}
