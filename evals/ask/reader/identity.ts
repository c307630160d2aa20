/** Checks that a restated query reads back as the same query, or gives options. */
import { canonical, isSame } from "../../../src/core/ask/query/canonical.ts";
import type { Query } from "../../../src/core/ask/query/model.ts";
import { restate } from "../../../src/core/ask/query/restate.ts";
import { read } from "../../../src/core/ask/reader/read.ts";
import { randomOf } from "../../simulator/random.ts";
import { plainNames, worldOf } from "./worlds.ts";

export interface IdentityReport {
  /** How many restatements read back as the query, as options, not at all, or as another query. */
  restated: Counts;
  /** The same in lower case, and with polite words, as people type. */
  typed: Counts;
  different: readonly string[];
}

interface Counts {
  same: number;
  options: number;
  refused: number;
  different: number;
}

const QUERIES_PER_WORLD = 50;

export function identity(seed: string, cases: number): IdentityReport {
  const none = { same: 0, options: 0, refused: 0, different: 0 };
  const report = { restated: { ...none }, typed: { ...none }, different: [] as string[] };
  for (let done = 0; done < cases; done += QUERIES_PER_WORLD) {
    const random = randomOf(`${seed} ${done}`);
    const world = worldOf(plainNames(random));
    for (let count = 0; count < QUERIES_PER_WORLD; count += 1) {
      const query = world.draw(random);
      const restated = restate(query, world.speech);
      const judge = (text: string, counts: Counts): void => {
        const result = read(text, world.vocabulary(text));
        const verdict = verdictOn(query, result);
        counts[verdict] += 1;
        if (verdict === "different")
          report.different.push(`${text}\n  ${JSON.stringify(canonical(query))}\n  ${JSON.stringify(result)}`);
      };
      judge(restated, report.restated);
      for (const text of [
        `please ${restated.toLowerCase()}`,
        `Hello, ${restated} Thanks!`,
        restated.replace(/\?$/, ""),
      ])
        judge(text, report.typed);
    }
  }
  return report;
}

export function verdictOn(query: Query, result: ReturnType<typeof read>): keyof Counts {
  if (result.kind === "refusal") return "refused";
  const isIt = (each: Query) => isSame(canonical(each), canonical(query));
  if (result.kind === "options") return result.options.some(isIt) ? "options" : "different";
  return isIt(result.query) ? "same" : "different";
}
