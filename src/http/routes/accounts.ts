/** Reading accounts with what the recompute concluded of them. */
import { Hono } from "hono";

import { readIdentifier } from "../../core/ingest/identifiers.ts";
import { findAccount } from "../../services/accounts.ts";
import { listAccounts } from "../../services/accounts.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { opens, requireKey } from "../middleware/credentials.ts";
import { failure } from "../../edge/errors.ts";
import { isoOrNull } from "../../edge/present/iso.ts";
import { accountFilters } from "../../edge/schemas/list-queries.ts";
import { listValidator, pageOf, readSortCursor } from "../../edge/page.ts";
import { presentAccount, presentAccountDetails } from "../present/account.ts";
import { operation } from "../../edge/request-log.ts";

const filters = listValidator(accountFilters);

export const accounts = new Hono<AppEnv>()
  .get("/accounts", operation("list_accounts"), requireKey("read"), filters, async (c) => {
    const grant = c.get("grant");
    const { workspace } = grant;
    const { state, sort, limit, cursor } = c.req.valid("query");
    const list = ["accounts", workspace.id, sort, state ?? ""];
    const after = readSortCursor(c, list, cursor);
    if (after instanceof Response) return after;
    const listed = await timed(c, "databaseMs", () =>
      listAccounts(c.env, workspace, {
        state,
        sort,
        after,
        limit: limit + 1,
        withIdentity: opens(grant, "identity"),
      }),
    );
    const { page, nextCursor } = pageOf(listed.accounts, limit, list, ({ position }) => position);
    return answerJson(c, { ok: true, asOf: isoOrNull(listed.asOf), accounts: page.map(presentAccount), nextCursor });
  })
  .get("/accounts/:externalId", operation("read_account"), requireKey("read"), async (c) => {
    const grant = c.get("grant");
    const options = { now: Date.now(), withIdentity: opens(grant, "identity") };
    const id = readIdentifier(c.req.param("externalId"));
    const account =
      id.ok && id.value !== null
        ? await timed(c, "databaseMs", () => findAccount(c.env, grant.workspace, id.value ?? "", options))
        : null;
    if (account === null) return failure(c, "not_found", "There is no such account.");
    return answerJson(c, { ok: true, asOf: isoOrNull(account.asOf), account: presentAccountDetails(account) });
  });
