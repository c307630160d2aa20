/**
 * Applies what people mean by outcomes (docs/ask.md §15.4): customers churn, and customers are new only once. An account
 * is newly at risk if it still is. Questions that name an account ask about its own history instead.
 */
import type { Filter } from "../../query/model.ts";
import type { Draft } from "../fragments/fragments.ts";
import { isEntityDimension } from "./context.ts";

/** Of a trial that became a customer: it converted. */
export function asConverted(filter: Filter): Filter {
  const { dimension, became, window } = filter;
  if (dimension !== "stage" || became !== "active") return filter;
  return { dimension, became, after: "trial", ...(window && { window }) };
}

/** Tests whether a filter is that of "churned customers": `is` with `after`, which no query has. */
const isMarked = ({ is, after }: Filter): boolean => is !== undefined && after !== undefined;
const unmarked = ({ after, ...filter }: Filter): Filter =>
  after === undefined || isMarked({ after, ...filter }) ? filter : { ...filter, after };

export function applyOutcomes(draft: Draft): void {
  const { find, where, of = [], show, window, measure, order } = draft;
  const isNamed = where.some(({ dimension, is, in: several }) => isEntityDimension(dimension) && (is ?? several));
  const isOfTrials = of.some(({ dimension, is }) => dimension === "stage" && is === "trial");
  // "From healthy to at risk" says what happened.
  const isFromState = where.some(({ dimension, asOf }) => dimension === "health" && asOf !== undefined);
  if (draft.of !== undefined) draft.of = of.map(unmarked);
  // Without a time: since recording began.
  if (measure === "mrr_lost") draft.window ??= { all: true };
  if (isNamed) draft.where = where.map(unmarked);
  if (isNamed) return;
  // "Which customers lost MRR": those that churned too.
  if (measure === "mrr_lost")
    draft.where = draft.where.filter(({ dimension, is }) => dimension !== "stage" || is !== "active");
  draft.where = draft.where.map((given): Filter => {
    // "Churned customers" are those that churned, whatever else the time is about. Lost trials were no customers.
    const isNoun = isMarked(given) && given.asOf === undefined;
    const isOfOther = isNoun && window !== undefined;
    const filter: Filter = isNoun
      ? { dimension: "stage", became: "churned", ...(isOfOther && { window: { all: true } }) }
      : unmarked(given);
    const { dimension, became, after, first, ...rest } = filter;
    if (became === undefined) return filter;
    const isOfAll = rest.window !== undefined && "all" in rest.window;
    if (dimension === "health" && !isFromState && !isOfAll && show !== "when")
      return { dimension, newly: became, ...rest };
    if (dimension !== "stage" || became === "trial") return filter;
    const change = { dimension, became, ...rest };
    if (became === "active") {
      if (isOfTrials) return { ...change, after: "trial" };
      return { ...change, ...(after === undefined ? { first: first ?? true } : { after }) };
    }
    // Without a time: since recording began.
    const isTimed = rest.window !== undefined || window !== undefined || show === "share";
    // "The MRR of customers that churned": the last one that they had.
    if (find === "accounts" && measure === "mrr" && after === undefined && rest.window === undefined) {
      draft.measure = "mrr_lost";
      draft.window ??= { all: true };
      if (order?.by === "mrr") draft.order = { ...order, by: "mrr_lost" };
      return { ...change, after: "active" };
    }
    return { ...change, after: after ?? "active", ...(!isTimed && { window: { all: true } }) };
  });
}
