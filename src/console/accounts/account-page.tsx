/** The page of one account: what to do, its health, who uses which features, and its timeline. */
import type { FC } from "hono/jsx";

import { BAND_BOUNDS } from "../../core/health/band.ts";
import { dateOf, inFigures } from "../../core/health/texts.ts";
import { isoDate } from "../../services/present/iso.ts";
import { type AccountDetails, HISTORY_DAYS } from "../../db/accounts/account-details.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { Badge, Card, Heading, Moment, Notice } from "../components/elements.tsx";
import { accountName } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { takeBytes, truncate } from "../components/truncate.ts";
import { inboxPath } from "../inbox/inbox-filter.ts";
import { isSnoozed, itemTexts, toneOf } from "../inbox/item-labels.ts";
import { pathOf } from "../paths.ts";
import { AccountHealth } from "./account-health.tsx";
import { OwnerCard, type OwnerCardProps } from "./owner-card.tsx";
import { timelineOf } from "./account-timeline.ts";
import { AttributesCard, FeatureTable, UserTable } from "./account-usage.tsx";
import { STATES } from "./labels.ts";

interface AccountPageProps extends OwnerCardProps {
  account: AccountDetails;
}

export const AccountPage: FC<AccountPageProps> = ({ workspace, account, ...rest }) => {
  const { health, superseded } = account;
  const name = accountName(account);
  return (
    <>
      <Heading title={name} lead={<Lead {...{ account, name }} />}>
        {health !== null && <Badge tone={STATES[health.state].tone}>{STATES[health.state].name}</Badge>}
        <a class="button" href={pathOf(workspace, "accounts")}>
          All accounts
        </a>
      </Heading>
      {superseded && (
        <Notice tone="none">This user has joined another account. This account is no longer updated or scored.</Notice>
      )}
      <AccountItems {...{ workspace }} items={account.items} />
      {!superseded && <AccountHealth health={health} history={account.history} />}
      <AccountCharts name={truncate(name)} history={account.history} />
      <div class="grid">
        <UserTable users={account.users} />
        <div class="column">
          <OwnerCard {...{ workspace, account, ...rest }} />
          <FeatureTable features={account.features} />
          <AttributesCard attributes={account.attributes} traits={account.traits} />
          <Timeline account={account} />
        </div>
      </div>
    </>
  );
};

const Lead: FC<{ account: AccountDetails; name: string }> = ({ account, name }) => {
  const { externalId, kind, lastSeenAt, asOf } = account;
  return (
    <>
      {externalId !== null && externalId !== name && <>{externalId} · </>}
      {kind === "solo" ? "Personal account" : "Company"} ·{" "}
      {lastSeenAt === null ? (
        "no events yet"
      ) : (
        <>
          last active <Moment at={lastSeenAt} />
        </>
      )}
      {asOf !== null && (
        <>
          {" "}
          · health updated <Moment at={asOf} />
        </>
      )}
    </>
  );
};

const MAX_ITEMS_BYTES = 26_000;

/** The open inbox items. Dismissed and snoozed items are not to do; the timeline still contains them. */
const AccountItems: FC<{ workspace: OpenWorkspace; items: AccountDetails["items"] }> = ({ workspace, items }) => {
  const open = items
    .filter((item) => item.resolvedDay === null && item.dismissedAt === null && !isSnoozed(item))
    .toSorted((a, b) => b.rank - a.rank)
    .map((item) => {
      const { title, why, suggestedAction } = itemTexts(item);
      const { id, kind, severity, openedDay } = item;
      return (
        <li>
          <p class="cluster">
            <Badge tone={toneOf(kind, severity)}>{labelOf(severity)}</Badge>
            <strong>{title}</strong>
          </p>
          <p>{why}</p>
          <p>{suggestedAction}</p>
          <p class="note">
            Since {dateOf(openedDay)} ·{" "}
            <a href={inboxPath(workspace, { show: id })} aria-label={`View in inbox: ${title}`}>
              View in inbox
            </a>
          </p>
        </li>
      );
    });
  return (
    open.length > 0 && (
      <Card title="To do" id="items">
        <ul class="column">{takeBytes(open, MAX_ITEMS_BYTES)}</ul>
      </Card>
    )
  );
};

const { healthy, atRisk } = BAND_BOUNDS;

const SCORE_MARKS = [0, atRisk.below, healthy.from, 100];

/** Summarizes docs/health.md §11.12. */
const BANDS =
  `${STATES.healthy.name}: from a score of ${healthy.from} until it falls below ${healthy.leftBelow}. ` +
  `${STATES.at_risk.name}: below ${atRisk.below} until it reaches ${atRisk.leftAt}. ` +
  "A change must hold on three scored days within 14. A change for the worse applies at once while a cap applies, unless the cap is an estimate. Days are UTC.";

const HISTORY_COLUMNS: TableColumns<AccountDetails["history"][number]> = [
  { title: "Day", cell: ({ day }) => isoDate(day) },
  { title: "Health", cell: ({ state }) => STATES[state].name },
  { title: "Score", class: "num", cell: ({ score }) => (score === null ? "–" : inFigures(score)) },
  { title: "Users", class: "num", cell: ({ activeUsers }) => inFigures(activeUsers) },
];

const AccountCharts: FC<{ name: string; history: AccountDetails["history"] }> = ({ name, history }) =>
  history.length > 0 && (
    <Card title={`Last ${HISTORY_DAYS} days`} lead={BANDS}>
      <LineChart
        title="Score"
        name={`Score of ${name}`}
        points={history.map(({ day, score }) => ({ day, value: score }))}
        values={SCORE_MARKS}
      />
      <LineChart
        title="Active users per day"
        name={`Active users of ${name}`}
        points={history.map(({ day, activeUsers }) => ({ day, value: activeUsers }))}
      />
      <details>
        <summary>Show as table</summary>
        <Table
          caption="Score and active users by day, latest first"
          columns={HISTORY_COLUMNS}
          rows={history.toReversed()}
        />
      </details>
    </Card>
  );

const MAX_TIMELINE_BYTES = 10_000;

const Timeline: FC<{ account: AccountDetails }> = ({ account }) => (
  <Card title="Timeline">
    <ol class="stack timeline">
      {takeBytes(
        timelineOf(account).map(({ day, text, tone }) => (
          <li class={tone}>
            <time class="note" datetime={isoDate(day)}>
              {dateOf(day)}
            </time>
            <p>{text}</p>
          </li>
        )),
        MAX_TIMELINE_BYTES,
      )}
    </ol>
  </Card>
);
