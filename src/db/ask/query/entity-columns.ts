/** Selects and decodes accounts, users and features in the rows of a result. */
import { ERASED_NAME } from "../../../core/erased-name.ts";
import { type Stage, STAGES } from "../../../core/health/model.ts";
import type { Entity } from "../../../core/ask/query/result.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { isAgreed } from "../../identity/agreement-sql.ts";
import { accounts, identityTraits, users } from "../../schema/schema.ts";
import { shownId } from "../../users/erased-ids.ts";
import { stageOf } from "./dimension-sql.ts";

const i = columnsOf(identityTraits, "i");

export interface AccountColumns {
  accountId: string | null;
  accountExternalId: string | null;
  company: string | null;
  stage: string | null;
}

export interface UserColumns {
  userId: string | null;
  userExternalId: string | null;
  personName: string | null;
}

/** The attached name, while the agreement is in force. */
const nameOf = (kind: "account" | "user", number: string, key: "company" | "name"): string =>
  `(SELECT ${i.value} FROM ${i.table} WHERE ${i.workspace} = ?1 AND ${i.subjectKind} = '${kind}'
    AND ${i.subject} = ${number} AND ${i.key} = '${key}' AND ${isAgreed("?1")})`;

/** @param alias of `accounts` */
export function accountColumns(alias: string): string {
  const a = columnsOf(accounts, alias);
  return `${a.id} AS accountId, ${a.externalId} AS accountExternalId, ${nameOf("account", a.number, "company")} AS company,
  ${stageOf(`(${a.attributes} ->> '$.stage[0]')`)} AS stage`;
}

/** @param alias of `users` */
export function userColumns(alias: string): string {
  const u = columnsOf(users, alias);
  return `${u.id} AS userId, ${u.externalId} AS userExternalId, ${nameOf("user", u.number, "name")} AS personName`;
}

export function accountIn({ accountId, accountExternalId, company, stage }: AccountColumns): Entity | null {
  if (accountId === null) return null;
  const found = STAGES.find((each): each is Stage => each === stage);
  return {
    type: "account",
    id: accountId,
    externalId: shownId(accountExternalId ?? "") ?? ERASED_NAME,
    name: company,
    ...(found && { stage: found }),
  };
}

export const userIn = ({ userId, userExternalId, personName }: UserColumns): Entity | null =>
  userId === null
    ? null
    : { type: "user", id: userId, externalId: shownId(userExternalId ?? "") ?? ERASED_NAME, name: personName };

export const featureOf = (event: string): Entity => ({ type: "feature", id: event, externalId: event, name: null });
