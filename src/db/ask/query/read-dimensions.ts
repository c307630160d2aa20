/** Reads the dimensions of a workspace. */
import { type Dimension, dimensionsOf } from "../../../core/ask/query/dimensions.ts";
import type { Batch } from "../../client/batch.ts";
import { statement } from "../../client/statements.ts";
import { SELECT_DIMENSION_VALUES } from "./dimension-values-sql.ts";

export function selectDimensions(batch: Batch): () => Dimension[] {
  const rows = batch.addStatement(statement<{ dimension: string; value: string }>(SELECT_DIMENSION_VALUES));
  return () => {
    const found = Map.groupBy(rows(), ({ dimension }) => dimension);
    return dimensionsOf(
      new Map(Array.from(found, ([name, each]) => [name, each.map(({ value }) => JSON.parse(value))])),
    );
  };
}
