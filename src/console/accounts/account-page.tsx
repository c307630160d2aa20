/** One account: how it is, why, who uses it for what, and what has happened to it. */
import type { FC } from "hono/jsx";

import { counted, dateOf } from "../../core/health/texts.ts";
import type { AccountStory } from "../../services/accounts.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { isoDate } from "../../edge/present/iso.ts";
import { pathOf } from "../session/context.ts";
import { fitting } from "../components/take-bytes.ts";
import { Badge, Card, Empty, Heading, Moment, Notice } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { AccountCharts } from "./account-charts.tsx";
import { AccountFacts } from "./account-facts.tsx";
import { AccountHealth } from "./account-health.tsx";
import { AccountItems } from "./account-items.tsx";
import { timelineOf } from "./account-timeline.ts";
import { FeaturesInUse, UsersSeen } from "./account-use.tsx";
import { accountName } from "./account-words.ts";
import { STATES } from "./health-words.ts";

interface AccountPageProps {
  workspace: OpenWorkspace;
  account: AccountStory;
  now: number;
}

export const AccountPage: FC<AccountPageProps> = ({ workspace, account, now }) => {
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
        <Notice tone="none">
          Its user has gone over to another account. This one is kept as it was, and not judged.
        </Notice>
      )}
      <AccountItems {...{ workspace, now }} items={account.items} />
      {!superseded && <AccountHealth health={health} />}
      <AccountCharts name={shortened(name)} history={account.history} />
      <div class="grid">
        <UsersSeen users={account.users} now={now} />
        <div>
          <FeaturesInUse features={account.features} now={now} />
          <AccountFacts attributes={account.attributes} traits={account.traits} />
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
      {kind === "solo" ? "An account of one person" : "A company"} ·{" "}
      {lastSeenAt === null ? (
        "no event yet"
      ) : (
        <>
          last seen <Moment at={lastSeenAt} now={now} />
        </>
      )}
      {asOf !== null && (
        <>
          {" "}
          · as of <Moment at={asOf} now={now} />
        </>
      )}
    </>
  );
};

const MAX_TIMELINE_BYTES = 10_000;

const Timeline: FC<{ account: AccountStory }> = ({ account }) => {
  const happened = timelineOf(account);
  return (
    <Card title="What has happened">
      {happened.length === 0 ? (
        <Empty title="Nothing yet" />
      ) : (
        <ol class="account-timeline" aria-label={counted(happened.length, "happening")}>
          {fitting(
            happened.map(({ day, text, tone }) => (
              <li class={tone}>
                <time datetime={isoDate(day)}>{dateOf(day)}</time>
                <p>{text}</p>
              </li>
            )),
            MAX_TIMELINE_BYTES,
          )}
        </ol>
      )}
    </Card>
  );
};
