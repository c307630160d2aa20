/** What queries of answers share: how a row tells of what it names, and what is named. */
import type { Entity } from "../../core/ask/model.ts";
import { ERASED_NAME } from "../../core/erased-name.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import type { Row, Value } from "../client/batch.ts";
import { shownId } from "../users/erased-ids.ts";

export const numberOrNull = (value: Value | undefined): number | null => (value == null ? null : Number(value));

/** Columns of what a row names, for `entityIn`. ?1 is the workspace. `table` is the alias of its table. */
export const ENTITY_COLUMNS = {
  account: (table: string): string =>
    `'account' AS kind, ${table}.number AS number, ${table}.id AS id, ${table}.external_id AS external_id,
    ${identityOf("account", `${table}.number`, "company")} AS name`,
  user: (table: string): string =>
    `'user' AS kind, ${table}.number AS number, ${table}.id AS id, ${table}.external_id AS external_id,
    ${identityOf("user", `${table}.number`, "name")} AS name`,
} as const;

/** What an account or a user is called by the identity traits attached to it, in SQL, while the agreement to that stands. */
export const identityOf = (kind: "account" | "user", number: string, source: "company" | "name"): string =>
  `(SELECT i.text FROM names i WHERE i.workspace = ?1 AND i.kind = '${kind}' AND i.subject = ${number}
    AND i.source = '${source}' AND ${isAgreed("?1")} LIMIT 1)`;

export const feature = (name: string, number: number): Entity => ({
  type: "feature",
  number,
  id: name,
  externalId: name,
  name: null,
});

/** An external id as answers quote it. */
export const quotableId = (externalId: string): string => shownId(externalId) ?? ERASED_NAME;

/** What a row with `ENTITY_COLUMNS` names. */
export function entityIn(row: Row): Entity {
  const externalId = String(row["external_id"]);
  return {
    type: row["kind"] === "account" ? "account" : "user",
    number: Number(row["number"]),
    id: String(row["id"]),
    externalId: quotableId(externalId),
    name: row["name"] == null ? null : String(row["name"]),
  };
}

/** Whether an account is one of a user who has left it for another, in SQL. Needs ?1, the workspace. */
export const isSuperseded = (account: string): string =>
  `(${account}.kind = 'solo' AND EXISTS (SELECT 1 FROM users o WHERE o.workspace = ?1
    AND o.external_id = ${account}.external_id AND o.account <> ${account}.number))`;
