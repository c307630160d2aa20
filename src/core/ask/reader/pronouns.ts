/** Replaces "it" and "this account" by the subject that was sent with the question. */
import type { Query } from "../query/model.ts";
import type { Piece } from "./fragments/fragments.ts";
import { isA, isEvent } from "./fragments/pieces.ts";
import type { Word } from "./words/split-words.ts";

/** The account, user or feature that was sent with the question, and the query that was answered before. */
export interface Hints {
  account?: string;
  user?: string;
  feature?: string;
  /** Checked. Follow-ups change it; whole questions ignore it. */
  previous?: Query;
}

/**
 * Drops "it" and "this account" if the question names a subject, or else replaces them by the hint. Also drops pronouns
 * for the object of an event: "share reports but never comment on them", "never schedule one".
 */
export function resolvePronouns(
  fragments: readonly Piece[],
  words: readonly Word[],
  { account, user, feature }: Hints,
): Piece[] {
  const named = new Set(fragments.flatMap((fragment) => (fragment.type === "value" ? [fragment.dimension] : [])));
  const hints = Object.entries({ account, user, event: feature });
  return fragments.flatMap((fragment, index): Piece[] => {
    const { from, to } = fragment;
    const before = fragments[index - 1];
    const isPronoun = isA(fragment, "pointer", "any") || (isA(fragment, "number") && words[from]?.folded === "one");
    const isDone = isEvent(before) || isA(before, "use");
    if (isPronoun && isDone && fragments.slice(0, index - 1).some(isEvent)) return [];
    if (fragment.type !== "pointer") return [fragment];
    const { at } = fragment;
    if (at === "any" ? named.has("account") || named.has("user") : named.has(at)) return [];
    const hint = hints.find(
      ([type, value]) => value !== undefined && !named.has(type) && (at === "any" || at === type),
    );
    if (hint?.[1] === undefined) return [fragment];
    return [{ type: "value", dimension: hint[0], values: [hint[1]], from, to }];
  });
}
