/**
 * Stores the distinct values of dimensions that messages bring, for the fold. Each question reads the workspace's
 * dimensions with these values, together with those in the unfolded tail.
 */
import { type Dimension, dimensionsOf, MAX_VALUES } from "../../../core/ask/query/dimensions.ts";
import type { Batch } from "../../client/batch.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { statement } from "../../client/statements.ts";
import { dimensionValues } from "../../schema/schema.ts";
import { IN_TAIL } from "../tail.ts";
import { m, t } from "./aliases.ts";

/** Longer values aren't indexed, because nobody types them in a question. */
const MAX_VALUE_CHARACTERS = 100;
/** A workspace has at most this many indexed values, over all dimensions. */
const MAX_WORKSPACE_VALUES = 5_000;

const v = columnsOf(dimensionValues);

/** Selects `dimension` and `value` of the traits and attributes in messages `m`. */
function selectValues(where: string): string {
  const ofTraits = (owner: "account" | "user", subject: string) => `
  SELECT '${owner}.' || ${t.key} AS dimension, ${t.value} AS value
  FROM (SELECT DISTINCT ${subject} AS subject FROM ${m.table} WHERE ${where} AND ${m.type} <> 'track' AND ${subject} IS NOT NULL) s
  CROSS JOIN ${t.table} ON ${t.subjectKind} = '${owner}' AND ${t.subject} = s.subject
  WHERE json_type(${t.value}) IN ('text', 'integer', 'real', 'true', 'false')`;
  return `
SELECT dimension, value FROM (
  SELECT a.key AS dimension, ${m.attributes} -> a.key AS value
  FROM ${m.table} CROSS JOIN json_each(${m.attributes}) a
  WHERE ${where} AND ${m.attributes} IS NOT NULL AND a.key IN ('plan', 'currency') AND a.type = 'text'
  UNION ${ofTraits("account", m.account)}
  UNION ${ofTraits("user", m.user)}
)
WHERE length(value) <= ${MAX_VALUE_CHARACTERS}`;
}

/**
 * Adds the values of a range of the log. ?1 the workspace, ?2 and ?3 the bounds of the range.
 * @param may the SQL condition of the write
 */
export const insertDimensionValues = (may: string): string => `
INSERT INTO ${v.table} (${v.workspace}, ${v.dimension}, ${v.value})
SELECT ?1, n.dimension, n.value
FROM (
  SELECT dimension, value, row_number() OVER (PARTITION BY dimension ORDER BY value) AS place
  FROM (${selectValues(`${m.seq} > ?2 AND ${m.seq} <= ?3`)}) found
  WHERE NOT EXISTS (
    SELECT 1 FROM ${v.table} WHERE ${v.workspace} = ?1 AND ${v.dimension} = found.dimension AND ${v.value} = found.value
  )
) n
WHERE n.place + (SELECT count(*) FROM ${v.table} WHERE ${v.workspace} = ?1 AND ${v.dimension} = n.dimension) <= ${MAX_VALUES}
  AND (SELECT count(*) FROM ${v.table} WHERE ${v.workspace} = ?1) < ${MAX_WORKSPACE_VALUES}
  AND ${may}
ON CONFLICT DO NOTHING`;

/** Selects all values of a workspace, including the tail's. */
const SELECT_DIMENSION_VALUES = `
SELECT ${v.dimension} AS dimension, ${v.value} AS value FROM ${v.table} WHERE ${v.workspace} = ?1
UNION ${selectValues(IN_TAIL)}
ORDER BY dimension, value`;

export function selectDimensions(batch: Batch): () => Dimension[] {
  const rows = batch.addStatement(statement<{ dimension: string; value: string }>(SELECT_DIMENSION_VALUES));
  return () => {
    const found = Map.groupBy(rows(), ({ dimension }) => dimension);
    return dimensionsOf(
      new Map(Array.from(found, ([name, each]) => [name, each.map(({ value }) => JSON.parse(value))])),
    );
  };
}
