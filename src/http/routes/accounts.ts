/** Reads accounts with their health: docs/wire/accounts.md §13. */
import { failed } from "../../edge/errors.ts";
import { listAccountsPage, readOneAccount } from "../../edge/operations/accounts.ts";
import { accounts, oneAccount } from "../../edge/responses/account.ts";
import { ACCOUNT_REF } from "../../edge/responses/fields.ts";
import { accountFilters, pageQuery } from "../../edge/schemas/list-queries.ts";
import { route } from "../declare-route.ts";
import { externalIdParam } from "../requests/path-params.ts";

const common = { method: "get", tag: "Outcomes", access: "read" } as const;

const EXAMPLE = {
  ok: true,
  asOf: "2026-11-12T00:05:00.000Z",
  accounts: [
    {
      ...ACCOUNT_REF,
      kind: "company",
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
      params: externalIdParam(
        "The sender's id, or the internal id (`acc_…`). If a company and a personal account have this id, it is the company.",
      ),
      response: { status: 200, description: "The account.", schema: oneAccount },
      errors: ["not_found"],
    },
    async (c) => {
      const read = await readOneAccount(c.env, c.get("grant"), c.req.valid("param").externalId);
      return read.ok ? c.json(read, 200) : failed(c, read);
    },
  ),
];
