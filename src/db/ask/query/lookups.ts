/**
 * Looks up what a query names: accounts and users by external or internal id, and features by event name. SQL text, because
 * one set-based statement finds all names.
 */
import type { Entity } from "../../../core/ask/query/result.ts";
import type { NamedSubject } from "../../../core/ask/query/subjects.ts";
import type { Batch } from "../../client/batch.ts";
import { expression } from "../../client/expression.ts";
import { prepareQuery } from "../../client/prepare.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { tailEvents } from "../tail.ts";
import { account, eventName, user } from "./aliases.ts";
import { accountIn, ENTITY, type EntityRow, featureOf, joinEntity, userIn } from "./entity-columns.ts";

const NAME = "sought.value ->> 1";

/** The number of an account or a user. Internal ids come first, so that no sender's id can hide them. */
const numberOf = (own: typeof account | typeof user, ...byExternalId: readonly string[]): string => {
  const select = (condition: string) =>
    `(SELECT ${own.number} FROM ${own.table} WHERE ${own.workspace} = :workspace AND ${condition})`;
  const isNamed = `${own.id} = ${NAME} AND ${isNotErased(own.externalId)}`;
  return `coalesce(${[isNamed, ...byExternalId].map(select).join(",\n      ")})`;
};

const ACCOUNT_NUMBER = numberOf(
  account,
  `${account.kind} = 'company' AND ${account.externalId} = ${NAME}`,
  `${account.kind} = 'solo' AND ${account.externalId} = ${NAME}`,
);
const USER_NUMBER = numberOf(user, `${user.externalId} = ${NAME}`);

/** `:named` lists `[type, name]`. */
const SELECT_NAMED = prepareQuery(
  {
    type: expression<NamedSubject["type"]>("named.type"),
    name: expression<string>("named.name"),
    number: expression<number>("named.number"),
    ...ENTITY,
  },
  (columns) => `
SELECT ${columns}
FROM (
  SELECT sought.value ->> 0 AS type, ${NAME} AS name, CASE sought.value ->> 0
    WHEN 'account' THEN ${ACCOUNT_NUMBER}
    WHEN 'user' THEN ${USER_NUMBER}
    ELSE coalesce(
      (SELECT ${eventName.number} FROM ${eventName.table}
        WHERE ${eventName.workspace} = :workspace AND ${eventName.name} = ${NAME}),
      (SELECT 0 FROM (${tailEvents(":workspace")}) tail WHERE tail.event = ${NAME} LIMIT 1))
    END AS number
  FROM json_each(:named) sought
) named ${joinEntity("named.type", "named.number")}
WHERE named.number IS NOT NULL`,
);

export interface Named {
  number: number;
  entity: Entity;
}

/** @returns a function that finds a subject once the batch has run; `undefined` for an unknown one */
export function selectNamed(
  batch: Batch,
  named: readonly NamedSubject[],
): () => (subject: NamedSubject) => Named | undefined {
  const rows = batch.add(SELECT_NAMED, { named: JSON.stringify(named.map(({ type, name }) => [type, name])) });
  return () => {
    const found = new Map(
      rows().map((row) => [`${row.type} ${row.name}`, { number: row.number, entity: entityOf(row) }]),
    );
    return ({ type, name }) => found.get(`${type} ${name}`);
  };
}

const entityOf = (row: EntityRow & { name: string }): Entity => accountIn(row) ?? userIn(row) ?? featureOf(row.name);
