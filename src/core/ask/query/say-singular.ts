/** Clauses and nouns in the singular: `1 account is on the Business plan`. */
import type { Clause } from "./say-clauses.ts";

const SINGULAR: readonly (readonly [RegExp, string])[] = [
  [/^that are\b/, "that is"],
  [/^that were\b/, "that was"],
  [/^are\b/, "is"],
  [/^have\b/, "has"],
  [/^were\b/, "was"],
];

/** Turns a clause or a verb to the singular. */
export const forOne = (text: string): string =>
  SINGULAR.reduce((each, [plural, one]) => each.replace(plural, one), text);

const PLURAL = /^((?:\w+ )?)(account|customer|user|feature|inbox item|event)s\b/;

/** A noun with its clauses in the singular. What belongs to another noun stays. */
export const singular = (head: string, clauses: readonly Clause[]): string =>
  [head.replace(PLURAL, "$1$2"), ...clauses.map(({ after }) => forOne(after))].join(" ");
