/** The list of accounts, and the page of one account. */
import { Hono } from "hono";
import * as z from "zod";

import { actorNameOf } from "../../edge/actor-name.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { ownerName } from "../../edge/schemas/owner.ts";
import { readAccount } from "../../db/accounts/account-details.ts";
import { markOwner } from "../../db/accounts/owners.ts";
import { accountName } from "../components/format.ts";
import { MAX_OWNER_CHARACTERS } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { pathOf } from "../paths.ts";
import { newAccountsPages } from "../new-accounts/route.tsx";
import { requireScope } from "../session/guards.ts";
import { AccountPage } from "./account-page.tsx";
import { accountListPages } from "./list-route.tsx";
import type { OwnerCardProps } from "./owner-card.tsx";

export const accountsPages = new Hono<AppEnv>()
  .route("/", accountListPages)
  .route("/new", newAccountsPages)
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
