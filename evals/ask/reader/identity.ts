/** Checks that a restated query reads back as the same query, or gives options. */
import { canonical, isSame } from "../../../src/core/ask/query/canonical.ts";
import type { Query, WindowName } from "../../../src/core/ask/query/model.ts";
import { restate } from "../../../src/core/ask/query/restate.ts";
import { isoDate } from "../../../src/core/ask/query/windows.ts";
import { readQuestion } from "../../../src/core/ask/reader/read-question.ts";
import { randomOf } from "../../simulator/random.ts";
import { TODAY } from "../query/world.ts";
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

export function checkIdentity(seed: string, cases: number): IdentityReport {
  const none = { same: 0, options: 0, refused: 0, different: 0 };
  const report = { restated: { ...none }, typed: { ...none }, different: [] as string[] };
  for (let done = 0; done < cases; done += QUERIES_PER_WORLD) {
    const random = randomOf(`${seed} ${done}`);
    const world = worldOf(plainNames(random));
    for (let count = 0; count < QUERIES_PER_WORLD; count += 1) {
      const query = world.draw(random);
      const restated = restate(query, world.speech);
      const judge = (text: string, counts: Counts): void => {
        const result = readQuestion(text, world.vocabulary(text));
        const verdict = verdictOn(query, result);
        counts[verdict] += 1;
        if (verdict === "different")
          report.different.push(`${text}\n  ${JSON.stringify(canonical(query))}\n  ${JSON.stringify(result)}`);
      };
      judge(restated, report.restated);
      judge(restated.replace(/\?$/, ""), report.typed);
      for (const text of [restated, ...wordingsOf(restated)]) {
        judge(`please ${text.toLowerCase()}`, report.typed);
        judge(`Hello, ${text} Thanks!`, report.typed);
      }
    }
  }
  return report;
}

/** Other words for those of the renderer. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<!company )\baccounts\b/g, "companies"],
  [/\busers\b/g, "people"],
  [/\bthe last (\d+ \w+s)\b/g, "the past $1"],
  [/^(?=[^?]+$)/g, "Show me "],
  [/^How many (.*) are there\?$/g, "Number of $1?"],
  [/^Are there any /g, "Do we have any "],
  [/^What share of /g, "Which percentage of "],
];
/** Returns the text with each of the other words, and with all of them. */
function wordingsOf(text: string): string[] {
  const each = WORDINGS.map(([from, to]) => text.replaceAll(from, to));
  const all = WORDINGS.reduce((said, [from, to]) => said.replaceAll(from, to), text);
  return [...new Set([...each, all])].filter((said) => said !== text);
}

export function verdictOn(query: Query, result: ReturnType<typeof readQuestion>): keyof Counts {
  if (result.kind === "refusal") return "refused";
  const isIt = (each: Query) => isSame(untilToday(canonical(each)), untilToday(canonical(query)));
  if (result.kind === "options") return result.options.some(isIt) ? "options" : "different";
  return isIt(result.query) ? "same" : "different";
}

/** Cuts the windows of what happened at the end of today: nothing has happened since. */
function untilToday(query: Query): Query {
  const today = isoDate(TODAY);
  const { window, where } = query;
  const cut = <Own extends WindowName | undefined>(own: Own): Own =>
    own !== undefined && "from" in own && own.from <= today && own.to > today ? { ...own, to: today } : own;
  return {
    ...query,
    ...(window !== undefined && { window: cut(window) }),
    where: where.map((filter) => (filter.window === undefined ? filter : { ...filter, window: cut(filter.window) })),
  };
}
