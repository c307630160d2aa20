/** The list of accounts, and the page of one account. */
import { Hono } from "hono";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { accountPosition } from "../../db/accounts/list-accounts.ts";
import { readAccount } from "../../db/accounts/account-details.ts";
import { readConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import { accountName } from "../components/format.ts";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { AccountPage } from "./account-page.tsx";
import { accountListFilter, AccountList, accountsPath } from "./account-list.tsx";

export const accountsPages = new Hono<AppEnv>()
  .use("/", operation("console_accounts"))
  .get("/", (c) => listPage(c, { ...c.req.query(), q: undefined }))
  // People search for names, and URLs are logged.
  .post("/", async (c) => listPage(c, await readForm(c)))
  .get("/:account", operation("console_account"), async (c) => {
    const workspace = c.get("workspace");
    const options = { now: Date.now(), withIdentity: hasScope(workspace, "identity"), withUnfolded: true };
    const account = await readAccount(c.env, workspace, c.req.param("account"), options);
    if (account === null) return notFoundPage(c, "This account does not exist.");
    return c.html(
      <Page c={c} title={accountName(account)} tab="accounts">
        <AccountPage {...{ workspace, account }} />
      </Page>,
    );
  });

async function listPage(c: AppContext, fields: Record<string, unknown>): Promise<Response> {
  const workspace = c.get("workspace");
  const { cursor, ...filter } = accountListFilter.parse(fields);
  // Without a search, the address has the whole view, so that it can be shared.
  if (c.req.method === "POST" && filter.q === "") return c.redirect(accountsPath(workspace, filter), 303);
  const list = ["console accounts", workspace.id, filter.sort, filter.state ?? "", filter.q];
  const after = readSortCursor(list, cursor) ?? null;
  const table = await readConsoleAccounts(c.env, workspace, {
    search: filter.q,
    state: filter.state,
    sort: filter.sort,
    after,
    limit: DEFAULT_PAGE_ROWS + 1,
    withIdentity: hasScope(workspace, "identity"),
    now: Date.now(),
  });
  const { page, nextCursor } = pageOf(table.accounts, DEFAULT_PAGE_ROWS, list, accountPosition);
  return c.html(
    <Page c={c} title="Accounts" tab="accounts">
      <AccountList
        {...{ workspace, filter, nextCursor }}
        table={{ ...table, accounts: page }}
        isFirstPage={after === null}
      />
    </Page>,
  );
}
