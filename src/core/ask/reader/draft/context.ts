/** What the steps know beside the pieces of a question. */
import type { Dimension } from "../../query/dimensions.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

export type DraftContext = Pick<Vocabulary, "dimensions" | "today" | "firstDay">;

export const typeOf = (name: string, { dimensions }: DraftContext): Dimension["type"] | undefined =>
  dimensions.find((each) => each.name === name)?.type;

export const isEntityDimension = (dimension: string): boolean => dimension === "account" || dimension === "user";
