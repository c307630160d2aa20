/** Reads accounts with their health, and sets their owners: docs/wire/accounts.md §13. */
import { invalidCursor, pageOf, readSortCursor } from "../../edge/cursor.ts";
import { errorResponse, unauthorized } from "../../edge/errors.ts";
import { isoOrNull } from "../../edge/present/iso.ts";
import { accountFilters, pageQuery } from "../../edge/schemas/list-queries.ts";
import { accountPosition, listAccounts } from "../../db/accounts/list-accounts.ts";
import { readAccount } from "../../db/accounts/account-details.ts";
import { markOwner } from "../../db/accounts/owners.ts";
import { findWritable, hasScope } from "../../services/workspaces/api-keys.ts";
import { ownerChange } from "../../edge/schemas/owner.ts";
import { request } from "../named-schemas.ts";
import { externalIdParam } from "../requests/path-params.ts";
import { accounts, oneAccount, ownedAccount, presentAccount, presentAccountDetails } from "../responses/account.ts";
import { ACCOUNT_REF } from "../responses/fields.ts";
import { route } from "../declare-route.ts";

const common = { method: "get", tag: "Outcomes", access: "read" } as const;

const params = externalIdParam(
  "The sender's id, or the internal id (`acc_…`). If a company and a personal account have this id, it is the company.",
);

const OWNER = "Ann Lee";
const EXAMPLE = {
  ok: true,
  asOf: "2026-11-12T00:05:00.000Z",
  accounts: [
    {
      ...ACCOUNT_REF,
      kind: "company",
      owner: OWNER,
      attributes: { stage: "active", plan: "pro", seats: 25, mrr: 490, currency: "EUR" },
      health: {
        score: 58.5,
        state: "watch",
        confidence: "high",
        provisional: false,
        trend: -6.25,
        asOf: "2026-11-11",
        modelVersion: 2,
      },
      firstSeenAt: "2026-02-03T09:12:44.000Z",
      lastSeenAt: "2026-11-11T16:40:02.000Z",
    },
  ],
  nextCursor: null,
};

export const accountsRoutes = [
  route(
    {
      ...common,
      paths: { "/api/v1/accounts": "listAccounts" },
      summary: "List accounts with their health",
      query: pageQuery.extend(accountFilters),
      response: {
        status: 200,
        description: "A page of accounts.",
        schema: accounts,
        examples: { accounts: EXAMPLE },
      },
    },
    async (c) => {
      const grant = c.get("grant");
      const { workspace } = grant;
      const { state, owner, sort, limit, cursor } = c.req.valid("query");
      const list = ["accounts", workspace.id, sort, state ?? "", owner ?? ""];
      const after = readSortCursor(list, cursor);
      if (after === undefined) return invalidCursor(c);
      const withIdentity = hasScope(grant, "identity");
      const listed = await listAccounts(c.env, workspace, {
        state,
        owner,
        sort,
        after,
        limit: limit + 1,
        withIdentity,
      });
      const { page, nextCursor } = pageOf(listed.accounts, limit, list, accountPosition);
      return c.json({ ok: true, asOf: isoOrNull(listed.asOf), accounts: page.map(presentAccount), nextCursor }, 200);
    },
  ),
  route(
    {
      ...common,
      paths: { "/api/v1/accounts/{externalId}": "readAccount" },
      summary: "Read an account and explain its health",
      params,
      response: { status: 200, description: "The account.", schema: oneAccount },
      errors: ["not_found"],
    },
    async (c) => {
      const grant = c.get("grant");
      const { externalId } = c.req.valid("param");
      const now = Date.now();
      const options = { now, withIdentity: hasScope(grant, "identity"), withUnfolded: false };
      const account = await readAccount(c.env, grant.workspace, externalId, options);
      if (account === null) return errorResponse(c, "not_found", "No such account.");
      return c.json({ ok: true, asOf: isoOrNull(account.asOf), account: presentAccountDetails(account, now) }, 200);
    },
  ),
  route(
    {
      method: "put",
      paths: { "/api/v1/accounts/{externalId}/owner": "setAccountOwner" },
      tag: "Outcomes",
      summary: "Say who looks after an account",
      access: "inbox",
      params,
      body: { schema: request("AccountOwnerRequest", ownerChange), example: { owner: OWNER } },
      response: { status: 200, description: "The account with its owner.", schema: ownedAccount },
      errors: ["not_found"],
    },
    async (c) => {
      const workspace = await findWritable(c.env, c.get("grant"));
      if (workspace === null) return unauthorized(c);
      const account = await markOwner(c.env, workspace, c.req.valid("param").externalId, c.req.valid("json").owner);
      if (account === null) return errorResponse(c, "not_found", "No such account.");
      return c.json({ ok: true, account }, 200);
    },
  ),
];
