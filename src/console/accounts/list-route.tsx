/** The list of accounts, its views and its CSV. */
import { Hono } from "hono";
import * as z from "zod";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { line } from "../../edge/schemas/admin-requests.ts";
import { readAccountPages, readConsoleAccounts, readFilterTraits } from "../../db/accounts/console-accounts.ts";
import { accountPosition } from "../../db/accounts/list-accounts.ts";
import { markView, MAX_VIEWS } from "../../db/accounts/saved-views.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { ownerAsked } from "../forms/owner-form.ts";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireScope } from "../session/guards.ts";
import { AccountList } from "./account-list.tsx";
import { accountLines } from "./list-csv.ts";
import { accountsPath, parseView, readAccountsFilter, type ReadFilter, sortOf, viewQuery } from "./list-filter.ts";
import { MAX_VIEW_NAME_CHARACTERS } from "./saved-views.tsx";

/** The page of the list has all views. */
const MAX_QUERY_CHARACTERS = 300;
const viewName = line(MAX_VIEW_NAME_CHARACTERS);
const queryText = z.string().catch("");

export const accountListPages = new Hono<AppEnv>()
  .use("/", operation("console_accounts"))
  .get("/", (c) => listPage(c, readAccountsFilter({ ...c.req.query(), q: undefined })))
  // People search for names, and URLs are logged.
  .post("/", async (c) => listPage(c, readAccountsFilter(await readForm(c))))
  .get("/export.csv", operation("console_export_accounts"), (c) => exportList(c))
  .post("/views", operation("console_save_view"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const form = await readForm(c);
    const view = parseView(queryText.parse(form["query"]));
    const name = viewName.safeParse(form["name"]);
    if (!name.success) {
      const error = `“Name of the view” must have 1 to ${MAX_VIEW_NAME_CHARACTERS} characters, without line breaks.`;
      return listPage(c, view, error);
    }
    const query = viewQuery(view);
    if (query.length > MAX_QUERY_CHARACTERS) return listPage(c, view, "These are too many filters for a view.");
    if (await markView(c.env, workspace, name.data, query)) {
      return c.redirect(accountsPath(workspace, view), 303);
    }
    return listPage(c, view, `There are ${MAX_VIEWS} views already. Delete one first.`);
  })
  .post("/views/delete", operation("console_delete_view"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const name = viewName.safeParse((await readForm(c))["name"]);
    if (name.success) await markView(c.env, workspace, name.data, null);
    return c.redirect(pathOf(workspace, "accounts"), 303);
  });

/** @param error why a view was not saved */
async function listPage(c: AppContext, { cursor, ...filter }: ReadFilter, error?: string): Promise<Response> {
  const workspace = c.get("workspace");
  // Without a search, the address has the whole view, so that it can be shared.
  if (c.req.method === "POST" && filter.q === "" && error === undefined) {
    return c.redirect(accountsPath(workspace, filter), 303);
  }
  const list = ["console accounts", workspace.id, viewQuery(filter), filter.q];
  const after = readSortCursor(list, cursor) ?? null;
  const table = await readConsoleAccounts(c.env, workspace, {
    filter: { ...filter, owner: ownerAsked(workspace.user, filter.owner) },
    search: filter.q,
    ...sortOf(filter),
    after,
    limit: DEFAULT_PAGE_ROWS + 1,
    withIdentity: hasScope(workspace, "identity"),
    now: Date.now(),
  });
  const { page, nextCursor } = pageOf(table.accounts, DEFAULT_PAGE_ROWS, list, accountPosition);
  return c.html(
    <Page c={c} title="Accounts" tab="accounts">
      <AccountList
        {...{ workspace, filter, nextCursor, error }}
        table={{ ...table, accounts: page }}
        isFirstPage={after === null}
      />
    </Page>,
    error === undefined ? 200 : 400,
  );
}

async function exportList(c: AppContext): Promise<Response> {
  const workspace = c.get("workspace");
  const reader = { withIdentity: hasScope(workspace, "identity"), today: Math.floor(Date.now() / DAY_MS) };
  const asked = readAccountsFilter({ ...c.req.query(), q: undefined });
  const filter = { ...asked, owner: ownerAsked(workspace.user, asked.owner) };
  const traits = [...new Set([...(await readFilterTraits(c.env, workspace)), ...Object.keys(filter.traits)])];
  // A copy of the object has no session, so the primary reads each page: the person may have been erased meanwhile.
  const lines = accountLines(
    readAccountPages(c.env, { ...workspace }, filter, traits, reader),
    traits,
    reader.withIdentity,
  );
  c.header("Content-Disposition", 'attachment; filename="accounts.csv"');
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async pull(controller) {
      const { value } = await lines.next();
      if (value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return c.body(body, 200, { "Content-Type": "text/csv; charset=utf-8" });
}
