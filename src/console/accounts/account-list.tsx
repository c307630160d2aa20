/** The list of accounts, with its views, filters and orders. */
import type { FC } from "hono/jsx";

import { counted } from "../../core/health/texts.ts";
import { ratesOf } from "../../core/rates.ts";
import type { FoundAccounts } from "../../db/accounts/found-accounts.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { DocsLink, Empty, Heading, Moment, Notice, Pager } from "../components/elements.tsx";
import { formatMoney } from "../components/format.ts";
import { pathOf } from "../paths.ts";
import { SCORING_TIME } from "./labels.ts";
import { type AccountsFilter, accountsPath, isFiltered, sortOf, viewQuery } from "./list-filter.ts";
import { AccountFilters, type AccountListTable } from "./list-filters.tsx";
import { AccountTable } from "./list-table.tsx";
import { AccountTabs, ViewActions } from "./saved-views.tsx";

interface AccountListProps {
  workspace: OpenWorkspace;
  filter: AccountsFilter;
  /** With the accounts of one page. */
  table: AccountListTable;
  nextCursor: string | null;
  isFirstPage: boolean;
  /** Why a view was not saved. */
  error?: string | undefined;
}

export const AccountList: FC<AccountListProps> = ({ workspace, filter, table, nextCursor, isFirstPage, error }) => {
  const path = pathOf(workspace, "accounts");
  const { accounts, owners, views } = table;
  const isEmpty = accounts.length === 0;
  const hasAccounts = !isEmpty || isFiltered(filter) || !isFirstPage;
  const countsUsers = filter.seats !== undefined || sortOf(filter).sort === "users";
  return (
    <>
      <Heading title="Accounts" lead={<Lead table={table} />}>
        <DocsLink page="health" />
      </Heading>
      <div id="list" class="column">
        <div class="cluster split">
          <AccountTabs {...{ workspace, views }} query={viewQuery(filter)} />
          {hasAccounts && <ViewActions {...{ workspace, filter, views, error }} />}
        </div>
        {countsUsers && table.hasTooManyUsers && (
          <Notice tone="watch">
            Too many users are active in this workspace to sort by users or to filter by seat use. Choose another order
            or filter.
          </Notice>
        )}
        {table.findsTooManyUsers && (
          <Notice tone="watch">
            The names of too many users begin like this. Enter more of a name to find the accounts of all users.
          </Notice>
        )}
        <section class="card" aria-label="List of accounts">
          {hasAccounts && <AccountFilters {...{ workspace, path, filter, table }} />}
          {!hasAccounts && (
            <Empty title="No accounts yet">
              <p>An account appears here as soon as a message names it.</p>
              <p>
                <a href={pathOf(workspace, "start")}>Send the first event</a>
              </p>
            </Empty>
          )}
          {hasAccounts && isEmpty && (
            <Empty title="No matching accounts">
              <p>
                <a href={path}>Show all accounts</a>
              </p>
            </Empty>
          )}
          {!isEmpty && <Found {...{ workspace, filter }} found={table.found} />}
          {!isEmpty && <AccountTable {...{ workspace, filter, accounts, owners }} />}
        </section>
        {filter.q === "" ? (
          <Pager
            next={nextCursor === null ? null : accountsPath(workspace, filter, { cursor: nextCursor })}
            first={isFirstPage ? null : accountsPath(workspace, filter)}
          />
        ) : (
          <SearchPager {...{ nextCursor, isFirstPage }} />
        )}
      </div>
    </>
  );
};

const Lead: FC<{ table: AccountListTable }> = ({ table: { states, asOf } }) => {
  if (asOf === null) return <>No scores yet. {SCORING_TIME}</>;
  const scored = Object.values(states).reduce((sum, accounts) => sum + accounts, 0);
  return (
    <>
      Health of {counted(scored, "account")}, updated <Moment at={asOf} />
    </>
  );
};

type FoundProps = Pick<AccountListProps, "workspace" | "filter"> & { found: FoundAccounts };

const Found: FC<FoundProps> = ({ workspace, filter, found }) => {
  const { accounts, mrr, otherCurrencies } = found;
  const rates = ratesOf(workspace) ?? {};
  const worth = ({ amount, currency }: (typeof mrr)[number]) => amount * (rates[currency ?? ""] ?? 1);
  const amounts = mrr.toSorted((a, b) => worth(b) - worth(a)).map((each) => formatMoney(each.amount, each.currency));
  return (
    <p class="note">
      {counted(accounts, "account")}
      {amounts.length > 0 && ` · MRR${filter.stage === undefined ? " including churned" : ""} ${amounts.join(" + ")}`}
      {otherCurrencies > 0 && `, without ${counted(otherCurrencies, "account")} with other currencies`}
    </p>
  );
};

/** Pages of a search, which is never part of an address: the buttons send the form above the list. */
const SearchPager: FC<Pick<AccountListProps, "nextCursor" | "isFirstPage">> = ({ nextCursor, isFirstPage }) => (
  <nav class="cluster" aria-label="Pages">
    {!isFirstPage && (
      <button type="submit" form="search">
        ← First page
      </button>
    )}
    <span class="spring" />
    {nextCursor !== null && (
      <button type="submit" form="search" name="cursor" value={nextCursor}>
        Next page →
      </button>
    )}
  </nav>
);
