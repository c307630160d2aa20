/** Reads files of questions: each line has a question, and the queries or the refusal that it should be read as. */
import { readFileSync } from "node:fs";

import type { Query } from "../../../src/core/ask/query/model.ts";

export interface LabeledQuestion {
  question: string;
  /** `or` lists other reasons that are right, too. */
  expect: { queries: readonly Query[] } | { reason: string; or?: readonly string[]; beyond?: true };
}

/** @param file from the project's folder */
export const readQuestions = (file: string): LabeledQuestion[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line): LabeledQuestion => JSON.parse(line));
