/** The list of accounts, with its search, filters and orders. */
import type { FC } from "hono/jsx";

import { HEALTH_STATES } from "../../core/health/model.ts";
import { counted } from "../../core/health/texts.ts";
import { ACTIVE_DAYS, type AccountTable, type TableSort } from "../../services/accounts.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Empty, Heading, Moment, Pager, Table } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { pathOf } from "../session/context.ts";
import { AccountRow } from "./account-row.tsx";
import { type AccountsFilter, hrefOf } from "./accounts-filter.ts";
import { STATES } from "./health-labels.ts";

const SORTS: Readonly<Record<TableSort, string>> = {
  score: "Lowest score",
  trend: "Largest score drop",
  mrrByCurrency: "Highest MRR, by currency",
  lastSeen: "Last active",
  externalId: "Id, A to Z",
};

const COLUMNS = [
  "Account",
  "Health",
  { title: "30 days", class: "optional" },
  { title: "MRR", class: "num" },
  { title: <abbr title={`Users active in the last ${ACTIVE_DAYS} days`}>Users</abbr>, class: "num optional" },
  { title: "To do", class: "num optional" },
  { title: "Last active", class: "num" },
] as const;

interface AccountsViewProps {
  workspace: OpenWorkspace;
  filter: AccountsFilter;
  /** With the accounts of one page. */
  table: AccountTable;
  nextCursor: string | null;
  isFirstPage: boolean;
  now: number;
}

export const AccountsView: FC<AccountsViewProps> = ({ workspace, filter, table, nextCursor, isFirstPage, now }) => {
  const path = pathOf(workspace, "accounts");
  const isFiltered = filter.q !== "" || filter.state !== undefined;
  const isEmpty = table.accounts.length === 0;
  const hasAccounts = !isEmpty || isFiltered || !isFirstPage;
  return (
    <>
      <Heading title="Accounts" lead={<Lead {...{ table, now }} />} />
      {hasAccounts && <Filter {...{ path, filter }} states={table.states} />}
      <section class="card" aria-label="List of accounts">
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
        {!isEmpty && (
          <Table caption={`Accounts: ${SORTS[filter.sort]}`} columns={COLUMNS} class="accounts">
            {table.accounts.map((account) => (
              <AccountRow {...{ workspace, account, now }} />
            ))}
          </Table>
        )}
      </section>
      <Pager
        next={nextCursor === null ? null : hrefOf(path, filter, nextCursor)}
        first={isFirstPage ? null : hrefOf(path, filter)}
      />
    </>
  );
};

const Lead: FC<{ table: AccountTable; now: number }> = ({ table: { states, asOf }, now }) => {
  if (asOf === null) return <>No scores yet. The first update runs within minutes.</>;
  const scored = Object.values(states).reduce((sum, accounts) => sum + accounts, 0);
  return (
    <>
      Health of {counted(scored, "account")}, updated <Moment at={asOf} now={now} />
    </>
  );
};

const Filter: FC<{ path: string; filter: AccountsFilter; states: AccountTable["states"] }> = (props) => {
  const { path, filter, states } = props;
  return (
    <form class="row accounts-filter" method="get" action={path}>
      <div class="grow">
        <label for="q">Search</label>
        <input id="q" name="q" type="search" value={filter.q} maxlength={200} placeholder="Name or id" />
      </div>
      <div>
        <label for="state">Health</label>
        <select id="state" name="state">
          <option value="">All</option>
          {HEALTH_STATES.map((state) => (
            <option value={state} selected={state === filter.state}>
              {STATES[state].name} ({formatNumber(states[state] ?? 0)})
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="sort">Sort by</label>
        <select id="sort" name="sort">
          {Object.entries(SORTS).map(([sort, label]) => (
            <option value={sort} selected={sort === filter.sort}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">Apply</button>
    </form>
  );
};
