/** The words that have a meaning of their own in a question, so that a name with one of them is quoted. */
import { SEVERITIES } from "../../inbox/model.ts";
import { ITEM_STATUSES } from "./dimensions.ts";
import * as clauses from "./words-of-clauses.ts";
import * as forms from "./words-of-forms.ts";
import * as words from "./words.ts";

const GRAMMAR =
  "a an and any are be by did do does for from had has have in is it its not of on or our that the their was we were what when where which who whose why with".split(
    " ",
  );

const textsIn = (table: unknown): string[] => {
  if (typeof table === "string") return [table];
  return typeof table === "object" && table !== null ? Object.values(table).flatMap(textsIn) : [];
};
const TABLES = [SEVERITIES, ITEM_STATUSES, words, [...words.ONE], clauses, forms];

/** Every word of these tables, in lower case. A name that contains one is quoted in a restatement. */
export const VOCABULARY: ReadonlySet<string> = new Set([
  ...GRAMMAR,
  ...textsIn(TABLES).flatMap(
    (text) =>
      text
        .replaceAll(/\{\w+\}/g, " ")
        .toLowerCase()
        .match(/\p{L}+/gu) ?? [],
  ),
]);
