/** The page of one account: what to do, its health, who uses which features, and its timeline. */
import type { FC } from "hono/jsx";

import { dateOf } from "../../core/health/texts.ts";
import { isoDate } from "../../edge/present/iso.ts";
import type { AccountStory } from "../../services/accounts.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Badge, Card, Heading, Moment, Notice } from "../components/elements.tsx";
import { accountName } from "../components/names.ts";
import { takeBytes } from "../components/take-bytes.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";
import { AccountAttributes } from "./account-attributes.tsx";
import { AccountCharts } from "./account-charts.tsx";
import { AccountHealth } from "./account-health.tsx";
import { AccountItems } from "./account-items.tsx";
import { timelineOf } from "./account-timeline.ts";
import { FeatureTable, UserTable } from "./account-usage.tsx";
import { STATES } from "./health-labels.ts";

interface AccountViewProps {
  workspace: OpenWorkspace;
  account: AccountStory;
  now: number;
}

export const AccountView: FC<AccountViewProps> = ({ workspace, account, now }) => {
  const { health, superseded } = account;
  const name = accountName(account);
  return (
    <>
      <Heading title={name} lead={<Lead {...{ account, name, now }} />}>
        {health !== null && <Badge tone={STATES[health.state].tone}>{STATES[health.state].name}</Badge>}
        <a class="button" href={pathOf(workspace, "accounts")}>
          All accounts
        </a>
      </Heading>
      {superseded && (
        <Notice tone="none">This user has joined another account. This account is no longer updated or scored.</Notice>
      )}
      <AccountItems {...{ workspace, account, now }} />
      {!superseded && <AccountHealth health={health} weekBefore={account.weekBefore} />}
      <AccountCharts name={truncate(name)} history={account.history} />
      <div class="grid">
        <UserTable users={account.users} now={now} />
        <div>
          <FeatureTable features={account.features} now={now} />
          <AccountAttributes attributes={account.attributes} traits={account.traits} />
          <Timeline account={account} />
        </div>
      </div>
    </>
  );
};

const Lead: FC<{ account: AccountStory; name: string; now: number }> = ({ account, name, now }) => {
  const { externalId, kind, lastSeenAt, asOf } = account;
  return (
    <>
      {externalId !== null && externalId !== name && <>{externalId} · </>}
      {kind === "solo" ? "Personal account" : "Company"} ·{" "}
      {lastSeenAt === null ? (
        "no events yet"
      ) : (
        <>
          last active <Moment at={lastSeenAt} now={now} />
        </>
      )}
      {asOf !== null && (
        <>
          {" "}
          · health updated <Moment at={asOf} now={now} />
        </>
      )}
    </>
  );
};

const MAX_TIMELINE_BYTES = 10_000;

const Timeline: FC<{ account: AccountStory }> = ({ account }) => (
  <Card title="Timeline">
    <ol class="account-timeline">
      {takeBytes(
        timelineOf(account).map(({ day, text, tone }) => (
          <li class={tone}>
            <time datetime={isoDate(day)}>{dateOf(day)}</time>
            <p>{text}</p>
          </li>
        )),
        MAX_TIMELINE_BYTES,
      )}
    </ol>
  </Card>
);
