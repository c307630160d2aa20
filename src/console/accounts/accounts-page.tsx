/** The accounts of a workspace as a table to look over. */
import type { FC } from "hono/jsx";

import { HEALTH_STATES } from "../../core/health/model.ts";
import type { AccountSort } from "../../services/accounts.ts";
import { ACTIVE_DAYS, type AccountTable } from "../../services/accounts.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { amount, Empty, Heading, Moment, Notice, Pager } from "../components/elements.tsx";
import { AccountRow } from "./account-row.tsx";
import { type AccountsFilter, hrefOf } from "./accounts-filter.ts";
import { STATES } from "./health-words.ts";

const SORTS: Readonly<Record<AccountSort, string>> = {
  score: "Lowest score first",
  trend: "Steepest fall first",
  mrr: "Highest MRR first",
  lastSeen: "Latest seen first",
  externalId: "Id, from A to Z",
};

interface AccountsPageProps {
  workspace: OpenWorkspace;
  filter: AccountsFilter;
  /** With the accounts of the page alone. */
  table: AccountTable;
  nextCursor: string | null;
  /** Whether it is the first page of the list. */
  isFirst: boolean;
  now: number;
}

export const AccountsPage: FC<AccountsPageProps> = (props) => {
  const { workspace, filter, table, nextCursor, isFirst, now } = props;
  const path = pathOf(workspace, "accounts");
  const isAll = filter.q === "" && filter.state === undefined;
  const hasNone = table.accounts.length === 0 && isAll && isFirst;
  return (
    <>
      <Heading title="Accounts" lead={<Lead {...{ table, now }} />} />
      {!hasNone && <Filter {...{ path, filter }} states={table.states} />}
      {table.moreNames && (
        <Notice tone="watch">
          More begins with “{filter.q}” than is looked through. Type more of the name to find all of it.
        </Notice>
      )}
      <section class="card" aria-label="List of accounts">
        {hasNone ? (
          <Empty title="No account yet">
            <p>An account appears here as soon as a message names it.</p>
            <p>
              <a href={pathOf(workspace, "start")}>Send the first event</a>
            </p>
          </Empty>
        ) : table.accounts.length === 0 ? (
          <Empty title="No account is like that">
            <p>
              <a href={path}>Show all accounts</a>
            </p>
          </Empty>
        ) : (
          <div class="table-scroll">
            <table class="accounts">
              <caption class="visually-hidden">Accounts: {SORTS[filter.sort]}</caption>
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col">Health</th>
                  <th scope="col" class="lesser">
                    30 days
                  </th>
                  <th scope="col" class="num">
                    MRR
                  </th>
                  <th scope="col" class="num lesser">
                    <abbr title={`Users with an event in the last ${ACTIVE_DAYS} days`}>Active</abbr>
                  </th>
                  <th scope="col" class="num lesser">
                    To do
                  </th>
                  <th scope="col" class="num">
                    Seen
                  </th>
                </tr>
              </thead>
              <tbody>
                {table.accounts.map((account) => (
                  <AccountRow {...{ workspace, account, now }} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      <Pager
        next={nextCursor === null ? null : hrefOf(path, filter, nextCursor)}
        first={isFirst ? null : hrefOf(path, filter)}
      />
    </>
  );
};

const Lead: FC<{ table: AccountTable; now: number }> = ({ table: { states, asOf }, now }) => {
  if (asOf === null) return <>Nothing was judged yet. The first recompute comes within minutes.</>;
  const judged = Object.values(states).reduce((sum, accounts) => sum + accounts, 0);
  return (
    <>
      {amount(judged)} {judged === 1 ? "account" : "accounts"} judged, as of <Moment at={asOf} now={now} />
    </>
  );
};

const Filter: FC<{ path: string; filter: AccountsFilter; states: AccountTable["states"] }> = (props) => {
  const { path, filter, states } = props;
  return (
    <form class="row accounts-filter" method="get" action={path}>
      <div class="grow">
        <label for="q">Begins with</label>
        <input id="q" name="q" type="search" value={filter.q} maxlength={200} placeholder="Name or id" />
      </div>
      <div>
        <label for="state">Health</label>
        <select id="state" name="state">
          <option value="">All</option>
          {HEALTH_STATES.map((state) => (
            <option value={state} selected={state === filter.state}>
              {STATES[state].name} ({amount(states[state] ?? 0)})
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="sort">Order</label>
        <select id="sort" name="sort">
          {Object.entries(SORTS).map(([sort, words]) => (
            <option value={sort} selected={sort === filter.sort}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">Show</button>
    </form>
  );
};
