/** Reads accounts with their health, and sets their owners: docs/wire/accounts.md §13. */
import { markOwner } from "../../db/accounts/owners.ts";
import { actorNameOf } from "../../edge/actor-name.ts";
import { errorResponse, failed, unauthorized } from "../../edge/errors.ts";
import { request } from "../../edge/named-schemas.ts";
import { listAccountsPage, readOneAccount } from "../../edge/operations/accounts.ts";
import { accounts, oneAccount, ownedAccount } from "../../edge/responses/account.ts";
import { ACCOUNT_REF } from "../../edge/responses/fields.ts";
import { accountFilters, pageQuery } from "../../edge/schemas/list-queries.ts";
import { ownerChange } from "../../edge/schemas/owner.ts";
import { findWritable } from "../../services/workspaces/api-keys.ts";
import { route } from "../declare-route.ts";
import { externalIdParam } from "../requests/path-params.ts";

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
      const page = await listAccountsPage(c.env, c.get("grant"), c.req.valid("query"));
      return page.ok ? c.json(page, 200) : failed(c, page);
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
      const read = await readOneAccount(c.env, c.get("grant"), c.req.valid("param").externalId);
      return read.ok ? c.json(read, 200) : failed(c, read);
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
      const act = { by: actorNameOf(c.get("grant")), at: Date.now() };
      const { owner } = c.req.valid("json");
      const account = await markOwner(c.env, workspace, c.req.valid("param").externalId, owner, act);
      if (account === null) return errorResponse(c, "not_found", "No such account.");
      return c.json({ ok: true, account }, 200);
    },
  ),
];
