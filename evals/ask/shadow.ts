/**
 * `node_modules/.bin/node evals/ask/shadow.ts OTHER FILE…`: reads each question of the files with this reader, and with that of
 * another checkout of the project, and prints what differs. Each line of a file is a question, or JSON with one.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { type ReadResult, readQuestion } from "../../src/core/ask/reader/read-question.ts";
import { meaningOf } from "./written/judge.ts";
import { vocabularyOf } from "./written/vocabulary.ts";
import { writtenWorld } from "./written/world.ts";

const [other = "", ...files] = process.argv.slice(2);
const { readQuestion: readByOther }: { readQuestion: typeof readQuestion } = await import(
  pathToFileURL(resolve(other, "src/core/ask/reader/read-question.ts")).href
);
const vocabulary = vocabularyOf(writtenWorld());
const counts = { agree: 0, differ: 0, onlyHere: 0, onlyThere: 0, millisecondsHere: 0, millisecondsThere: 0 };

for (const question of files.flatMap(questionsIn)) {
  const known = vocabulary(question);
  const [here, there] = [timed(readQuestion, "millisecondsHere"), timed(readByOther, "millisecondsThere")];
  const verdict = here.meaning === there.meaning ? "agree" : verdictOn(here.result, there.result);
  counts[verdict] += 1;
  if (verdict !== "agree")
    console.log(`${verdict.toUpperCase()} ${question}\n    here   ${here.text}\n    there  ${there.text}`);

  function timed(read: typeof readQuestion, field: "millisecondsHere" | "millisecondsThere") {
    const start = performance.now();
    const result = read(question, known);
    counts[field] += performance.now() - start;
    return { result, meaning: meaningsOf(result).join("\n"), text: textOf(result) };
  }
}
console.log(counts);

function questionsIn(file: string): string[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => (line.startsWith("{") ? JSON.parse(line).question : line));
}

/** Returns what a question was read as; nothing for a refusal. */
function meaningsOf(result: ReadResult): string[] {
  const queries = result.kind === "query" ? [result.query] : result.kind === "options" ? result.options : [];
  return queries.map(meaningOf).toSorted((a, b) => a.localeCompare(b));
}

function verdictOn(here: ReadResult, there: ReadResult): "differ" | "onlyHere" | "onlyThere" {
  if (here.kind === "refusal") return "onlyThere";
  return there.kind === "refusal" ? "onlyHere" : "differ";
}

function textOf(result: ReadResult): string {
  if (result.kind === "query") return JSON.stringify(result.query);
  if (result.kind === "options") return result.options.map((each) => JSON.stringify(each)).join(" | ");
  return `${result.reason}: ${result.detail}`;
}
