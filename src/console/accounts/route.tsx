/** The list of accounts. */
import { Hono } from "hono";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { accountPosition } from "../../db/accounts/list-accounts.ts";
import { readConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { accountListFilter, AccountList, accountsPath } from "./account-list.tsx";

export const accountsPages = new Hono<AppEnv>()
  .use("/", operation("console_accounts"))
  .get("/", (c) => listPage(c, { ...c.req.query(), q: undefined }))
  // People search for names, and URLs are logged.
  .post("/", async (c) => listPage(c, await readForm(c)));

async function listPage(c: AppContext, fields: Record<string, unknown>): Promise<Response> {
  const workspace = c.get("workspace");
  const { cursor, ...filter } = accountListFilter.parse(fields);
  // Without a search, the address has the whole view, so that it can be shared.
  if (c.req.method === "POST" && filter.q === "") return c.redirect(accountsPath(workspace, filter), 303);
  const list = ["console accounts", workspace.id, filter.sort, filter.state ?? "", filter.owner ?? "", filter.q];
  const after = readSortCursor(list, cursor) ?? null;
  const table = await readConsoleAccounts(c.env, workspace, {
    search: filter.q,
    state: filter.state,
    owner: filter.owner,
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
