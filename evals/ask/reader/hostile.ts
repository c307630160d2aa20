/** Hostile questions: 500 characters of the most expensive words, about worlds with such words as names. */
import { LEXICON, STOP_WORDS } from "../../../src/core/ask/reader/lexicon/lexicon.ts";
import { type FoundNames, soughtNames } from "../../../src/core/ask/reader/words/names.ts";
import { read, type ReadStats } from "../../../src/core/ask/reader/read.ts";
import { wordsOf } from "../../../src/core/ask/reader/words/words.ts";
import { pick, type Random, randomOf } from "../../simulator/random.ts";
import { lookUpIn, type Names, vocabularyOf } from "../written/vocabulary.ts";
import { plainNames } from "./worlds.ts";

const MAX_CHARACTERS = 500;
const NAMED = 850;
const EVENTS = 500;
const SLOW_MS = 15;
const QUESTIONS_PER_WORLD = 50;

export interface HostileReport {
  /** The maximum of each for one question. */
  most: ReadStats;
  /** CPU time to match names and read the question, in milliseconds: the longest, and what 99.9 % stay within. */
  slowest: number;
  slowest999: number;
  question: string;
}

const WORDS = [
  ...LEXICON.keys(),
  ...STOP_WORDS,
  ..."7|1,000|5 %|$5k|last 30 days|since 1 March|October 2026|next quarter|or|and|of|with|that are|in the last 28 days|on the plan plan|other than".split(
    "|",
  ),
];

export function hostile(seed: string, cases: number): HostileReport {
  const report: HostileReport = { most: { readings: 0, rules: 0 }, slowest: 0, slowest999: 0, question: "" };
  const times: number[] = [];
  for (let done = 0; done < cases; done += QUESTIONS_PER_WORLD) {
    const random = randomOf(`${seed} ${done}`);
    const { names, world } = hostileWorld(random);
    const lookUp = lookUpIn(world);
    let found: FoundNames = { byKey: [], byPrefix: [] };
    const vocabulary = vocabularyOf(world, () => found);
    for (let count = 0; count < QUESTIONS_PER_WORLD; count += 1) {
      const text = hostileText(random, names);
      found = lookUp(soughtNames(text, wordsOf(text)));
      const work: ReadStats = { readings: 0, rules: 0 };
      const took = timeOf(() => read(text, vocabulary(text), {}, work));
      times.push(took);
      if (took > report.slowest) Object.assign(report, { slowest: took, question: text });
      report.most.readings = Math.max(report.most.readings, work.readings);
      report.most.rules = Math.max(report.most.rules, work.rules);
    }
  }
  report.slowest999 = times.toSorted((a, b) => a - b)[Math.floor(0.999 * times.length)] ?? 0;
  return report;
}

/** Tries slow questions again, because garbage of other questions may have been collected. */
function timeOf(run: () => unknown): number {
  let least = Infinity;
  for (let attempts = 0; attempts < 5 && least > SLOW_MS; attempts += 1) {
    const start = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const entities = (all: readonly string[]): Names["accounts"] => all.map((name) => ({ externalId: name, name }));

function hostileWorld(random: Random): { names: readonly string[]; world: Names } {
  const plain = plainNames(random);
  const phrase = () => Array.from({ length: pick(random, [1, 1, 2, 3]) }, () => anyOf(random, WORDS)).join(" ");
  const names = Array.from({ length: NAMED }, phrase);
  const some = (from: number, to: number) => [...new Set(names.slice(from, to))];
  const values = new Map(plain.values);
  for (const [place, name] of ["plan", "account.industry", "user.role"].entries())
    values.set(name, some(200 + 50 * place, 250 + 50 * place));
  const world = {
    ...plain,
    accounts: entities(some(0, 100)),
    users: entities(some(100, 200)),
    events: some(NAMED - EVENTS, NAMED),
    values,
  };
  return { names, world };
}

function hostileText(random: Random, names: readonly string[]): string {
  // Some questions repeat one or a few words; others use all.
  const own = [...names, ...WORDS];
  const count = pick(random, [0, 0, 0, 6, 6, 1]);
  const words = count === 0 ? own : Array.from({ length: count }, () => anyOf(random, own));
  let text = "";
  while (text.length < MAX_CHARACTERS)
    text += `${anyOf(random, words)}${pick(random, [" ", " ", " ", ", ", ' "', '" '])}`;
  return text.slice(0, MAX_CHARACTERS);
}

const anyOf = (random: Random, values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? "";
