/** Two questions at once: what one asks must not be answered with what the other says. */
import { AUXILIARIES } from "../lexicon/grammar-words.ts";
import { isFrameWord } from "../lexicon/lexicon.ts";
import type { Mention } from "../naming/mentions.ts";
import type { Question } from "../question/tokens.ts";

const ASKING: ReadonlySet<string> = new Set([
  ...AUXILIARIES,
  ..."how what which who whom whose when where why whats whos list show number count name".split(" "),
]);

/** Whether something is asked after a question mark that is no part of a name. */
export function areSeveralQuestions({ text, tokens }: Question, mentions: readonly Mention[]): boolean {
  const isInName = (at: number) =>
    mentions.some(({ span }) => span.parts.some(({ from, to }) => from <= at && at < to)) ||
    (tokens[at]?.quote !== null && tokens[at]?.quote === tokens[at + 1]?.quote);
  const end = tokens.findIndex((token, at) => {
    const next = tokens[at + 1];
    return next !== undefined && /\?\s/.test(text.slice(token.end, next.start)) && !isInName(at);
  });
  const rest = end < 0 ? [] : tokens.slice(end + 1);
  return rest.some(({ folded }) => !isFrameWord(folded)) && rest.some(({ folded }) => ASKING.has(folded));
}
