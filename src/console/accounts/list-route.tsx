/** The list of accounts, its views and its CSV. */
import { Hono } from "hono";
import * as z from "zod";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { line } from "../../edge/schemas/admin-requests.ts";
import { NOBODY } from "../../db/accounts/account-conditions.ts";
import { readAccountPages, readConsoleAccounts, readFilterTraits } from "../../db/accounts/console-accounts.ts";
import { findAccounts } from "../../db/accounts/find-accounts.ts";
import { accountPosition } from "../../db/accounts/list-accounts.ts";
import { markView, MAX_VIEWS } from "../../db/accounts/saved-views.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { MINE, ownerAsked } from "../forms/owner-form.ts";
import { readForm } from "../forms/read-form.ts";
import { type OwnerIds, ownerIds, withChosen } from "../owner-ids.ts";
import { Page } from "../layout/page.tsx";
import { PaletteHits } from "../layout/palette.tsx";
import { pathOf } from "../paths.ts";
import { requireScope } from "../session/guards.ts";
import { AccountList } from "./account-list.tsx";
import { accountLines } from "./list-csv.ts";
import {
  type AccountsFilter,
  accountsPath,
  parseView,
  readAccountsFilter,
  type ReadFilter,
  sortOf,
  viewQuery,
} from "./list-filter.ts";
import { MAX_VIEW_NAME_CHARACTERS } from "./saved-views.tsx";

/** The page of the list has all views. */
const MAX_QUERY_CHARACTERS = 300;
/** One letter begins too many names. */
const MIN_FIND_CHARACTERS = 2;
const viewName = line(MAX_VIEW_NAME_CHARACTERS);
const queryText = z.string().catch("");

export const accountListPages = new Hono<AppEnv>()
  .use("/", operation("console_accounts"))
  .get("/", (c) => listPage(c, readAccountsFilter({ ...c.req.query(), q: undefined })))
  // People search for names, and URLs are logged.
  .post("/", async (c) => {
    const form = await readForm(c);
    const filter = readAccountsFilter(form);
    // The palette opens what it finds, if that is one account.
    const [only, ...others] = form["opens"] === "only" ? await found(c, filter.q) : [];
    if (only === undefined || others.length > 0) return listPage(c, filter);
    return c.redirect(pathOf(c.get("workspace"), "accounts", only.id), 303);
  })
  .post("/find", operation("console_find_accounts"), async (c) => {
    const workspace = c.get("workspace");
    const { q } = readAccountsFilter(await readForm(c));
    const isSought = q.length >= MIN_FIND_CHARACTERS;
    const accounts = await found(c, q);
    return c.html(<PaletteHits {...{ workspace, accounts, isSought }} />);
  })
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
    const { filter, named } = await resolveOwner(await ownerIds(c), view);
    const query = viewQuery(named);
    if (query.length > MAX_QUERY_CHARACTERS) return listPage(c, view, "These are too many filters for a view.");
    switch (await markView(c.env, workspace, name.data, query)) {
      case "done":
        return c.redirect(accountsPath(workspace, filter), 303);
      case "name_taken":
        return listPage(
          c,
          view,
          "“Name of the view” is the name of another view. Choose another, or delete that view first.",
        );
      case "full":
        return listPage(c, view, `There are ${MAX_VIEWS} views already. Delete one first.`);
    }
  })
  .post("/views/delete", operation("console_delete_view"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const name = viewName.safeParse((await readForm(c))["name"]);
    if (name.success) await markView(c.env, workspace, name.data, null);
    return c.redirect(pathOf(workspace, "accounts"), 303);
  });

const found = async (c: AppContext, q: string) => {
  const workspace = c.get("workspace");
  return q.length < MIN_FIND_CHARACTERS ? [] : findAccounts(c.env, workspace, q, hasScope(workspace, "identity"));
};

/** @param error why a view was not saved */
async function listPage(c: AppContext, { cursor, ...asked }: ReadFilter, error?: string): Promise<Response> {
  const workspace = c.get("workspace");
  const ids = await ownerIds(c);
  const { filter, named, owner } = await resolveOwner(ids, asked);
  // Without a search, the address has the whole view, so that it can be shared.
  if (c.req.method === "POST" && filter.q === "" && error === undefined) {
    return c.redirect(accountsPath(workspace, filter), 303);
  }
  const list = ["console accounts", workspace.id, viewQuery(filter), filter.q];
  const after = readSortCursor(list, cursor) ?? null;
  const table = await readConsoleAccounts(c.env, workspace, {
    filter: { ...named, owner: ownerAsked(workspace.user, named.owner) },
    search: filter.q,
    ...sortOf(filter),
    after,
    limit: DEFAULT_PAGE_ROWS + 1,
    withIdentity: hasScope(workspace, "identity"),
    now: Date.now(),
  });
  const owners = withChosen(await Promise.all(table.owners.map(ids.of)), owner);
  const views = await Promise.all(
    table.views.map(async ({ name, query }) => ({ name, query: await shownQuery(ids, query) })),
  );
  const { page, nextCursor } = pageOf(table.accounts, DEFAULT_PAGE_ROWS, list, accountPosition);
  return c.html(
    <Page c={c} title="Accounts" tab="accounts">
      <AccountList
        {...{ workspace, filter, nextCursor, error }}
        table={{ ...table, accounts: page, owners, views }}
        isFirstPage={after === null}
      />
    </Page>,
    error === undefined ? 200 : 400,
  );
}

/**
 * Reads the owner that an address names by an id. An unknown id is ignored, as every invalid filter is.
 * @returns the conditions, with the owner's name; the filter, with the id
 */
async function resolveOwner<F extends Partial<AccountsFilter>>(ids: OwnerIds, asked: F) {
  if (asked.owner === NOBODY || asked.owner === MINE) return { filter: asked, named: asked };
  const owner = await ids.find(asked.owner);
  return { filter: { ...asked, owner: owner?.id }, named: { ...asked, owner: owner?.name }, owner };
}

/** The query of a stored view, with the owner's id. */
async function shownQuery(ids: OwnerIds, query: string): Promise<string> {
  const view = parseView(query);
  const isNamed = view.owner !== undefined && view.owner !== NOBODY && view.owner !== MINE;
  return viewQuery(isNamed ? { ...view, owner: (await ids.of(view.owner ?? "")).id } : view);
}

async function exportList(c: AppContext): Promise<Response> {
  const workspace = c.get("workspace");
  const reader = { withIdentity: hasScope(workspace, "identity"), today: Math.floor(Date.now() / DAY_MS) };
  const asked = readAccountsFilter({ ...c.req.query(), q: undefined });
  const { named } = await resolveOwner(await ownerIds(c), asked);
  const filter = { ...named, owner: ownerAsked(workspace.user, named.owner) };
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
