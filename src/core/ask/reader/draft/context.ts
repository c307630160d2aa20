/** What the steps know beside the pieces of a question. */
import type { Day } from "../../../health/model.ts";
import type { Dimension } from "../../query/dimensions.ts";

export interface FrameContext {
  dimensions: readonly Dimension[];
  today: Day;
  /** The first day with records. */
  firstDay?: Day;
}

export const typeOf = (name: string, { dimensions }: FrameContext): Dimension["type"] | undefined =>
  dimensions.find((each) => each.name === name)?.type;

export const isSubject = (dimension: string): boolean => dimension === "account" || dimension === "user";
