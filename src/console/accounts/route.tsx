/** Who is healthy: the accounts of a workspace, and one by itself. */
import { Hono } from "hono";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import { readIdentifier } from "../../core/ingest/identifiers.ts";
import { readAccountStory } from "../../services/accounts.ts";
import { readAccountTable } from "../../services/accounts.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { pageOf, readSortCursor } from "../../edge/page.ts";
import { operation } from "../../edge/request-log.ts";
import { AccountPage } from "./account-page.tsx";
import { AccountsQuery } from "./accounts-filter.ts";
import { AccountsPage } from "./accounts-page.tsx";
import { accountName } from "./account-words.ts";
import { may } from "../session/context.ts";
import { Page } from "../layout/page.tsx";
import { invalidPage, missingPage } from "../layout/error-pages.tsx";

export const accountsPages = new Hono<AppEnv>()
  .get("/", operation("console_accounts"), async (c) => {
    const workspace = c.get("workspace");
    const query = AccountsQuery.safeParse(c.req.query());
    if (!query.success) {
      return invalidPage(c, `The address has no valid “${query.error.issues[0]?.path.join(".") ?? ""}”.`);
    }
    const { cursor, ...filter } = query.data;
    const list = ["console accounts", workspace.id, filter.sort, filter.state ?? "", filter.q];
    const after = readSortCursor(c, list, cursor);
    if (after instanceof Response) return invalidPage(c, "This page of the list is none of its pages any more.");
    const now = Date.now();
    const table = await timed(c, "databaseMs", () =>
      readAccountTable(c.env, workspace, {
        called: filter.q,
        state: filter.state,
        sort: filter.sort,
        after,
        limit: DEFAULT_PAGE_ROWS + 1,
        withIdentity: may(workspace, "identity"),
        now,
      }),
    );
    const { page, nextCursor } = pageOf(table.accounts, DEFAULT_PAGE_ROWS, list, ({ position }) => position);
    return c.html(
      <Page c={c} title="Accounts" tab="accounts">
        <AccountsPage
          {...{ workspace, filter, nextCursor, now }}
          table={{ ...table, accounts: page }}
          isFirst={after === null}
        />
      </Page>,
    );
  })
  .get("/:account", operation("console_account"), async (c) => {
    const workspace = c.get("workspace");
    const options = { now: Date.now(), withIdentity: may(workspace, "identity") };
    const id = readIdentifier(c.req.param("account"));
    const account =
      id.ok && id.value !== null
        ? await timed(c, "databaseMs", () => readAccountStory(c.env, workspace, id.value ?? "", options))
        : null;
    if (account === null) return missingPage(c, "This workspace has no such account.");
    return c.html(
      <Page c={c} title={accountName(account)} tab="accounts">
        <AccountPage {...{ workspace, account }} now={options.now} />
      </Page>,
    );
  });
