/** Checks that a question with another value, number, time or measure is another query, or has none. */
import { isMoney } from "../../../src/core/ask/query/check.ts";
import type { Dimension } from "../../../src/core/ask/query/dimensions.ts";
import type { Query } from "../../../src/core/ask/query/model.ts";
import type { Piece } from "../../../src/core/ask/reader/fragments/fragments.ts";
import { readQuestion } from "../../../src/core/ask/reader/read-question.ts";
import { understand } from "../../../src/core/ask/reader/understand.ts";
import { splitWords } from "../../../src/core/ask/reader/words/split-words.ts";
import { readQuestions } from "../written/questions.ts";
import { vocabularyOf } from "../written/vocabulary.ts";
import { writtenWorld } from "../written/world.ts";

const ANOTHER: Readonly<Record<string, readonly string[]>> = {
  account: ["papercrane", "quillworks"],
  user: ["ines.silva", "omar.haddad"],
  event: ["alert.created", "filter.saved"],
};
const ANOTHER_TIME = { from: "2026-09-07", to: "2026-09-09" };

/** @returns how many pieces were replaced, and the questions that stayed the same, each with its piece */
export function checkReplacedPieces(file: string): { replaced: number; unchanged: string[] } {
  const vocabulary = vocabularyOf(writtenWorld());
  const unchanged: string[] = [];
  let replaced = 0;
  for (const { question: text } of readQuestions(file)) {
    const known = vocabulary(text);
    const result = readQuestion(text, known);
    const asked = { text, typed: splitWords(text), vocabulary: known, hints: {}, work: { readings: 0, rules: 0 } };
    const { found, words, queryOf } = understand(asked);
    const [first] = found;
    // Restated questions are read by another grammar.
    if (result.kind !== "query" || first === undefined) continue;
    const { query, reading } = first;
    for (const piece of reading.fragments) {
      const other = another(piece, query, known.dimensions);
      if (other === null) continue;
      replaced += 1;
      const changed = queryOf({ fragments: reading.fragments.map((each) => (each === piece ? other : each)) });
      const said = words.slice(piece.from, piece.to).map(({ folded }) => folded);
      if (JSON.stringify(changed) === JSON.stringify(query)) unchanged.push(`${text} [${said.join(" ")}]`);
    }
  }
  return { replaced, unchanged };
}

/** @returns `null` if the piece only repeats what others say, or what is shown anyway */
function another(piece: Piece, query: Query, dimensions: readonly Dimension[]): Piece | null {
  const isFiltered = (name: string) => query.where.some(({ dimension }) => dimension === name);
  if (piece.type === "value") {
    const values = ANOTHER[piece.dimension] ?? dimensions.find(({ name }) => name === piece.dimension)?.values ?? [];
    const value = values.find((each) => !piece.values.includes(each));
    // "Is it on Team or Business": its plan.
    return value === undefined || query.measure === piece.dimension ? null : { ...piece, values: [value] };
  }
  if (piece.type === "number") return { ...piece, value: piece.value + 1 };
  if (piece.type === "window" && piece.isVague === undefined && !("all" in piece.window))
    return { ...piece, window: ANOTHER_TIME, ...(piece.ahead && { ahead: ANOTHER_TIME }) };
  if (piece.type === "measure" && !isFiltered(piece.measure) && !isMoney(piece.measure))
    return { ...piece, measure: piece.measure === "seats" ? "score" : "seats" };
  if (piece.type === "filter" && piece.filter.is !== undefined && isFiltered(piece.filter.dimension)) {
    const { is, ...filter } = piece.filter;
    return { ...piece, filter: typeof is === "boolean" ? { ...filter, is: !is } : { ...filter, isNot: is } };
  }
  return null;
}
