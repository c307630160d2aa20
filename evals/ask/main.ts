/**
 * `npm run evaluate:ask`: how questions are read, on written questions and on generated ones.
 *
 *     npm run evaluate:ask -- [--seed 1] [--queries 8000] [--questions 2000] [--hostile 10000]
 *
 * `--queries` are restated and read back; `--questions` are changed word by word, and asked in
 * renamed worlds; `--hostile` ones have 500 characters. The exit code is 1 if a question was read as another one.
 */
import { parseArgs } from "node:util";

import { checkHostileQuestions } from "./reader/hostile.ts";
import { checkIdentity } from "./reader/identity.ts";
import { checkNames } from "./reader/names.ts";
import { checkReplacedPieces } from "./reader/replaced-pieces.ts";
import { checkSkippedWords } from "./reader/skipped.ts";
import { judgeFile, type Verdict } from "./written/judge.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    queries: { type: "string", default: "8000" },
    questions: { type: "string", default: "2000" },
    hostile: { type: "string", default: "10000" },
  },
});
const { seed } = values;

for (const part of ["development", "final"]) {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of judgeFile(`evals/ask/written/${part}.jsonl`))
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  print(`Written questions, ${part}`, Object.fromEntries(counts));
}

const { replaced, unchanged: same } = checkReplacedPieces("evals/ask/written/final.jsonl");
print("Written questions, final, with another value, number, time or measure", { replaced, same });

const { different, ...read } = checkIdentity(seed, Number(values.queries));
print("Rendered queries, read back", read, different);

const { tried, unchanged } = checkSkippedWords(seed, Number(values.questions));
print("Questions with a word changed", tried, unchanged);

const { different: renamed, ...asked } = checkNames(seed, Number(values.questions));
print("Questions in renamed worlds", asked, renamed);

const { most, slowest, slowest999, question } = checkHostileQuestions(seed, Number(values.hostile));
print("Hostile questions of 500 characters, in milliseconds", { slowest, slowest999, ...most, question });

function print(title: string, figures: object, wrong: readonly string[] = []): void {
  console.log(`${title}\n${JSON.stringify(figures, null, 2)}`);
  if (wrong.length === 0) return;
  console.log(`${wrong.length} read as another question:\n${wrong.slice(0, 20).join("\n")}`);
  process.exitCode = 1;
}
