/** The page of one user: who they are, and what they do. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { dateOf } from "../../core/health/texts.ts";
import type { Day } from "../../core/health/model.ts";
import { EVENT_DAYS } from "../../db/accounts/account-details.ts";
import { readUserPage, type UserPageDetails } from "../../db/users/user-page.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { FeatureTable, TraitList } from "../accounts/account-usage.tsx";
import { formatTrait } from "../accounts/labels.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { type Range, rangeDates, RangeNav, rangeOf } from "../charts/range.tsx";
import { Badge, Card, Empty, Heading, Moment, Stat } from "../components/elements.tsx";
import { accountName, userName } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf, withQuery } from "../paths.ts";
import { NewestEvents } from "./newest-events.tsx";

export const userPages = new Hono<AppEnv>().get("/:user", operation("console_user"), async (c) => {
  const workspace = c.get("workspace");
  const now = Date.now();
  const today = Math.floor(now / DAY_MS);
  const range = rangeOf(c.req.query("range") ?? "", today);
  const user = await readUserPage(c.env, workspace, c.req.param("user"), {
    now,
    withIdentity: hasScope(workspace, "identity"),
    from: Math.min(range.from, today - 2 * EVENT_DAYS),
  });
  if (user === null) return notFoundPage(c, "This user does not exist.");
  return c.html(
    <Page c={c} title={userName(user)} tab="accounts" hasCharts>
      <UserPage {...{ workspace, user, range, today }} />
    </Page>,
  );
});

interface UserPageProps {
  workspace: OpenWorkspace;
  user: UserPageDetails;
  range: Range;
  today: Day;
}

const UserPage: FC<UserPageProps> = ({ workspace, user, range, today }) => {
  const name = userName(user);
  const { externalId, identity, traits, days, accounts } = user;
  const facts = [
    externalId === name ? null : externalId,
    traits["role"] === undefined ? null : formatTrait(traits["role"]),
    identity?.email === name ? null : identity?.email,
  ].flatMap((fact) => (fact == null ? [] : [truncate(fact)]));
  const activeSince = (first: Day) => days.filter(({ day }) => day >= first).length;
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const length = range.to - range.from + 1;
  const points = Array.from({ length }, (_, index) => range.from + index).map((day) => ({
    day,
    value: counts.get(day) ?? 0,
  }));
  return (
    <div class="column" id="view">
      <Heading title={truncate(name)} lead={facts.length === 0 ? "User" : facts.join(" · ")} />
      <section class="card" aria-label="Summary">
        <dl class="stats">
          <Stat
            label="Active days"
            value={activeSince(today - EVENT_DAYS + 1)}
            note={`in the last ${EVENT_DAYS} days`}
          />
          <Stat
            label="Active days"
            value={days.filter(({ day }) => day >= range.from && day <= range.to).length}
            note={rangeDates(range)}
          />
          <Stat label="Last active" value={<Moment at={lastUse(user)} />} />
          <Stat label="Known since" value={dateOf(firstDayOf(user))} />
        </dl>
      </section>
      <Card title="Events over time" lead={rangeDates(range)}>
        <RangeNav
          {...{ range, today }}
          firstDay={firstDayOf(user)}
          hrefOf={(to) => withQuery(pathOf(workspace, "users", user.id), { range: to }, { range: "90" })}
        />
        {points.some(({ value }) => value > 0) ? (
          <LineChart title="Events" name={`Events of ${truncate(name)}`} points={points} />
        ) : (
          <Empty title="No events in this period" />
        )}
      </Card>
      <div class="grid">
        <div class="column">
          <Card title="Accounts">
            <Table
              caption="Accounts of the user, the latest first"
              columns={accountColumns(workspace)}
              rows={accounts}
              empty={<Empty title="No account" />}
              maxBytes={MAX_ACCOUNTS_BYTES}
            />
          </Card>
          <FeatureTable {...{ workspace }} features={user.features} />
        </div>
        <div class="column">
          <NewestEvents {...{ workspace }} events={user.events} />
          {typedKeys(traits).length > 0 && (
            <Card title="Attributes">
              <dl class="details">
                <TraitList traits={traits} />
              </dl>
            </Card>
          )}
        </div>
      </div>
    </div>
  );
};

const MAX_ACCOUNTS_BYTES = 8_000;

const lastUse = ({ features }: UserPageDetails): number | null =>
  features.length === 0 ? null : Math.max(...features.map(({ lastAt }) => lastAt));

const firstDayOf = ({ createdAt, accounts }: UserPageDetails): Day =>
  Math.min(Math.floor(createdAt / DAY_MS), ...accounts.flatMap(({ firstDay }) => firstDay ?? []));

const accountColumns = (workspace: OpenWorkspace): TableColumns<UserPageDetails["accounts"][number]> => [
  {
    title: "Account",
    cell: (account) => (
      <>
        <a href={pathOf(workspace, "accounts", account.id)}>{truncate(accountName(account))}</a>{" "}
        {account.isCurrent && <Badge tone="none">current</Badge>}
      </>
    ),
  },
  { title: "First active", class: "num", cell: ({ firstDay }) => (firstDay === null ? "–" : dateOf(firstDay)) },
  { title: "Last active", class: "num", cell: ({ lastDay }) => (lastDay === null ? "–" : dateOf(lastDay)) },
];
