/** Reads accounts for the API and for agents: docs/wire/accounts.md §13. */
import type { HealthState } from "../../core/health/model.ts";
import { readAccount } from "../../db/accounts/account-details.ts";
import { type ACCOUNT_SORTS, accountPosition, listAccounts } from "../../db/accounts/list-accounts.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { fitAll, INVALID_CURSOR, pageOf, type PageRequest, readSortCursor } from "../cursor.ts";
import { failure } from "../errors.ts";
import { isoOrNull } from "../../services/present/iso.ts";
import { presentAccount, presentAccountDetails } from "../../services/present/present-account.ts";

interface AccountsRequest extends PageRequest {
  readonly state?: HealthState | undefined;
  readonly owner?: string | undefined;
  readonly sort: (typeof ACCOUNT_SORTS)[number];
}

export async function listAccountsPage(
  env: Env,
  grant: KeyGrant,
  { state, owner, sort, limit, cursor }: AccountsRequest,
  fit = fitAll,
) {
  const { workspace } = grant;
  const list = ["accounts", workspace.id, sort, state ?? "", owner ?? ""];
  const after = readSortCursor(list, cursor);
  if (after === undefined) return INVALID_CURSOR;
  const withIdentity = hasScope(grant, "identity");
  const listed = await listAccounts(env, workspace, { state, owner, sort, after, limit: limit + 1, withIdentity });
  const accounts = fit(listed.accounts.slice(0, limit).map(presentAccount));
  const { nextCursor } = pageOf(listed.accounts, accounts.length, list, accountPosition);
  return { ok: true as const, asOf: isoOrNull(listed.asOf), accounts, nextCursor };
}

/** @param id external or internal */
export async function readOneAccount(env: Env, grant: KeyGrant, id: string) {
  const now = Date.now();
  const options = { now, withIdentity: hasScope(grant, "identity"), withUnfolded: false };
  const account = await readAccount(env, grant.workspace, id, options);
  if (account === null) return failure("not_found", "No such account.");
  return { ok: true as const, asOf: isoOrNull(account.asOf), account: presentAccountDetails(account, now) };
}
