/** What the steps know beside the pieces of a question. */
import type { Day } from "../../../health/model.ts";
import type { Dimension } from "../../query/dimensions.ts";

export interface DraftContext {
  dimensions: readonly Dimension[];
  today: Day;
  /** The first day with records. */
  firstDay?: Day;
}

export const typeOf = (name: string, { dimensions }: DraftContext): Dimension["type"] | undefined =>
  dimensions.find((each) => each.name === name)?.type;

export const isEntityDimension = (dimension: string): boolean => dimension === "account" || dimension === "user";
