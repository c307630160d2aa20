/** The tabs of the account list: all accounts, new ones, and the views that people have saved. */
import type { FC } from "hono/jsx";

import type { ConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { FormError } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { Field } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";
import { type AccountsFilter, accountsPath, viewQuery } from "./list-filter.ts";
import { IN_PLACE } from "./list-filters.tsx";

export const MAX_VIEW_NAME_CHARACTERS = 60;
const SHOWN_CHARACTERS = 40;

interface AccountTabsProps {
  workspace: OpenWorkspace;
  /** The present query of the list; `null` on the page of new accounts. */
  query: string | null;
  views?: ConsoleAccounts["views"];
}

export const AccountTabs: FC<AccountTabsProps> = ({ workspace, query, views = [] }) => {
  const path = pathOf(workspace, "accounts");
  return (
    <nav class="segments" aria-label="Views" {...(query !== null && IN_PLACE)}>
      <a href={path} aria-current={query === "" ? "page" : undefined}>
        All accounts
      </a>
      <a href={`${path}/new`} hx-boost="false" aria-current={query === null ? "page" : undefined}>
        New accounts
      </a>
      {views.map((view) => (
        <a href={`${path}?${view.query}`} aria-current={query === view.query ? "page" : undefined}>
          {truncate(view.name, SHOWN_CHARACTERS)}
        </a>
      ))}
    </nav>
  );
};

interface ViewActionsProps {
  workspace: OpenWorkspace;
  filter: AccountsFilter;
  views: ConsoleAccounts["views"];
  /** Why a view was not saved. */
  error?: string | undefined;
}

/** Saves the filters as a view, deletes the present view, and exports the list. A search is no part of a view. */
export const ViewActions: FC<ViewActionsProps> = ({ workspace, filter, views, error }) => {
  const query = viewQuery(filter);
  const present = views.find((view) => view.query === query);
  const canChange = hasScope(workspace, "inbox");
  const path = pathOf(workspace, "accounts", "views");
  return (
    <div class="cluster view-actions">
      {canChange && present !== undefined && (
        <form method="post" action={`${path}/delete`} {...IN_PLACE}>
          <input type="hidden" name="name" value={present.name} />
          <button type="submit">Delete view</button>
        </form>
      )}
      {canChange && present === undefined && query !== "" && (
        <details open={error !== undefined}>
          <summary class="button">Save view</summary>
          <form class="row" method="post" action={path} {...IN_PLACE}>
            <FormError error={error} />
            <input type="hidden" name="query" value={query} />
            <Field
              label="Name of the view"
              name="name"
              required
              maxlength={MAX_VIEW_NAME_CHARACTERS}
              pattern=".*\S.*"
            />
            <button type="submit">Save</button>
          </form>
        </details>
      )}
      {filter.q === "" && (
        <a class="button" href={accountsPath(workspace, filter, { page: ["export.csv"] })} download>
          Export CSV
        </a>
      )}
    </div>
  );
};
