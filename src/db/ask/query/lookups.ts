/** Looks up what a query names: accounts and users by external or internal id, and features by event name. */
import type { Entity } from "../../../core/ask/query/result.ts";
import type { NamedSubject } from "../../../core/ask/query/subjects.ts";
import type { Batch } from "../../client/batch.ts";
import { statement } from "../../client/statements.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { TAIL_EVENTS } from "../tail.ts";
import { a, e, u } from "./aliases.ts";
import { accountIn, ENTITY_COLUMNS, type EntityRow, featureOf, userIn } from "./entity-columns.ts";

const NAME = "s.value ->> 1";

/** The number of an account or a user. Internal ids come first, so that no sender's id can hide them. */
const numberOf = (own: typeof a | typeof u, ...byExternalId: readonly string[]): string => {
  const select = (condition: string) =>
    `(SELECT ${own.number} FROM ${own.table} WHERE ${own.workspace} = ?1 AND ${condition})`;
  return `coalesce(${[`${own.id} = ${NAME} AND ${isNotErased(own.externalId)}`, ...byExternalId].map(select).join(",\n      ")})`;
};

/** ?2 lists `[type, name]`. */
const SELECT_NAMED = `
SELECT n.type, n.name, n.number, ${ENTITY_COLUMNS}
FROM (
  SELECT s.value ->> 0 AS type, ${NAME} AS name, CASE s.value ->> 0
    WHEN 'account' THEN ${numberOf(a, `${a.kind} = 'company' AND ${a.externalId} = ${NAME}`, `${a.kind} = 'solo' AND ${a.externalId} = ${NAME}`)}
    WHEN 'user' THEN ${numberOf(u, `${u.externalId} = ${NAME}`)}
    ELSE coalesce(
      (SELECT ${e.number} FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${e.name} = ${NAME}),
      (SELECT 0 FROM (${TAIL_EVENTS}) t WHERE t.event = ${NAME} LIMIT 1))
    END AS number
  FROM json_each(?2) s
) n
LEFT JOIN ${a.table} ON n.type = 'account' AND ${a.number} = n.number
LEFT JOIN ${u.table} ON n.type = 'user' AND ${u.number} = n.number
WHERE n.number IS NOT NULL`;

interface NamedRow extends EntityRow {
  type: string;
  name: string;
  number: number;
}

export interface Named {
  number: number;
  entity: Entity;
}

/** @returns a function that finds a subject once the batch has run; `undefined` if there is none */
export function selectNamed(
  batch: Batch,
  named: readonly NamedSubject[],
): () => (subject: NamedSubject) => Named | undefined {
  const rows = batch.addStatement(
    statement<NamedRow>(SELECT_NAMED, JSON.stringify(named.map(({ type, name }) => [type, name]))),
  );
  return () => {
    const found = new Map(
      rows().map((row) => [`${row.type} ${row.name}`, { number: row.number, entity: entityOf(row) }]),
    );
    return ({ type, name }) => found.get(`${type} ${name}`);
  };
}

const entityOf = (row: NamedRow): Entity => accountIn(row) ?? userIn(row) ?? featureOf(row.name);
