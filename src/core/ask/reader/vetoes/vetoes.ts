/** The contradictions: queries that can be checked and compiled, and that must not answer a question. */
import type { Query } from "../../query/model.ts";
import { FILTER_VETOES } from "./filters.ts";
import { SHOW_VETOES } from "./shows.ts";
import { WORDING_VETOES } from "./wordings.ts";
import type { Veto, VetoContext } from "./veto.ts";

export const VETOES: readonly Veto[] = [...FILTER_VETOES, ...SHOW_VETOES, ...WORDING_VETOES];

/** @returns the first veto on a query that was made from a question */
export const vetoOf = (query: Query, context: VetoContext): Veto | undefined =>
  VETOES.find((veto) => veto.vetoes(query, context));
