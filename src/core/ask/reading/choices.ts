/**
 * The ways to take a question's words: what may be a name may be a word too (an account may be called "Friday"), and
 * times that are joined may be one or two.
 */
import type { Mention } from "../naming/mentions.ts";
import type { PlanName } from "../naming/plan-names.ts";

/** What is chosen of a question: which names and plans stand in it, and how its words are read. */
export interface Choice {
  mentions: readonly Mention[];
  plans: readonly PlanName[];
  /** Misspelt words by the number of their token. */
  corrections: ReadonlyMap<number, string>;
  /** Whether times joined by "to" or "and" are taken one by one. */
  areTimesApart: boolean;
}

/** More words that may be names or not are taken for names, the first ones excepted. */
const MOST_OPTIONAL = 4;
/** More plans than these are words. */
const MOST_PLANS = 2;

/** Each way to take the words that may be names or plans, or else what they say by themselves. */
export function choicesOf(
  mentions: readonly Mention[],
  plans: readonly PlanName[],
  corrections: ReadonlyMap<number, string>,
): Choice[] {
  const forced = mentions.filter(({ isOptional }) => !isOptional);
  const optional = mentions.filter(({ isOptional }) => isOptional).slice(0, MOST_OPTIONAL);
  const named = subsetsOf(optional).flatMap((chosen) => bySize([...forced, ...chosen]));
  return named.flatMap((names) =>
    subsetsOf(plans.slice(0, MOST_PLANS)).flatMap((plansChosen) =>
      [false, true].map((areTimesApart) => ({ mentions: names, plans: plansChosen, corrections, areTimesApart })),
    ),
  );
}

/** With names at their longest, and where it makes a difference at their shortest. */
const bySize = (names: readonly Mention[]): (readonly Mention[])[] =>
  names.some(({ shorter }) => shorter !== undefined)
    ? [names, names.map((mention) => mention.shorter ?? mention)]
    : [names];

/** All of them first. */
function subsetsOf<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  const without = subsetsOf(rest);
  return [...without.map((subset) => [first, ...subset]), ...without];
}
