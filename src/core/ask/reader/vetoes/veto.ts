/** What a veto is: the rows of `filters.ts`, `shows.ts` and `wordings.ts`. */
import type { Query } from "../../query/model.ts";
import type { DraftContext } from "../draft/context.ts";
import type { Word } from "../words/split-words.ts";

export interface VetoContext extends DraftContext {
  /** The words of the question. */
  words: readonly Word[];
}

/** Rejects queries whose parts are valid one by one, but that answer another question together, or none. */
export interface Veto {
  /** A question that only this veto keeps from having a query. The names are those of `evals/ask/written/world.ts`. */
  example: string;
  /** Says what would be wrong with the answer. */
  reason: string;
  vetoes: (query: Query, context: VetoContext) => boolean;
}
