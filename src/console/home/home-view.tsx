/** Money, renewals, changes and first items of a workspace. */
import { sum } from "d3-array";
import type { Child, FC } from "hono/jsx";

import { counted, momentDate } from "../../core/health/texts.ts";
import { type Home, RENEWAL_DAYS } from "../../db/home/read-home.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { describeDaysLeft, SCORING_TIME, STATES } from "../accounts/labels.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Badge, Card, Empty, Heading, Moment, orNone, Stat } from "../components/elements.tsx";
import { accountName, formatMoney, formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { ownName } from "../../edge/actor-name.ts";
import { MINE } from "../forms/owner-form.ts";
import { inboxPath } from "../inbox/inbox-filter.ts";
import { itemTexts, toneOf } from "../inbox/item-labels.ts";
import { pathOf } from "../paths.ts";

interface HomeProps {
  workspace: OpenWorkspace;
  home: Home;
}

/** Events that arrive every few hours at least show that a sender works. */
const QUIET_MS = 24 * 3_600_000;

export const HomeView: FC<HomeProps> = ({ workspace, home }) => (
  <>
    <Heading title="Home" lead={<Tracking {...{ workspace, home }} />} />
    <section class="card" aria-label="Money">
      <dl class="stats">
        <Money {...{ home }} label="MRR" amount="mrr" accounts="accounts" />
        <Money {...{ home }} label="MRR at risk" amount="atRisk" accounts="accountsAtRisk" />
        <Money {...{ home }} label={`Renewals in ${RENEWAL_DAYS} days`} amount="renewing" accounts="renewals" />
        <Stat
          label="Since yesterday"
          value={`${formatNumber(home.changes.opened)} opened`}
          note={`${formatNumber(home.changes.resolved)} resolved`}
        />
      </dl>
    </section>
    <div class="grid">
      <Card title="First today">
        {home.items.length === 0 ? (
          <Empty title="No open items">{home.asOf === null && SCORING_TIME}</Empty>
        ) : (
          <>
            <Items {...{ workspace }} items={home.items} />
            <p>
              <a href={pathOf(workspace, "inbox")}>All open items</a>{" "}
              {ownName(workspace.user) !== null && <a href={inboxPath(workspace, { owner: MINE })}>Mine</a>}
            </p>
          </>
        )}
      </Card>
      <Card title="New since yesterday">
        {home.opened.length === 0 ? <Empty title="Nothing new" /> : <Items {...{ workspace }} items={home.opened} />}
      </Card>
    </div>
    <Card title="Next renewals">
      <Table
        caption="Contracts that end next"
        class="narrow"
        columns={renewalColumns(workspace)}
        rows={home.renewals}
        empty={
          <Empty title={`No contract ends in the next ${RENEWAL_DAYS} days`}>
            Send <code>contractEndsAt</code> with messages that name an account to see renewals here.
          </Empty>
        }
      />
    </Card>
  </>
);

type Amount = "mrr" | "atRisk" | "renewing";
type Accounts = "accounts" | "accountsAtRisk" | "renewals";

/** Amounts of each currency, and the accounts that they are of. */
const Money: FC<{ home: Home; label: string; amount: Amount; accounts: Accounts }> = ({
  home: { money },
  label,
  amount,
  accounts,
}) => {
  const amounts = money.filter((each) => each[amount] > 0).map((each) => formatMoney(each[amount], each.currency));
  return (
    <Stat
      label={label}
      value={amounts.length === 0 ? "–" : <Lines lines={amounts} />}
      note={counted(
        sum(money, (each) => each[accounts]),
        "account",
      )}
    />
  );
};

const Lines: FC<{ lines: readonly string[] }> = ({ lines }) => (
  <>
    {lines.map((line): Child => (
      <span class="line-of">{line}</span>
    ))}
  </>
);

const Tracking: FC<HomeProps> = ({ workspace, home: { receivedAt, asOf, rejected } }) => (
  <>
    {receivedAt === null ? (
      "No recent event."
    ) : (
      <>
        {Date.now() - receivedAt > QUIET_MS
          ? "No event for a day: the last one arrived "
          : "Events arrive: the last one "}
        <Moment at={receivedAt} />.
      </>
    )}{" "}
    {rejected > 0 && (
      <>
        <a href={pathOf(workspace, "live")}>{counted(rejected, "message")} rejected</a> in a day.{" "}
      </>
    )}
    {asOf !== null && (
      <>
        Scores are updated <Moment at={asOf} />.
      </>
    )}
  </>
);

const Items: FC<{ workspace: OpenWorkspace; items: readonly StoredItem[] }> = ({ workspace, items }) => (
  <ul class="stack">
    {items.map((item) => (
      <li class="item-row">
        <Badge tone={toneOf(item.kind, item.severity)}>{labelOf(item.severity)}</Badge>
        <a href={inboxPath(workspace, { show: item.id })}>{itemTexts(item).title}</a>
      </li>
    ))}
  </ul>
);

const renewalColumns = (workspace: OpenWorkspace): TableColumns<Home["renewals"][number]> => [
  {
    title: "Account",
    cell: ({ account, identity }) =>
      account !== null && (
        <a href={pathOf(workspace, "accounts", account.id)}>{truncate(accountName({ ...account, identity }))}</a>
      ),
  },
  {
    title: "Health",
    cell: ({ state }) => orNone(state === null ? null : <Badge tone={STATES[state].tone}>{STATES[state].name}</Badge>),
  },
  { title: "MRR", class: "num", cell: ({ mrr, currency }) => orNone(mrr === null ? null : formatMoney(mrr, currency)) },
  {
    title: "Contract ends",
    class: "num",
    cell: ({ contractEndsAt }) => (
      <>
        {momentDate(Date.parse(contractEndsAt))}{" "}
        <span class="note">{describeDaysLeft(contractEndsAt, Date.now())}</span>
      </>
    ),
  },
];
