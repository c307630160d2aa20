/** The pages of accounts: the list, new accounts, and the page of one account. */
import { Hono } from "hono";

import type { AppEnv } from "../../edge/app-context.ts";
import { newAccountsPages } from "../new-accounts/route.tsx";
import { accountPages } from "./account-route.tsx";
import { accountListPages } from "./list-route.tsx";

export const accountsPages = new Hono<AppEnv>()
  .route("/", accountListPages)
  .route("/new", newAccountsPages)
  .route("/", accountPages);
