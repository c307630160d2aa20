/** Selects and decodes accounts, users and features in the rows of a result. */
import { ERASED_NAME } from "../../../core/erased-name.ts";
import type { Stage } from "../../../core/health/model.ts";
import type { Entity } from "../../../core/ask/query/result.ts";
import { typedKeys } from "../../../core/typed-keys.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { type Expression, expression, nullable } from "../../client/expression.ts";
import type { RowOf } from "../../client/prepare.ts";
import { isAgreed } from "../../identity/agreement-sql.ts";
import { identityTraits } from "../../schema/schema.ts";
import { shownId } from "../../users/erased-ids.ts";
import { account, user } from "./aliases.ts";
import { stageOf } from "./stage-sql.ts";

const attached = columnsOf(identityTraits, "attached");

/** The attached name, while the agreement is in force. */
const nameOf = (kind: "account" | "user", number: string, key: "company" | "name"): Expression<string | null> =>
  expression(`(SELECT ${attached.value} FROM ${attached.table}
    WHERE ${attached.workspace} = :workspace AND ${attached.subjectKind} = '${kind}'
    AND ${attached.subject} = ${number} AND ${attached.key} = '${key}' AND ${isAgreed(":workspace")})`);

/** The columns of an `account`. */
export const ACCOUNT = {
  accountId: nullable(account.id),
  accountExternalId: nullable(account.externalId),
  company: nameOf("account", account.number, "company"),
  stage: expression<Stage | null>(stageOf()),
};
/** The columns of an `account` and a `user`. */
export const ENTITY = {
  ...ACCOUNT,
  userId: nullable(user.id),
  userExternalId: nullable(user.externalId),
  personName: nameOf("user", user.number, "name"),
};
export const ENTITY_NAMES = typedKeys(ENTITY);

/** Joins the `account` or the `user` with a number. @param type the SQL of `account` or `user` */
export const joinEntity = (type: string, number: string): string => `
LEFT JOIN ${account.table} ON ${type} = 'account' AND ${account.number} = ${number}
LEFT JOIN ${user.table} ON ${type} = 'user' AND ${user.number} = ${number}`;

export type AccountRow = RowOf<typeof ACCOUNT>;
export type EntityRow = RowOf<typeof ENTITY>;

type AccountEntity = Entity & { type: "account" };

const shown = (externalId: string | null): string => shownId(externalId ?? "") ?? ERASED_NAME;

export function accountIn({ accountId: id, accountExternalId, company, stage }: AccountRow): AccountEntity | null {
  if (id === null) return null;
  return { type: "account", id, externalId: shown(accountExternalId), name: company, ...(stage !== null && { stage }) };
}

export const userIn = ({ userId: id, userExternalId, personName }: EntityRow): (Entity & { type: "user" }) | null =>
  id === null ? null : { type: "user", id, externalId: shown(userExternalId), name: personName };

export const featureOf = (event: string): Entity => ({ type: "feature", id: event, externalId: event, name: null });
