/** Which tokens of a question belong to its names and plans, and so are no words. */
import type { Span } from "../question/spans.ts";
import { startOf } from "../question/spans.ts";
import type { Token } from "../question/tokens.ts";
import type { Choice } from "./choices.ts";
import type { Unit } from "./units.ts";

/** By the number of the token. */
export type Cover = ReadonlyMap<number, { unit: Unit; isFirst: boolean }>;

export function coverOf(tokens: readonly Token[], { mentions, plans }: Choice): Cover {
  const covered = new Map<number, { unit: Unit; isFirst: boolean }>();
  const cover = ({ parts }: Span, unit: Unit) => {
    for (const { from, to } of parts) {
      for (let at = from; at <= to && at < tokens.length; at += 1) covered.set(at, { unit, isFirst: at === unit.at });
    }
  };
  for (const { span, plan, isExact } of plans) {
    cover(span, { kind: "plan", plan, isExact, at: startOf(span) });
  }
  for (const mention of mentions) {
    const at = startOf(mention.span);
    cover(mention.span, { kind: "name", mention, isGoingOn: tokens[at]?.folded.endsWith("ing") ?? false, at });
  }
  return covered;
}

/** Tokens of names are no words to the grammar of time: they are as good as quoted. */
export const masked = (tokens: readonly Token[], covered: Cover): Token[] =>
  tokens.map((token, at) => (covered.has(at) ? { ...token, quote: -1 } : token));
