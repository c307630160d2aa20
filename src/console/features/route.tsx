/** The list of features, that is, of event names, and the page of one: who uses it, who stopped, and who never did. */
import { Hono } from "hono";
import type { Child, FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { counted, dateOf, inPercent } from "../../core/health/texts.ts";
import {
  type FeatureAccount,
  type FeatureAccounts,
  type FeatureDetails,
  listFeatures,
  MAX_LISTED,
  readFeature,
  RECENT_DAYS,
} from "../../db/features/feature-pages.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { Card, Empty, Heading, Stat } from "../components/elements.tsx";
import { accountName, formatMoney, formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { FeatureLink } from "./feature-link.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";

const MAX_LIST_BYTES = 60_000;
const MAX_ACCOUNTS_BYTES = 18_000;

const yesterday = (): Day => Math.floor(Date.now() / DAY_MS) - 1;

export const featurePages = new Hono<AppEnv>()
  .get("/", operation("console_features"), async (c) => {
    const workspace = c.get("workspace");
    const features = await listFeatures(c.env, workspace, yesterday());
    return c.html(
      <Page c={c} title="Features" tab="accounts">
        <FeatureList {...{ workspace, features }} />
      </Page>,
    );
  })
  .get("/:event", operation("console_feature"), async (c) => {
    const workspace = c.get("workspace");
    const withIdentity = hasScope(workspace, "identity");
    const feature = await readFeature(c.env, workspace, c.req.param("event"), { through: yesterday(), withIdentity });
    if (feature === null) return notFoundPage(c, "No event has this name.");
    return c.html(
      <Page c={c} title={truncate(feature.name)} tab="accounts" hasCharts>
        <FeaturePage {...{ workspace, feature }} />
      </Page>,
    );
  });

type ListedFeature = Awaited<ReturnType<typeof listFeatures>>[number];

const FeatureList: FC<{ workspace: OpenWorkspace; features: ListedFeature[] }> = ({ workspace, features }) => {
  const since = features[0]?.since ?? 0;
  const isCounted = since <= yesterday();
  const columns: TableColumns<ListedFeature> = [
    {
      title: "Event",
      cell: ({ number, name }) => <FeatureLink {...{ workspace, name, number }} />,
    },
    { title: "Accounts", class: "num", cell: ({ accounts }) => formatNumber(accounts ?? 0) },
    {
      title: "Adoption",
      class: "num",
      cell: ({ accounts, activeAccounts }) =>
        activeAccounts === 0 ? "–" : inPercent((accounts ?? 0) / activeAccounts),
    },
    { title: "Events", class: "num optional", cell: ({ events }) => formatNumber(events ?? 0) },
    { title: "Last used", class: "num", cell: ({ lastDay }) => (lastDay === null ? "–" : dateOf(lastDay)) },
  ];
  return (
    <>
      <Heading
        title="Features"
        lead={
          isCounted
            ? `Accounts that sent each event since ${dateOf(since)}. Adoption is their share of the active accounts.`
            : "More accounts are active on a day than this page can count. Open a feature for its accounts."
        }
      />
      <section class="card" aria-label="List of features">
        <Table
          caption="Features, most used first"
          columns={isCounted ? columns : columns.filter(({ title }) => title === "Event" || title === "Last used")}
          rows={features}
          empty={<Empty title="No features yet">Events appear here once they are processed.</Empty>}
          maxBytes={MAX_LIST_BYTES}
        />
      </section>
    </>
  );
};

const FeaturePage: FC<{ workspace: OpenWorkspace; feature: FeatureDetails }> = ({ workspace, feature }) => {
  const { name, firstDay, lastDay, from, weeks, using, stopped, never } = feature;
  const days = yesterday() - from + 1;
  const all = using.total + stopped.total + never.total;
  const list = (title: string, lead: string, accounts: FeatureAccounts, empty: string) => (
    <AccountsCard {...{ workspace, title, lead, accounts, empty }} />
  );
  return (
    <>
      <Heading
        title={truncate(name)}
        lead={
          <>
            {firstDay !== null && `First used on ${dateOf(firstDay)}`}
            {lastDay !== null && ` · last used on ${dateOf(lastDay)}`}
          </>
        }
      >
        <a class="button" href={pathOf(workspace, "features")}>
          All features
        </a>
      </Heading>
      <section class="card" aria-label="Summary">
        <dl class="stats">
          <Stat
            label="Use it"
            value={formatNumber(using.total)}
            note={all === 0 ? "" : `${inPercent(using.total / all)} of accounts`}
          />
          <Stat label="Stopped" value={formatNumber(stopped.total)} note={`not in ${RECENT_DAYS} days`} />
          <Stat label="Never used it" value={formatNumber(never.total)} note={`not in ${counted(days, "day")}`} />
        </dl>
        <p class="note">
          {days > 0
            ? `Complete days since ${dateOf(from)}. The more accounts are active, the fewer days this page can read.`
            : "More accounts are active than this page can read."}{" "}
          Churned accounts are left out.
        </p>
      </section>
      {weeks.length > 1 && (
        <Card title="Adoption over time">
          <LineChart title="Accounts per week" name={`Accounts that used ${truncate(name)} per week`} points={weeks} />
        </Card>
      )}
      <div class="grid">
        {list("Stopped", `Used it before, but not in the last ${RECENT_DAYS} days.`, stopped, "No account has stopped")}
        {list("Never used it", `No use in the last ${counted(days, "day")}.`, never, "All accounts use it")}
      </div>
      {list("Use it", `Used it in the last ${RECENT_DAYS} days.`, using, "No account uses it")}
    </>
  );
};

interface AccountsCardProps {
  workspace: OpenWorkspace;
  title: string;
  lead: Child;
  accounts: FeatureAccounts;
  empty: string;
}

const AccountsCard: FC<AccountsCardProps> = ({ workspace, title, lead, accounts, empty }) => {
  const columns: TableColumns<FeatureAccount> = [
    {
      title: "Account",
      cell: ({ id, externalId, company }) => (
        <a href={pathOf(workspace, "accounts", id)}>
          {truncate(accountName({ externalId, identity: company === null ? null : { company } }))}
        </a>
      ),
    },
    { title: "MRR", class: "num", cell: ({ mrr, currency }) => (mrr === null ? "–" : formatMoney(mrr, currency)) },
    { title: "Last used", class: "num", cell: ({ lastDay }) => (lastDay === null ? "–" : dateOf(lastDay)) },
  ];
  return (
    <Card title={title} lead={lead}>
      <Table
        caption={`${title}: accounts by MRR`}
        columns={columns.filter(
          ({ title: of }) => of !== "Last used" || accounts.first.some(({ lastDay }) => lastDay !== null),
        )}
        rows={accounts.first}
        empty={<Empty title={empty} />}
        maxBytes={MAX_ACCOUNTS_BYTES}
      />
      {accounts.total > MAX_LISTED && (
        <p class="note">
          The {MAX_LISTED} with the highest MRR of {formatNumber(accounts.total)}.
        </p>
      )}
    </Card>
  );
};
