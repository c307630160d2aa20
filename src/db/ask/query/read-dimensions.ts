/** Reads the dimensions of a workspace. */
import { type Dimension, dimensionsOf, type TraitValue } from "../../../core/ask/query/dimensions.ts";
import type { Batch } from "../../client/batch.ts";
import { statement } from "../../client/statements.ts";
import { SELECT_DIMENSION_VALUES } from "./dimension-values-sql.ts";

export function selectDimensions(batch: Batch): () => Dimension[] {
  const rows = batch.addStatement(statement<{ dimension: string; value: string }>(SELECT_DIMENSION_VALUES));
  return () => {
    const values = new Map<string, TraitValue[]>();
    for (const { dimension, value } of rows()) {
      const known = values.get(dimension) ?? [];
      known.push(JSON.parse(value));
      values.set(dimension, known);
    }
    return dimensionsOf(values);
  };
}
