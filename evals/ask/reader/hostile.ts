/**
 * Hostile questions: 500 characters of the most expensive words, about worlds with such words as names, and with hostile
 * vocabularies. Each question meets the vocabulary for the first time, as in the service.
 */
import { type Dimension, dimensionsOf } from "../../../src/core/ask/query/dimensions.ts";
import { LEXICON, STOP_WORDS } from "../../../src/core/ask/reader/lexicon/lexicon.ts";
import { type FoundNames, nameLookup } from "../../../src/core/ask/reader/words/match-names.ts";
import { readQuestion, type ReadStats } from "../../../src/core/ask/reader/read-question.ts";
import { splitWords } from "../../../src/core/ask/reader/words/split-words.ts";
import { pick, type Random, randomOf } from "../../simulator/random.ts";
import { lookUpIn, type Names, vocabularyOf } from "../written/vocabulary.ts";
import { hostileVocabulary, SHAPES } from "./hostile-vocabularies.ts";
import { plainNames } from "./worlds.ts";

const MAX_CHARACTERS = 500;
const NAMED = 850;
const EVENTS = 500;
const SLOW_MS = 15;
const QUESTIONS_PER_WORLD = 50;

export interface HostileReport {
  /** The maximum of each for one question; `lookups` counts how often the name of each dimension was read. */
  most: ReadStats & { lookups: number };
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

/** @param perWorld how many questions each world is asked */
export function checkHostileQuestions(seed: string, cases: number, perWorld = QUESTIONS_PER_WORLD): HostileReport {
  const report: HostileReport = {
    most: { readings: 0, rules: 0, lookups: 0 },
    slowest: 0,
    slowest999: 0,
    question: "",
  };
  const times: number[] = [];
  for (let done = 0; done < cases; done += perWorld) {
    const random = randomOf(`${seed} ${done}`);
    const { names, world } = hostileWorld(random, done / perWorld);
    const lookUp = lookUpIn(world);
    let found: FoundNames = { byKey: [], byPrefix: [] };
    const vocabulary = vocabularyOf(world, () => found);
    for (let count = 0; count < perWorld; count += 1) {
      const text = hostileText(random, names);
      found = lookUp(nameLookup(text, splitWords(text)));
      const work: ReadStats = { readings: 0, rules: 0 };
      const run = (dimensions: Dimension[] = dimensionsOf(world.values), counted?: ReadStats) =>
        readQuestion(text, { ...vocabulary(text), dimensions }, {}, counted);
      // A slow question is read again: its work counts once.
      const took = timeOf(() => run(undefined, Object.assign(work, { readings: 0, rules: 0 })));
      const { dimensions, lookups } = counting(dimensionsOf(world.values));
      run(dimensions);
      report.most.lookups = Math.max(report.most.lookups, lookups() / dimensions.length);
      times.push(took);
      if (took > report.slowest) Object.assign(report, { slowest: took, question: text });
      report.most.readings = Math.max(report.most.readings, work.readings);
      report.most.rules = Math.max(report.most.rules, work.rules);
    }
  }
  report.slowest999 = times.toSorted((a, b) => a - b)[Math.floor(0.999 * times.length)] ?? 0;
  return report;
}

/** Counts how often names of dimensions are read. */
function counting(dimensions: readonly Dimension[]): { dimensions: Dimension[]; lookups: () => number } {
  let lookups = 0;
  const counted = dimensions.map(({ name, ...rest }) => ({
    ...rest,
    get name() {
      lookups += 1;
      return name;
    },
  }));
  return { dimensions: counted, lookups: () => lookups };
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

/** Every other world has a hostile vocabulary, each of another shape. */
function hostileWorld(random: Random, round: number): { names: readonly string[]; world: Names } {
  const plain = plainNames(random);
  const phrase = () => Array.from({ length: pick(random, [1, 1, 2, 3]) }, () => anyOf(random, WORDS)).join(" ");
  const names = Array.from({ length: NAMED }, phrase);
  const some = (from: number, to: number) => [...new Set(names.slice(from, to))];
  const values = new Map(plain.values);
  for (const [index, name] of ["plan", "account.industry", "user.role"].entries())
    values.set(name, some(200 + 50 * index, 250 + 50 * index));
  const shapes = Object.values(SHAPES);
  const shape = round % 2 === 0 ? undefined : shapes[(round >> 1) % shapes.length];
  const vocabulary = shape && hostileVocabulary(random, shape, WORDS);
  const world = {
    ...plain,
    accounts: entities(some(0, 100)),
    users: entities(some(100, 200)),
    events: some(NAMED - EVENTS, NAMED),
    values: vocabulary?.values ?? values,
  };
  return { names: vocabulary === undefined ? names : [...names.slice(0, 50), ...vocabulary.words], world };
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
