/** Scores the reader on written questions: `node evals/ask/written/score.ts FILE [--all]`. */
import { judgeFile, type Judged, type Verdict } from "./judge.ts";

const [file = "", ...flags] = process.argv.slice(2);
const counts = new Map<Verdict, number>();
for (const [index, judged] of judgeFile(file).entries()) {
  const { verdict } = judged;
  counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const isShown = flags.includes("--all") ? verdict !== "right" && verdict !== "right reason" : verdict === "wrong";
  if (isShown) console.log(lineOf(judged, index));
}
console.log(Object.fromEntries(counts));

function lineOf({ question, result, expect, verdict }: Judged, index: number): string {
  const expected = "queries" in expect ? JSON.stringify(expect.queries[0]) : expect.reason;
  return [
    `${verdict.toUpperCase()} ${index} ${question}`,
    `    got      ${gotOf(result).replaceAll('"', "")}`,
    `    expected ${expected?.replaceAll('"', "")}`,
  ].join("\n");
}

function gotOf(result: Judged["result"]): string {
  if (result.kind === "query") return JSON.stringify(result.query);
  return result.kind === "options" ? result.options.map((each) => JSON.stringify(each)).join(" | ") : result.reason;
}
