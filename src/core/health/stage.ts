/** Where in its life an account is, by whatever word the sender has for it: docs/health.md §11.9. */
import type { Stage } from "./model.ts";

const WORDS: ReadonlyMap<string, Stage> = new Map([
  ..."trial trialing trialling intrial freetrial poc pilot evaluation"
    .split(" ")
    .map((word): [string, Stage] => [word, "trial"]),
  ..."active customer paid paying live".split(" ").map((word): [string, Stage] => [word, "active"]),
  ..."churned cancelled canceled lost".split(" ").map((word): [string, Stage] => [word, "churned"]),
]);

/** An unknown word, or none, is read as active and flagged. */
export function readStage(word: string | undefined): { stage: Stage; known: boolean } {
  const stage = word === undefined ? undefined : WORDS.get(word.toLowerCase().replaceAll(/[\s_-]+/g, ""));
  return { stage: stage ?? "active", known: stage !== undefined };
}
