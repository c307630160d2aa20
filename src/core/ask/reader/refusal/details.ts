/** The sentences that say why a question has no answer, and what can be asked. */
import type { Day } from "../../../health/model.ts";
import { dateOf } from "../../../health/texts.ts";
import { joinWithAnd } from "../../query/words.ts";
import type { Piece } from "../fragments/fragments.ts";
import type { Reading } from "../fragments/readings.ts";
import { rawOf, type Run, type Word } from "../words/split-words.ts";

/** `{words}`: the words of the question that the reason is about. */
const DETAILS = {
  causal_claim: "I can't explain causes; ask what changed, or what explains an account's health.",
  prediction: "I can't predict the future; ask how things are now, such as which accounts are at risk.",
  opinion: "I can't give advice or opinions; ask for facts, or which accounts need attention.",
  unmeasured_attribute: "{words} isn't recorded; ask {neighbor}.",
  out_of_scope: "I only answer questions about accounts, their users and what they do.",
  no_such_event: "No event is called {words}; ask which features there are, or who was active.",
  no_such_subject: "No account or user is called {words}.",
  ambiguous_subject: "More than one account or user has this name; use a full name or an id.",
  no_data_in_window: "There is no data before {words}; ask about a later time.",
} as const;

/** The closest recorded data to an attribute that isn't recorded. */
const NEIGHBORS: readonly (readonly [RegExp, string])[] = [
  [/churn(?! reason)|retention|nrr|grr|renewal rate/, "how many customers churned, or how much MRR was lost"],
  [/conversion|win rate/, "how many trials converted"],
  [/arpu|ltv|clv|lifetime|acv|contract value/, "for the average MRR per account"],
  [/new|expansion|contraction|upsell/, "which accounts' MRR went up or down, or how MRR changed this month"],
  [/stickiness/, "for daily or monthly active users"],
  [/manage|\bcsm\b|\brep\b|executive|looks? after|responsible/, "who owns an account"],
  [/(?:)/, "about activity, health, plans, seats, MRR or traits"],
];
const neighborOf = (said: string): string => NEIGHBORS.find(([word]) => word.test(said))?.[1] ?? "";

const MAX_LISTED = 4;
const listed = (words: readonly string[]): string =>
  joinWithAnd([
    ...words.slice(0, MAX_LISTED).map((word) => `“${word}”`),
    ...(words.length > MAX_LISTED ? ["other words"] : []),
  ]);

/** @param words as typed */
export const detailOf = (reason: keyof typeof DETAILS, words: readonly string[] = []): string =>
  DETAILS[reason]
    .replace("{words}", () => listed(words))
    .replace("{neighbor}", () => neighborOf(words.join(" ").toLowerCase()));

export const noDataBefore = (firstDay: Day): string => DETAILS.no_data_in_window.replace("{words}", dateOf(firstDay));

/** Fragments that are never the reason why a question isn't understood. */
const NEEDED = /^(?:form|find|measure|share|value)$/;

/**
 * Names the words without a meaning, or else the phrase without which the question would have an answer: "generate a
 * list of accounts".
 */
export function unknownDetail(
  text: string,
  words: readonly Word[],
  readings: readonly Reading[],
  hasAnswer: (reading: Reading) => boolean,
): string {
  const [best] = readings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  const { unknown = [], fragments = [] } = best ?? {};
  const without = ({ from }: Run): Piece[] => fragments.filter((piece) => piece.from !== from);
  const odd =
    best === undefined || unknown.length > 0
      ? undefined
      : fragments.find((piece) => !NEEDED.test(piece.type) && hasAnswer({ ...best, fragments: without(piece) }));
  const runs = odd === undefined ? runsOf(words, unknown) : [odd];
  const said = textsOf(text, words, runs);
  if (said.length === 0) return "I know these words, but not what they ask for together; ask one thing at a time.";
  return `I don't know what ${listed(said)} ${said.length > 1 ? "mean" : "means"} here.`;
}

/** Returns the words of runs as typed. */
export const textsOf = (text: string, words: readonly Word[], runs: readonly Run[]): string[] => [
  ...new Set(runs.map((run) => rawOf(text, words, run))),
];

/** Names the pieces that a query doesn't have. */
export const lostDetail = (text: string, words: readonly Word[], lost: readonly Run[]): string =>
  `I can't bring ${listed(textsOf(text, words, lost))} together with the rest; ask one thing at a time.`;

/** Returns the words without a meaning, as typed; neighbors together. */
export const unknownWords = (text: string, words: readonly Word[], { unknown }: Reading): string[] =>
  textsOf(text, words, runsOf(words, unknown));

/** Runs of neighboring words: "rainy days". */
export function runsOf(words: readonly Word[], positions: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const at of positions) {
    const last = runs.at(-1);
    if (last?.to === at && words[at]?.isAfterStop === false) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}
