/** The list of accounts, with its search, filters and orders. */
import type { FC } from "hono/jsx";
import * as z from "zod";

import { type Health, HEALTH_STATES } from "../../core/health/model.ts";
import { counted } from "../../core/health/texts.ts";
import { ownerName } from "../../edge/schemas/owner.ts";
import { ACTIVE_DAYS, type ConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import { CONSOLE_SORTS, type ConsoleSort } from "../../db/accounts/list-accounts.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Sparkline } from "../charts/line-chart.tsx";
import { Badge, Empty, Heading, Moment, orNone, Pager } from "../components/elements.tsx";
import { accountName, formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { Field, MAX_OWNER_CHARACTERS, Select } from "../forms/fields.tsx";
import { pathOf, withQuery } from "../paths.ts";
import { formatAttribute, formatPoints, scoreNote, SCORING_TIME, STATES } from "./labels.ts";

const MAX_SEARCH_CHARACTERS = 200;
const SHOWN_OWNER_CHARACTERS = 40;

/** Ignores what is invalid. Forms send an empty string for a state that isn't selected. */
export const accountListFilter = z.object({
  q: z.string().trim().max(MAX_SEARCH_CHARACTERS).catch(""),
  state: z.enum(HEALTH_STATES).optional().catch(undefined),
  owner: ownerName.optional().catch(undefined),
  sort: z.enum(CONSOLE_SORTS).catch("score"),
  cursor: z.string().optional().catch(undefined),
});

type AccountsFilter = Omit<z.infer<typeof accountListFilter>, "cursor">;

type ConsoleAccount = ConsoleAccounts["accounts"][number];

const SORTS: Readonly<Record<ConsoleSort, string>> = {
  score: "Lowest score",
  trend: "Largest score drop",
  mrrByCurrency: "Highest MRR, by currency",
  lastSeen: "Last active",
  externalId: "Id, A to Z",
};

interface AccountListProps {
  workspace: OpenWorkspace;
  filter: AccountsFilter;
  /** With the accounts of one page. */
  table: ConsoleAccounts;
  nextCursor: string | null;
  isFirstPage: boolean;
}

/** The address of a page of the list, without its search. */
export const accountsPath = (
  workspace: { id: string },
  { state, owner, sort }: Partial<AccountsFilter>,
  cursor?: string,
): string => withQuery(pathOf(workspace, "accounts"), { state, owner, sort, cursor }, { sort: "score" });

export const AccountList: FC<AccountListProps> = ({ workspace, filter, table, nextCursor, isFirstPage }) => {
  const path = pathOf(workspace, "accounts");
  const isFiltered = filter.q !== "" || filter.state !== undefined || filter.owner !== undefined;
  const isEmpty = table.accounts.length === 0;
  const hasAccounts = !isEmpty || isFiltered || !isFirstPage;
  return (
    <>
      <Heading title="Accounts" lead={<Lead table={table} />} />
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
          <Table
            caption={`Accounts: ${SORTS[filter.sort]}`}
            class="accounts narrow"
            columns={columnsOf(workspace)}
            rows={table.accounts}
          />
        )}
      </section>
      {filter.q === "" ? (
        <Pager
          next={nextCursor === null ? null : accountsPath(workspace, filter, nextCursor)}
          first={isFirstPage ? null : accountsPath(workspace, filter)}
        />
      ) : (
        <SearchPager {...{ nextCursor, isFirstPage }} />
      )}
    </>
  );
};

const Lead: FC<{ table: ConsoleAccounts }> = ({ table: { states, asOf } }) => {
  if (asOf === null) return <>No scores yet. {SCORING_TIME}</>;
  const scored = Object.values(states).reduce((sum, accounts) => sum + accounts, 0);
  return (
    <>
      Health of {counted(scored, "account")}, updated <Moment at={asOf} />
    </>
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

type FilterProps = { path: string; filter: AccountsFilter } & Pick<ConsoleAccounts, "states">;

const Filter: FC<FilterProps> = ({ path, filter, states }) => (
  <form id="search" class="row" method="post" action={path}>
    <Field
      label="Search"
      name="q"
      type="search"
      value={filter.q}
      maxlength={MAX_SEARCH_CHARACTERS}
      placeholder="Name or id"
      grow
    />
    <Select
      label="Health"
      name="state"
      selected={filter.state}
      options={[
        ["", "All"],
        ...HEALTH_STATES.map(
          (state) => [state, `${STATES[state].name} (${formatNumber(states[state] ?? 0)})`] as const,
        ),
      ]}
    />
    <Field label="Owner" name="owner" maxlength={MAX_OWNER_CHARACTERS} placeholder="anyone" value={filter.owner} />
    <Select label="Sort by" name="sort" selected={filter.sort} options={Object.entries(SORTS)} />
    <button type="submit">Apply</button>
  </form>
);

const columnsOf = (workspace: OpenWorkspace): TableColumns<ConsoleAccount> => [
  { title: "Account", cell: (account) => <NameCell {...{ workspace, account }} /> },
  { title: "Health", cell: ({ health }) => <HealthCell health={health} /> },
  {
    title: "30 days",
    class: "optional",
    cell: (account) => (
      <>
        <Sparkline
          name={`Score of ${shortName(account)}`}
          points={account.scores}
          tone={account.health === null ? "none" : STATES[account.health.state].tone}
        />
        {account.health?.trend != null && Math.abs(account.health.trend) >= 1 && (
          <span class="change note">
            {formatPoints(Math.round(account.health.trend))}
            <span class="visually-hidden"> points in 7 days</span>
          </span>
        )}
      </>
    ),
  },
  {
    title: "MRR",
    class: "num",
    cell: ({ attributes }) => orNone(attributes["mrr"] === undefined ? null : formatAttribute("mrr", attributes)),
  },
  {
    title: <abbr title={`Users active in the last ${ACTIVE_DAYS} days`}>Users</abbr>,
    class: "num optional",
    cell: ({ activeUsers }) => formatNumber(activeUsers),
  },
  {
    title: "To do",
    class: "num optional",
    cell: (account) =>
      orNone(
        account.openItems === 0 ? null : (
          <a
            href={`${pathOf(workspace, "accounts", account.id)}#items`}
            aria-label={`${counted(account.openItems, "open item")} of ${shortName(account)}`}
          >
            {account.openItems}
          </a>
        ),
      ),
  },
  { title: "Last active", class: "num", cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
];

const shortName = (account: ConsoleAccount): string => truncate(accountName(account));

const NameCell: FC<{ workspace: OpenWorkspace; account: ConsoleAccount }> = ({ workspace, account }) => {
  const name = shortName(account);
  const externalId = account.externalId === null ? name : truncate(account.externalId);
  return (
    <>
      <a href={pathOf(workspace, "accounts", account.id)}>{name}</a>
      {externalId !== name && <span class="under">{externalId}</span>}
      {account.owner !== null && (
        <span class="under">
          Owner:{" "}
          <a href={accountsPath(workspace, { owner: account.owner })}>
            {truncate(account.owner, SHOWN_OWNER_CHARACTERS)}
          </a>
        </span>
      )}
      {account.kind === "solo" && <span class="under">Personal account</span>}
    </>
  );
};

const HealthCell: FC<{ health: Health | null }> = ({ health }) => {
  const note = scoreNote(health);
  const { name, tone } = health === null ? { name: "No score yet", tone: "none" as const } : STATES[health.state];
  return (
    <>
      {health !== null && health.score !== null && <span class="score">{Math.round(health.score)}</span>}
      <Badge tone={tone}>{name}</Badge>
      {note !== null && <span class="under">{note}</span>}
    </>
  );
};
