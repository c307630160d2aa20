/** Selects and decodes accounts, users and features in the rows of a result. */
import { ERASED_NAME } from "../../../core/erased-name.ts";
import type { Stage } from "../../../core/health/model.ts";
import type { Entity } from "../../../core/ask/query/result.ts";
import { typedKeys } from "../../../core/typed-keys.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { isAgreed } from "../../identity/agreement-sql.ts";
import { identityTraits } from "../../schema/schema.ts";
import { shownId } from "../../users/erased-ids.ts";
import { a, aliased, u } from "./aliases.ts";
import { stageOf } from "./stage-sql.ts";

const attached = columnsOf(identityTraits, "attached");

/** The attached name, while the agreement is in force. */
const nameOf = (kind: "account" | "user", number: string, key: "company" | "name"): string =>
  `(SELECT ${attached.value} FROM ${attached.table} WHERE ${attached.workspace} = ?1 AND ${attached.subjectKind} = '${kind}'
    AND ${attached.subject} = ${number} AND ${attached.key} = '${key}' AND ${isAgreed("?1")})`;

const ACCOUNT = {
  accountId: a.id,
  accountExternalId: a.externalId,
  company: nameOf("account", a.number, "company"),
  stage: stageOf(),
};
const ENTITY = {
  ...ACCOUNT,
  userId: u.id,
  userExternalId: u.externalId,
  personName: nameOf("user", u.number, "name"),
};

/** Selects an {@link AccountRow} from accounts `a`. */
export const ACCOUNT_COLUMNS = aliased(ACCOUNT);
/** Selects an {@link EntityRow} from accounts `a` and users `u`. */
export const ENTITY_COLUMNS = aliased(ENTITY);
export const ENTITY_NAMES = typedKeys(ENTITY);

export interface AccountRow {
  accountId: string | null;
  accountExternalId: string | null;
  company: string | null;
  stage: Stage | null;
}

export interface EntityRow extends AccountRow {
  userId: string | null;
  userExternalId: string | null;
  personName: string | null;
}

type AccountEntity = Entity & { type: "account" };

const shown = (externalId: string | null): string => shownId(externalId ?? "") ?? ERASED_NAME;

export function accountIn({ accountId: id, accountExternalId, company, stage }: AccountRow): AccountEntity | null {
  if (id === null) return null;
  return { type: "account", id, externalId: shown(accountExternalId), name: company, ...(stage !== null && { stage }) };
}

export const userIn = ({ userId: id, userExternalId, personName }: EntityRow): (Entity & { type: "user" }) | null =>
  id === null ? null : { type: "user", id, externalId: shown(userExternalId), name: personName };

export const featureOf = (event: string): Entity => ({ type: "feature", id: event, externalId: event, name: null });
