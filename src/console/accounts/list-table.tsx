/** The table of the account list. Its titles sort it. */
import type { FC } from "hono/jsx";

import { pendingBand } from "../../core/health/band.ts";
import type { Health } from "../../core/health/model.ts";
import { counted, STATE_NAMES } from "../../core/health/texts.ts";
import { ACTIVE_DAYS } from "../../db/accounts/account-conditions.ts";
import type { ConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import type { ConsoleSort } from "../../db/accounts/console-orders.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Sparkline } from "../charts/line-chart.tsx";
import { Badge, Moment, orNone } from "../components/elements.tsx";
import { accountName, atLeast, formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import type { Owner } from "../owner-ids.ts";
import { pathOf } from "../paths.ts";
import { describeDaysLeft, formatAttribute, formatPoints, scoreNote, STATES } from "./labels.ts";
import { type AccountsFilter, accountsPath, sortOf } from "./list-filter.ts";
import { IN_PLACE, SORT_NAMES } from "./list-filters.tsx";

/** A row has the name up to three times, and a page 50 rows. */
const NAME_CHARACTERS = 60;
const LABEL_CHARACTERS = 30;
const SHOWN_OWNER_CHARACTERS = 30;
/** Names of up to 32 bytes. */
const MAX_LINKED_OWNER_CHARACTERS = 80;

type ConsoleAccount = ConsoleAccounts["accounts"][number];

/** The orders whose first value is the largest. */
const DESCENDING: ReadonlySet<ConsoleSort> = new Set(["mrr", "users", "lastSeen"]);

interface AccountTableProps {
  workspace: OpenWorkspace;
  filter: AccountsFilter;
  accounts: readonly ConsoleAccount[];
  owners: readonly Owner[];
}

export const AccountTable: FC<AccountTableProps> = ({ workspace, filter, accounts, owners }) => {
  const { sort, isReversed } = sortOf(filter);
  return (
    <Table
      caption={`Accounts: ${SORT_NAMES[sort]}${isReversed ? ", reversed" : ""}`}
      class="accounts narrow"
      columns={columnsOf(workspace, filter, owners)}
      rows={accounts}
    />
  );
};

function columnsOf(
  workspace: OpenWorkspace,
  filter: AccountsFilter,
  owners: readonly Owner[],
): TableColumns<ConsoleAccount> {
  const present = sortOf(filter);
  const now = Date.now();
  const sortedBy = (sort: ConsoleSort, title: string, meaning?: string) => {
    const isPresent = present.sort === sort;
    const descends = DESCENDING.has(sort) !== present.isReversed;
    const sorted = descends ? ("descending" as const) : ("ascending" as const);
    return {
      title: (
        <SortLink
          {...{ workspace, filter, title, meaning }}
          sort={isPresent && !present.isReversed ? `-${sort}` : sort}
        />
      ),
      sorted: isPresent ? sorted : ("none" as const),
    };
  };
  return [
    { ...sortedBy("name", "Account"), cell: (account) => <NameCell {...{ workspace, account }} /> },
    { ...sortedBy("score", "Health"), cell: ({ health }) => <HealthCell health={health} /> },
    {
      ...sortedBy("trend", "Score, 30 days", "The score over the last 30 days, and its change in 7 days, which sorts"),
      class: "optional",
      cell: (account) => <TrendCell account={account} />,
    },
    {
      ...sortedBy("mrr", "MRR"),
      class: "num",
      cell: ({ attributes }) => orNone(attributes["mrr"] === undefined ? null : formatAttribute("mrr", attributes)),
    },
    {
      ...sortedBy("users", "Users", `Users active in the last ${ACTIVE_DAYS} days, of the seats`),
      class: "num optional",
      cell: ({ activeUsers, hasMoreUsers, attributes: { seats } }) =>
        atLeast(activeUsers, hasMoreUsers) + (seats === undefined ? "" : ` / ${formatNumber(Number(seats))}`),
    },
    {
      ...sortedBy("renewal", "Renewal"),
      class: "num optional",
      cell: ({ attributes }) =>
        orNone(
          attributes["contractEndsAt"] === undefined ? null : (
            <span title={describeDaysLeft(attributes["contractEndsAt"], now)}>
              {formatAttribute("contractEndsAt", attributes)}
            </span>
          ),
        ),
    },
    {
      title: "Owner",
      class: "optional",
      cell: ({ owner }) => orNone(owner && <OwnerLink {...{ workspace, owner, owners }} />),
    },
    { title: "To do", class: "num optional", cell: (account) => <ItemsCell {...{ workspace, account }} /> },
    { ...sortedBy("lastSeen", "Last active"), class: "num", cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  ];
}

type SortLinkProps = Omit<AccountTableProps, "accounts" | "owners"> & {
  title: string;
  meaning: string | undefined;
  sort: AccountsFilter["sort"];
};

/** A search is never part of an address, so its order is sent with the form. */
const SortLink: FC<SortLinkProps> = ({ workspace, filter, title, meaning, sort }) => {
  const id = `sort-${sort.replace("-", "")}`;
  return filter.q === "" ? (
    <a class="sort" id={id} title={meaning} href={accountsPath(workspace, { ...filter, sort })} {...IN_PLACE}>
      {title}
    </a>
  ) : (
    <button class="sort" id={id} title={meaning} type="submit" form="search" name="sort" value={sort}>
      {title}
    </button>
  );
};

type OwnerLinkProps = Pick<AccountTableProps, "workspace" | "owners"> & { owner: string };

const OwnerLink: FC<OwnerLinkProps> = ({ workspace, owner, owners }) => {
  const text = truncate(owner, SHOWN_OWNER_CHARACTERS);
  const id = owners.find(({ name }) => name === owner)?.id;
  if (id === undefined || id.length > MAX_LINKED_OWNER_CHARACTERS) return <>{text}</>;
  return <a href={accountsPath(workspace, { owner: id })}>{text}</a>;
};

const shortName = (account: ConsoleAccount): string => truncate(accountName(account), LABEL_CHARACTERS);

const NameCell: FC<{ workspace: OpenWorkspace; account: ConsoleAccount }> = ({ workspace, account }) => {
  const { externalId } = account;
  const name = truncate(accountName(account), NAME_CHARACTERS);
  const shownId = externalId === null ? name : truncate(externalId, NAME_CHARACTERS);
  return (
    <>
      <a href={pathOf(workspace, "accounts", account.id)}>{name}</a>
      {shownId !== name && (
        <span class="under">
          {shownId}
          {/* A page has room for short ids only. */}
          {shownId === externalId && (
            <button class="copy quiet" type="button" data-copy={externalId} data-label="Copy id" hidden>
              Copy id
            </button>
          )}
        </span>
      )}
      {account.kind === "solo" && <span class="under">Personal account</span>}
    </>
  );
};

const HealthCell: FC<{ health: Health | null }> = ({ health }) => {
  const note = scoreNote(health);
  const pending = health && pendingBand(health);
  const { name, tone } = health === null ? { name: "No score yet", tone: "none" as const } : STATES[health.state];
  return (
    <>
      {health !== null && health.score !== null && <span class="score">{Math.round(health.score)}</span>}
      <Badge tone={tone}>{name}</Badge>
      {pending !== null && (
        <span class="under" title="The score already points there. The state changes when three days in a row do.">
          {STATE_NAMES[pending].toLowerCase()} pending
        </span>
      )}
      {note !== null && <span class="under">{note}</span>}
    </>
  );
};

const TrendCell: FC<{ account: ConsoleAccount }> = ({ account }) => {
  const { health, scores } = account;
  return (
    <>
      <Sparkline
        name={`Score of ${shortName(account)}`}
        points={scores}
        tone={health === null ? "none" : STATES[health.state].tone}
      />
      {health?.trend != null && Math.abs(health.trend) >= 1 && (
        <span class="change note">
          {formatPoints(Math.round(health.trend))}
          <span class="visually-hidden"> points in 7 days</span>
        </span>
      )}
    </>
  );
};

const ItemsCell: FC<{ workspace: OpenWorkspace; account: ConsoleAccount }> = ({ workspace, account }) =>
  orNone(
    account.openItems === 0 ? null : (
      <a
        href={`${pathOf(workspace, "accounts", account.id)}#items`}
        aria-label={`${counted(account.openItems, "open item")} of ${shortName(account)}`}
      >
        {account.openItems}
      </a>
    ),
  );
