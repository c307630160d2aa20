/** From verdicts to figures. */
import type { Part } from "../cases/model.ts";
import type { Judged, Outcome } from "./judge.ts";

export type Figures = ReturnType<typeof figuresOf>;

/** Shares are from 0 to 1; `null` where there is nothing to take a share of. */
export function figuresOf(judged: readonly Judged[]) {
  const count = (...outcomes: Outcome[]) => judged.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const answerable = judged.filter(({ asked }) => asked.expected.knows);
  const unanswerable = judged.length - answerable.length;
  const wrong = count("wrong");
  const answered = count("right") + wrong;
  const abstainedRightly = count("right_reason", "other_reason");
  const times = judged.map(({ got }) => got.ms).toSorted((a, b) => a - b);
  return {
    questions: judged.length,
    answerable: answerable.length,
    unanswerable,
    wrong,
    wrongOfAll: share(wrong, judged.length),
    wrongOfAnswered: share(wrong, answered),
    coverage: share(count("right"), answerable.length),
    abstentionPrecision: share(abstainedRightly, abstainedRightly + count("silent")),
    abstentionRecall: share(abstainedRightly, unanswerable),
    rightReason: share(count("right_reason"), abstainedRightly),
    flips: flipsIn(answerable),
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  };
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Of questions that mean the same, the share that came out otherwise than most of them: answered or not. */
function flipsIn(answerable: readonly Judged[]): number | null {
  let flipped = 0;
  for (const group of Map.groupBy(answerable, ({ asked }) => asked.group).values()) {
    const silent = group.filter(({ outcome }) => outcome === "silent").length;
    flipped += Math.min(silent, group.length - silent);
  }
  return share(flipped, answerable.length);
}

const percentile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;

export interface FamilyFigures {
  family: string;
  questions: number;
  wrong: number;
  silent: number;
  otherReason: number;
}

export function byFamily(judged: readonly Judged[]): FamilyFigures[] {
  return [...Map.groupBy(judged, ({ asked }) => asked.family)].map(([family, own]) => {
    const count = (outcome: Outcome) => own.filter((one) => one.outcome === outcome).length;
    return {
      family,
      questions: own.length,
      wrong: count("wrong"),
      silent: count("silent"),
      otherReason: count("other_reason"),
    };
  });
}

/** How many near misses were met with each reason: a reason that none reaches is not evaluated. */
export function byReason(judged: readonly Judged[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, got } of judged) {
    const reason = got.response?.reason;
    if (outcome === "right_reason" && typeof reason === "string") counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

export const ofPart = (judged: readonly Judged[], part: Part): Judged[] =>
  judged.filter(({ asked }) => asked.part === part);
