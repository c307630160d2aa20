/** The page of one account: the figures, what to do, why, what changed, charts, users, features, events and its timeline. */
import type { FC } from "hono/jsx";

import type { Day } from "../../core/health/model.ts";
import { dateOf } from "../../core/health/texts.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import { isoDate } from "../../services/present/iso.ts";
import type { Range } from "../charts/range.tsx";
import { Badge, Card, Heading, Moment, Notice } from "../components/elements.tsx";
import { accountName } from "../components/format.ts";
import { takeBytes, truncate } from "../components/truncate.ts";
import { explainUserDays } from "../components/user-days.tsx";
import { pathOf } from "../paths.ts";
import { NewestEvents } from "../users/newest-events.tsx";
import { AccountChanges } from "./account-changes.tsx";
import { AccountCharts } from "./account-charts.tsx";
import { AccountHealth } from "./account-health.tsx";
import { AccountItems } from "./account-items.tsx";
import { AccountSummary } from "./account-summary.tsx";
import { timelineOf } from "./account-timeline.ts";
import { AttributesCard, FeatureTable, UserTable } from "./account-usage.tsx";
import { STATES } from "./labels.ts";
import type { OwnerFormProps } from "./owner-form.tsx";

interface AccountPageProps extends OwnerFormProps {
  account: AccountPageDetails;
  range: Range;
  today: Day;
  sinceError: string | undefined;
  /** The id of the item that the last action has changed. */
  changed: string | undefined;
}

export const AccountPage: FC<AccountPageProps> = (props) => {
  const { workspace, account, view, range, today, sinceError, changed, ...rest } = props;
  const { health, superseded } = account;
  const name = accountName(account);
  return (
    <div class="column" id="view">
      <p class="note print-only">{`${workspace.name} · ${dateOf(today)}`}</p>
      <Heading title={name} lead={<Lead {...{ account, name }} />}>
        {health !== null && <Badge tone={STATES[health.state].tone}>{STATES[health.state].name}</Badge>}
        <button class="no-print" type="button" data-print>
          Print
        </button>
        <a class="button no-print" href={pathOf(workspace, "accounts")}>
          All accounts
        </a>
      </Heading>
      {superseded && (
        <Notice tone="none">This user has joined another account. This account is no longer updated or scored.</Notice>
      )}
      <AccountSummary {...{ workspace, account, view, ...rest }} />
      <div class="grid">
        <div class="no-print">
          <AccountItems {...{ workspace, account, view, changed }} />
        </div>
        {!superseded && <AccountHealth health={health} history={account.history} />}
      </div>
      <AccountCharts {...{ workspace, account, view, range, today }} name={truncate(name)} />
      <div class={account.past === null ? "no-print" : undefined}>
        <AccountChanges {...{ workspace, account, view, range, today, sinceError }} />
      </div>
      <div class="grid">
        <div class="column">
          <UserTable {...{ workspace, account, view }} />
          <FeatureTable {...{ workspace }} features={account.features} />
          <Timeline account={account} />
        </div>
        <div class="column">
          <AttributesCard attributes={account.attributes} traits={account.traits} />
          <div class="no-print">
            <NewestEvents {...{ workspace }} events={account.events} hasUsers />
          </div>
        </div>
      </div>
    </div>
  );
};

const Lead: FC<{ account: AccountPageDetails; name: string }> = ({ account, name }) => {
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

const MAX_TIMELINE_BYTES = 8_000;

const Timeline: FC<{ account: AccountPageDetails }> = ({ account }) => (
  <Card title="Timeline">
    <ol class="stack timeline">
      {takeBytes(
        timelineOf(account).map(({ day, text, tone, isInternal }) => (
          <li class={isInternal ? `${tone} no-print` : tone}>
            <time class="note" datetime={isoDate(day)}>
              {dateOf(day)}
            </time>
            <p>{explainUserDays(text)}</p>
          </li>
        )),
        MAX_TIMELINE_BYTES,
      )}
    </ol>
  </Card>
);
