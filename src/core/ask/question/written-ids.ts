/** Ids as they are written: words joined by signs that join no words of a sentence. */
import type { Question, Token } from "./tokens.ts";

/** A hyphen joins words too: "at-risk". */
const JOINT = /^[._@:\\]+$/;

/** Whether a token is joined to another without a blank, as the parts of `u.42` are. */
export function isPartOfId({ text, tokens }: Question, at: number): boolean {
  const isJoined = (a: Token | undefined, b: Token | undefined) =>
    a !== undefined && b !== undefined && a.chunk === b.chunk && JOINT.test(text.slice(a.end, b.start));
  return isJoined(tokens[at - 1], tokens[at]) || isJoined(tokens[at], tokens[at + 1]);
}
