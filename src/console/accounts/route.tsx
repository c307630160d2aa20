/** The list of accounts, and the page of one account. */
import { Hono } from "hono";
import * as z from "zod";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import { actorNameOf } from "../../edge/actor-name.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { ownerName } from "../../edge/schemas/owner.ts";
import { accountPosition } from "../../db/accounts/list-accounts.ts";
import { readAccount } from "../../db/accounts/account-details.ts";
import { markOwner } from "../../db/accounts/owners.ts";
import { readConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import { accountName } from "../components/format.ts";
import { MAX_OWNER_CHARACTERS } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { pathOf } from "../paths.ts";
import { requireScope } from "../session/guards.ts";
import { AccountPage } from "./account-page.tsx";
import { accountListFilter, AccountList, accountsPath } from "./account-list.tsx";
import type { OwnerCardProps } from "./owner-card.tsx";

export const accountsPages = new Hono<AppEnv>()
  .use("/", operation("console_accounts"))
  .get("/", (c) => listPage(c, { ...c.req.query(), q: undefined }))
  // People search for names, and URLs are logged.
  .post("/", async (c) => listPage(c, await readForm(c)))
  .get("/:account", operation("console_account"), (c) => accountPage(c, c.req.param("account")))
  .post("/:account/owner", operation("console_set_owner"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const id = c.req.param("account");
    const { owner } = await readForm(c);
    const form = ownerForm.safeParse(owner);
    if (!form.success) {
      const error = `“Owner” must be one line of at most ${MAX_OWNER_CHARACTERS} characters.`;
      return accountPage(c, id, { entered: String(owner), error });
    }
    const act = { by: actorNameOf(workspace.key), at: Date.now() };
    const account = await markOwner(c.env, workspace, id, form.data, act);
    return account === null ? noSuchAccount(c) : c.redirect(pathOf(workspace, "accounts", account.id), 303);
  });

/** An empty field removes the owner. */
const ownerForm = z.union([
  z
    .string()
    .regex(/^\s*$/)
    .transform(() => null),
  ownerName,
]);

const noSuchAccount = (c: AppContext) => notFoundPage(c, "This account does not exist.");

async function accountPage(c: AppContext, id: string, refused?: OwnerCardProps["refused"]) {
  const workspace = c.get("workspace");
  const account = await readAccount(c.env, workspace, id, {
    now: Date.now(),
    withIdentity: hasScope(workspace, "identity"),
    withUnfolded: true,
    withOwners: hasScope(workspace, "inbox"),
  });
  if (account === null) return noSuchAccount(c);
  return c.html(
    <Page c={c} title={accountName(account)} tab="accounts">
      <AccountPage {...{ workspace, account, ...(refused && { refused }) }} />
    </Page>,
    refused === undefined ? 200 : 400,
  );
}

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
