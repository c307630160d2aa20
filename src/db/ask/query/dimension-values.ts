/**
 * Stores the distinct dimension values in messages, for the fold. Each question reads the workspace's dimensions with
 * these values, together with those in the unfolded tail. `valuesWithRoom` bounds both in the same way. SQL text,
 * because one statement reads a set of messages and ranks their values.
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
import { expression } from "../../client/expression.ts";
import { prepareQuery } from "../../client/prepare.ts";
import { inOwnRange } from "../../client/sql-fragments.ts";
import { dimensionValues } from "../../schema/schema.ts";
import { inTail } from "../tail.ts";
import { message, ownership, trait } from "./aliases.ts";

/** A statement reads at most this many traits, those of the first accounts and users in its messages. */
const MAX_TRAITS = { ofQuestion: 10_000, ofFold: 250_000 } as const;

const stored = columnsOf(dimensionValues);

const subjectsOf = (kind: "account" | "user", subject: string) => `
  SELECT '${kind}' AS kind, ${subject} AS subject, min(seq) AS seq FROM carriers
  WHERE type <> 'track' AND ${subject} IS NOT NULL GROUP BY ${subject}`;

/**
 * Selects the values that messages add to the stored ones: those of known dimensions first, then in the order of the
 * messages. The first value of each dimension comes before its other values, so that every dimension has room.
 */
function selectNewValues(where: string, maxTraits: number, columns = "dimension, value"): string {
  const isStored = (condition: string) => `EXISTS (SELECT 1 FROM ${stored.table}
    WHERE ${stored.workspace} = :workspace AND ${stored.dimension} = found.dimension ${condition})`;
  return `
WITH carriers AS MATERIALIZED (
  SELECT ${message.seq} AS seq, ${message.type} AS type, ${message.account} AS account, ${message.user} AS user,
    ${message.attributes} AS attributes
  FROM ${message.table} WHERE ${where} AND (${message.type} <> 'track' OR ${message.attributes} IS NOT NULL)
), traits_of_subjects AS MATERIALIZED (
  SELECT subject.kind || '.' || ${trait.key} AS dimension, ${trait.value} AS value, subject.seq AS seq
  FROM (
    SELECT * FROM (${subjectsOf("account", "account")} UNION ALL ${subjectsOf("user", "user")})
    ORDER BY seq LIMIT ${maxTraits}
  ) subject
  CROSS JOIN ${trait.table} ON ${trait.subjectKind} = subject.kind AND ${trait.subject} = subject.subject
    AND length(${trait.key}) <= ${MAX_KEY_CHARACTERS}
  LIMIT ${maxTraits}
)
SELECT ${columns} FROM (
  SELECT dimension, value, seq, row_number() OVER (PARTITION BY dimension ORDER BY seq, value) AS position
  FROM (
    SELECT dimension, value, min(seq) AS seq FROM (
      SELECT attribute.key AS dimension, attributes -> attribute.key AS value, seq
      FROM carriers CROSS JOIN json_each(attributes) attribute
      WHERE attributes IS NOT NULL AND attribute.key IN ('plan', 'currency') AND attribute.type = 'text'
      UNION ALL
      SELECT * FROM traits_of_subjects WHERE json_type(value) IN ('text', 'integer', 'real', 'true', 'false')
    )
    WHERE length(value) <= ${MAX_VALUE_CHARACTERS}
    GROUP BY dimension, value
  ) found
  WHERE NOT ${isStored(`AND ${stored.value} = found.value`)}
) found
WHERE position <= ${MAX_INDEXED_VALUES}
ORDER BY ${isStored("")} DESC, position, seq, dimension LIMIT ${MAX_WORKSPACE_VALUES}`;
}

const COLUMNS = { dimension: stored.dimension, value: stored.value };

export const SELECT_STORED_VALUES = prepareQuery(
  COLUMNS,
  (columns) => `
SELECT ${columns} FROM ${stored.table} WHERE ${stored.workspace} = :workspace
ORDER BY ${stored.dimension}, ${stored.value}`,
);

const SELECT_NEW_IN_TAIL = prepareQuery(COLUMNS, (columns) =>
  selectNewValues(inTail(":workspace"), MAX_TRAITS.ofQuestion, columns),
);

/** Owners aren't in messages. */
const SELECT_OWNERS = prepareQuery(
  { dimension: expression<string>("'owner'"), value: expression<string>("json_quote(owner)") },
  (columns) => `
SELECT ${columns} FROM (
  SELECT DISTINCT owner FROM (
    SELECT ${ownership.owner} AS owner FROM ${ownership.table}
    WHERE ${inOwnRange(ownership.account, ":workspace")} LIMIT ${MAX_TRAITS.ofQuestion}
  ) ORDER BY owner LIMIT ${MAX_INDEXED_VALUES}
)`,
);

const selectNewInRange = (columns?: string): string =>
  selectNewValues(`${message.seq} > :from AND ${message.seq} <= :through`, MAX_TRAITS.ofFold, columns);

/** Selects the values that a range of the log adds. */
export const SELECT_NEW_VALUES = prepareQuery(COLUMNS, selectNewInRange);

/**
 * Builds the statement that stores values, unless their last owner was erased since they were selected. `:rows` lists
 * `[dimension, value]`.
 * @param condition of the write, which may use further parameters
 */
export const insertValuesSql = (condition: string): string => `
INSERT INTO ${stored.table} (${stored.workspace}, ${stored.dimension}, ${stored.value})
SELECT :workspace, entry.value ->> 0, entry.value ->> 1 FROM json_each(:rows) entry
WHERE (entry.value ->> 0, entry.value ->> 1) IN (${selectNewInRange()}) AND ${condition}
ON CONFLICT DO NOTHING`;

/** Adds the statements that read a workspace's dimensions, including those of the tail. */
export function selectDimensions(batch: Batch): () => Dimension[] {
  const readStored = batch.add(SELECT_STORED_VALUES);
  const readNew = batch.add(SELECT_NEW_IN_TAIL);
  const readOwners = batch.add(SELECT_OWNERS);
  return () => {
    const known = readStored();
    const found = Map.groupBy(
      [...known, ...valuesWithRoom(known, readNew()), ...readOwners()],
      ({ dimension }) => dimension,
    );
    return dimensionsOf(new Map(Array.from(found, ([name, all]) => [name, decoded(all)])));
  };
}

const decoded = (all: readonly IndexedValue[]) =>
  all
    .map(({ value }) => value)
    .toSorted()
    .map((value) => JSON.parse(value));
