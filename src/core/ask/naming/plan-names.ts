/** The names of plans that accounts are on, where a question says them: "on the Pro plan". */
import { foldName } from "../names.ts";
import { overlap, rawForms, sizeOf, type Span, spansOf, startOf } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { hasUnknownWord } from "./plain-words.ts";

export interface PlanName {
  span: Span;
  /** As stored. */
  plan: string;
  /** Whether it is written just so. */
  isExact: boolean;
}

/** The longest first; none over another. */
export function planNamesOf({ text, tokens }: Question, plans: readonly string[]): PlanName[] {
  const byKey = Map.groupBy(plans, foldName);
  const found: PlanName[] = [];
  for (const span of spansOf(tokens).toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    const raws = span.parts.flatMap((run) => rawForms(text, tokens, run));
    const plan = planOf(raws, [...new Set(raws.flatMap((raw) => byKey.get(foldName(raw)) ?? []))]);
    const isFree = !found.some((other) => overlap(other.span, span));
    const isExact = plan !== null && raws.includes(plan) && !mayBeWords({ text, tokens }, span, plan);
    if (plan !== null && isFree) found.push({ span, plan, isExact });
  }
  return found;
}

/**
 * "Pro" and "Pro+" fold alike: it is the one that is written so, or else the only one that is but for its case. Those that
 * differ in case alone are one plan.
 */
function planOf(raws: readonly string[], plans: readonly string[]): string | null {
  const written = plans.filter((plan) => raws.includes(plan));
  const cased = plans.filter((plan) => raws.some((raw) => raw.toLowerCase() === plan.toLowerCase()));
  const likeliest = [written, cased, plans].find((some) => some.length > 0) ?? [];
  const [first] = likeliest;
  const isOne = new Set(likeliest.map((plan) => plan.toLowerCase())).size === 1;
  return first !== undefined && isOne ? first : null;
}

const PLAN_WORDS: ReadonlySet<string> = new Set("plan plans tier tiers package subscription edition".split(" "));

/** A plan called "trial" or "active" is only certain to be meant in quotation marks, or beside "plan". */
function mayBeWords(question: Question, span: Span, plan: string): boolean {
  const from = startOf(span);
  const [first, last] = [question.tokens[from], span.parts.at(-1)?.to ?? from];
  const isBeside = [from - 1, last + 1].some((at) => PLAN_WORDS.has(question.tokens[at]?.folded ?? ""));
  return first?.quote === null && !isBeside && plan === plan.toLowerCase() && !hasUnknownWord(question, span);
}
