/** Checks that no word is skipped: changing a word of a question changes its query, or leaves it without one. */
import { canonical, isSame } from "../../../src/core/ask/query/canonical.ts";
import { restate } from "../../../src/core/ask/query/restate.ts";
import { STOP_WORDS } from "../../../src/core/ask/reader/lexicon/lexicon.ts";
import { readQuestion, type Vocabulary } from "../../../src/core/ask/reader/read-question.ts";
import { type Word, splitWords } from "../../../src/core/ask/reader/words/split-words.ts";
import { pick, type Random, randomOf } from "../../simulator/random.ts";
import { judgeFile } from "../written/judge.ts";
import { vocabularyOf } from "../written/vocabulary.ts";
import { writtenWorld } from "../written/world.ts";
import { plainNames, worldOf } from "./worlds.ts";

export interface SkippedReport {
  tried: Record<string, number>;
  /** Changed questions that still have the original query. */
  unchanged: readonly string[];
}

interface Answered {
  text: string;
  vocabulary: (question: string) => Vocabulary;
}

type Change = readonly [name: string, put: (word: string) => string];

/** Changes to one word. */
const CHANGES: readonly [Change, ...Change[]] = [
  ["replaced", () => "zorblat"],
  ...["not", "without", "except", "never", "no"].map((word): Change => ["negated", (next) => `${word} ${next}`]),
];
/** Words that are never redundant. Others are: "customers at risk" are "at risk". */
const TELLING = /^(?:not|no|never|without|except|nobody|under|above|below|less|fewer|least|lowest|exactly)$/;
/** Texts that are added at the end. */
const FILTERS = [
  "with more than 3 seats",
  "with a zorblat",
  "in zorblat",
  "that are not churned",
  "except customers",
  "without a contract end",
  "before 3 March 2026",
  "but not Acme",
  "and never exported",
] as const;

export function checkSkippedWords(seed: string, cases: number): SkippedReport {
  const random = randomOf(seed);
  const report = {
    tried: { replaced: 0, deleted: 0, negated: 0, filtered: 0 } as Record<string, number>,
    unchanged: [] as string[],
  };
  const judge = (name: string, before: string, after: string, vocabulary: Answered["vocabulary"]): void => {
    const [one, other] = [before, after].map((text) => readQuestion(text, vocabulary(text)));
    if (one?.kind !== "query") return;
    report.tried[name] = (report.tried[name] ?? 0) + 1;
    if (other?.kind === "query" && isSame(canonical(one.query), canonical(other.query)))
      report.unchanged.push(`${name}: ${before}\n  ${after}\n  ${JSON.stringify(one.query)}`);
  };
  for (let done = 0; done < cases; done += 1) {
    const { text, vocabulary } = answered(random);
    const words = splitWords(text).filter(({ folded, raw }) => !STOP_WORDS.has(folded) && raw !== "n't");
    const change = (name: string, among: readonly Word[], put: (word: string) => string): void => {
      const word = among[Math.floor(random() * among.length)];
      if (word === undefined) return;
      const changed = put(text.slice(word.start, word.end));
      judge(name, text, `${text.slice(0, word.start)}${changed}${text.slice(word.end)}`, vocabulary);
    };
    const [name, put] = pick(random, CHANGES);
    change(name, words, put);
    const telling = words.filter(({ folded }) => TELLING.test(folded));
    change("deleted", telling, () => "");
    const plain = text.replace(/[.?! ]+$/, "");
    const filter = pick(random, FILTERS);
    // Trials aren't customers anyway.
    const isRedundant = filter === "except customers" && /\b(?:trial|convert)/i.test(text);
    if (!isRedundant) judge("filtered", text, `${plain} ${filter}`, vocabulary);
  }
  return report;
}

const written = vocabularyOf(writtenWorld());
const questions = judgeFile("evals/ask/written/development.jsonl").filter(({ result }) => result.kind === "query");

/** Returns a question that a person wrote, or a restated query. */
function answered(random: Random): Answered {
  const question = questions[Math.floor(2 * random() * questions.length)];
  if (question !== undefined) return { text: question.question, vocabulary: written };
  const world = worldOf(plainNames(random));
  return { text: restate(world.draw(random), world.speech), vocabulary: world.vocabulary };
}
