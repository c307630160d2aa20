/**
 * Stores the distinct values of dimensions that messages bring, for the fold. Each question reads the workspace's
 * dimensions with these values, together with those in the unfolded tail. `valuesWithRoom` bounds both in the same way.
 */
import {
  type Dimension,
  dimensionsOf,
  type IndexedValue,
  MAX_KEY_CHARACTERS,
  MAX_VALUE_CHARACTERS,
  MAX_INDEXED_VALUES,
  MAX_WORKSPACE_VALUES,
  valuesWithRoom,
} from "../../../core/ask/query/dimensions.ts";
import type { Batch } from "../../client/batch.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { statement } from "../../client/statements.ts";
import { dimensionValues } from "../../schema/schema.ts";
import { IN_TAIL } from "../tail.ts";
import { m, t } from "./aliases.ts";

/** A statement reads the traits of the first accounts and users in its messages, at most so many traits. */
const MAX_TRAITS = { ofQuestion: 10_000, ofFold: 250_000 } as const;

const v = columnsOf(dimensionValues);

const subjectsOf = (kind: "account" | "user", subject: string) => `
  SELECT '${kind}' AS kind, ${subject} AS subject, min(seq) AS seq FROM carriers
  WHERE type <> 'track' AND ${subject} IS NOT NULL GROUP BY ${subject}`;

/**
 * Selects the values that messages add to the stored ones: those of known dimensions first, then in the order of the
 * messages. The first value of each dimension comes before its others, so that none takes the place of all.
 */
function selectNewValues(where: string, maxTraits: number): string {
  const isStored = (condition: string) =>
    `EXISTS (SELECT 1 FROM ${v.table} WHERE ${v.workspace} = ?1 AND ${v.dimension} = found.dimension ${condition})`;
  return `
WITH carriers AS MATERIALIZED (
  SELECT ${m.seq} AS seq, ${m.type} AS type, ${m.account} AS account, ${m.user} AS user, ${m.attributes} AS attributes
  FROM ${m.table} WHERE ${where} AND (${m.type} <> 'track' OR ${m.attributes} IS NOT NULL)
), traits_of_subjects AS MATERIALIZED (
  SELECT s.kind || '.' || ${t.key} AS dimension, ${t.value} AS value, s.seq AS seq
  FROM (SELECT * FROM (${subjectsOf("account", "account")} UNION ALL ${subjectsOf("user", "user")}) ORDER BY seq LIMIT ${maxTraits}) s
  CROSS JOIN ${t.table} ON ${t.subjectKind} = s.kind AND ${t.subject} = s.subject AND length(${t.key}) <= ${MAX_KEY_CHARACTERS}
  LIMIT ${maxTraits}
)
SELECT dimension, value FROM (
  SELECT dimension, value, seq, row_number() OVER (PARTITION BY dimension ORDER BY seq, value) AS place
  FROM (
    SELECT dimension, value, min(seq) AS seq FROM (
      SELECT a.key AS dimension, attributes -> a.key AS value, seq FROM carriers CROSS JOIN json_each(attributes) a
      WHERE attributes IS NOT NULL AND a.key IN ('plan', 'currency') AND a.type = 'text'
      UNION ALL
      SELECT * FROM traits_of_subjects WHERE json_type(value) IN ('text', 'integer', 'real', 'true', 'false')
    )
    WHERE length(value) <= ${MAX_VALUE_CHARACTERS}
    GROUP BY dimension, value
  ) found
  WHERE NOT ${isStored(`AND ${v.value} = found.value`)}
) found
WHERE place <= ${MAX_INDEXED_VALUES}
ORDER BY ${isStored("")} DESC, place, seq, dimension LIMIT ${MAX_WORKSPACE_VALUES}`;
}

export const SELECT_STORED_VALUES = `
SELECT ${v.dimension} AS dimension, ${v.value} AS value FROM ${v.table} WHERE ${v.workspace} = ?1
ORDER BY ${v.dimension}, ${v.value}`;

const SELECT_NEW_IN_TAIL = selectNewValues(IN_TAIL, MAX_TRAITS.ofQuestion);

/** Selects the values that a range of the log adds. @param from, through bounds of the range, as parameters */
export const selectValuesIn = (from: string, through: string): string =>
  selectNewValues(`${m.seq} > ${from} AND ${m.seq} <= ${through}`, MAX_TRAITS.ofFold);

/**
 * Stores values, unless their last owner was erased since they were selected. ?1 is the workspace's number, ?2 lists
 * `[dimension, value]`, ?4 and ?5 are the bounds of their range.
 * @param may the SQL condition of the write, which may use ?3
 */
export const insertValuesSql = (may: string): string => `
INSERT INTO ${v.table} (${v.workspace}, ${v.dimension}, ${v.value})
SELECT ?1, n.value ->> 0, n.value ->> 1 FROM json_each(?2) n
WHERE (n.value ->> 0, n.value ->> 1) IN (${selectValuesIn("?4", "?5")}) AND ${may}
ON CONFLICT DO NOTHING`;

/** Adds the statements that read a workspace's dimensions, including those of the tail. */
export function selectDimensions(batch: Batch): () => Dimension[] {
  const stored = batch.addStatement(statement<IndexedValue>(SELECT_STORED_VALUES));
  const added = batch.addStatement(statement<IndexedValue>(SELECT_NEW_IN_TAIL));
  return () => {
    const known = stored();
    const found = Map.groupBy([...known, ...valuesWithRoom(known, added())], ({ dimension }) => dimension);
    return dimensionsOf(
      new Map(
        Array.from(found, ([name, all]) => [
          name,
          all
            .map(({ value }) => value)
            .toSorted()
            .map((value) => JSON.parse(value)),
        ]),
      ),
    );
  };
}
