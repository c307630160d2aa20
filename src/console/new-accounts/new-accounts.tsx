/** New accounts: what they have reached, and which of them are stuck. */
import type { FC } from "hono/jsx";

import { readStage } from "../../core/health/attributes.ts";
import {
  daysStuck,
  type FirstDays,
  type FirstStep,
  firstSteps,
  isMissing,
  isReached,
  STEPS,
} from "../../core/health/first-steps.ts";
import type { Day } from "../../core/health/model.ts";
import { counted, momentDate } from "../../core/health/texts.ts";
import { DAY_MS } from "../../core/durations.ts";
import { NEW_DAYS, type NewAccount } from "../../db/accounts/new-accounts.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { STAGE_NAMES } from "../accounts/labels.ts";
import { AccountTabs } from "../accounts/saved-views.tsx";
import { Badge, Empty, Heading, Moment, orNone, Pager } from "../components/elements.tsx";
import { accountName, atLeast } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { pathOf, withQuery } from "../paths.ts";

type Show = "all" | "stuck";

interface NewAccountsProps {
  workspace: OpenWorkspace;
  show: Show;
  today: Day;
  /** The number of the workspace's core features. */
  coreFeatures: number;
  accounts: readonly NewAccount[];
  nextCursor: string | null;
  isFirstPage: boolean;
}

interface Row {
  account: NewAccount;
  stage: FirstDays["stage"];
  steps: FirstStep[];
  stuckFor: number | null;
}

export const NewAccounts: FC<NewAccountsProps> = (props) => {
  const { workspace, show, accounts, nextCursor, isFirstPage } = props;
  const path = pathOf(workspace, "accounts", "new");
  const pathTo = (fields: { show: Show; cursor?: string }) => withQuery(path, fields, { show: "all" });
  const all = accounts.map((account) => rowOf(account, props));
  const isAll = isFirstPage && nextCursor === null;
  const rows = show === "stuck" ? all.filter(({ stuckFor }) => stuckFor !== null) : all;
  return (
    <>
      <Heading
        title="New accounts"
        lead={`Accounts first seen in the last ${NEW_DAYS} days, the newest first, and what they have reached. Today’s events count tomorrow.`}
      />
      <AccountTabs {...{ workspace }} query={null} />
      <section class="card" aria-label="List of new accounts">
        <nav class="segments" aria-label="Show">
          {(["all", "stuck"] as const).map((each) => (
            <a href={pathTo({ show: each })} aria-current={each === show ? "page" : undefined}>
              {each === "all" ? "All" : "Stuck"}
            </a>
          ))}
        </nav>
        {show === "stuck" && all.length > 0 && <p class="note">{describeShown(all, rows.length, isAll)}</p>}
        {rows.length === 0 ? (
          <Empty title={show === "all" ? "No new accounts" : `No stuck accounts${isAll ? "" : " on this page"}`}>
            <p>An account is stuck when it has not reached everything and nothing new has happened for two weeks.</p>
          </Empty>
        ) : (
          <Table caption="New accounts" class="accounts new-accounts" columns={columnsOf(workspace)} rows={rows} />
        )}
      </section>
      <Pager
        next={nextCursor === null ? null : pathTo({ show, cursor: nextCursor })}
        first={isFirstPage ? null : pathTo({ show })}
      />
    </>
  );
};

function rowOf(account: NewAccount, { today, coreFeatures }: NewAccountsProps): Row {
  const { stage: word, seats } = account.attributes;
  const { stage } = readStage(word === undefined ? undefined : String(word));
  const days: FirstDays = {
    ...account,
    stage,
    seats: seats === undefined ? null : Number(seats),
    firstDay: Math.floor(account.firstSeenAt / DAY_MS),
    coreFeatures,
  };
  return { account, stage, steps: firstSteps(days, today), stuckFor: daysStuck(days, today) };
}

/** A page reads so many accounts, whether they are stuck or not. To count all that are would read the days of each. */
function describeShown(all: readonly Row[], stuck: number, isAll: boolean): string {
  const [newest, oldest] = [all[0], all.at(-1)].map((row) => momentDate(row?.account.firstSeenAt ?? 0));
  const counts = `${stuck} of ${counted(all.length, "account")}${isAll ? "" : " on this page"}`;
  return `${counts}. They were first seen from ${oldest} to ${newest}.`;
}

const STEP_NAMES: Readonly<Record<(typeof STEPS)[number], string>> = {
  first_event: "First event",
  second_user: "Second user",
  core_features: "Core features",
  seats: "Seats used",
};

const columnsOf = (workspace: OpenWorkspace): TableColumns<Row> => [
  {
    title: "Account",
    cell: ({ account, stage }) => (
      <>
        <a href={pathOf(workspace, "accounts", account.id)}>{truncate(accountName(account))}</a>
        <span class="under">{account.kind === "solo" ? "Personal account" : STAGE_NAMES[stage]}</span>
      </>
    ),
  },
  {
    title: "Stuck",
    cell: ({ steps, stuckFor }) =>
      orNone(
        stuckFor && (
          <>
            <Badge tone="watch">{counted(stuckFor, "day")}</Badge>
            <span class="under">{whyStuck(steps)}</span>
          </>
        ),
      ),
  },
  { title: "First seen", class: "num", cell: ({ account }) => <Moment at={account.firstSeenAt} /> },
  ...STEPS.map((step) => ({
    title: STEP_NAMES[step],
    cell: ({ account, steps }: Row) => {
      const found = steps.find((each) => each.step === step);
      return orNone(found && <StepCell step={found} account={account} />);
    },
  })),
];

const StepCell: FC<{ step: FirstStep; account: NewAccount }> = ({ step, account }) => {
  const { observed, expected, day } = step;
  const isDone = isReached(step);
  const firstDay = Math.floor(account.firstSeenAt / DAY_MS);
  const texts: Record<FirstStep["step"], string> = {
    first_event: isDone ? "Yes" : "No",
    second_user: isDone ? "Yes" : "No",
    core_features: `${Math.min(observed, expected)} of ${expected}`,
    seats: `${atLeast(observed, account.hasMoreUsers)} of ${account.attributes["seats"]}`,
  };
  return (
    <>
      <Badge tone={isDone ? "good" : "none"}>{texts[step.step]}</Badge>
      {day !== null && <span class="under">on day {day - firstDay + 1}</span>}
      {step.step === "seats" && !isDone && <span class="under">{expected} expected</span>}
    </>
  );
};

/** Names the first step that is missing. */
function whyStuck(steps: readonly FirstStep[]): string {
  const missing = steps.find(isMissing);
  if (missing === undefined) return "";
  const { step, observed, expected } = missing;
  switch (step) {
    case "first_event":
      return "No event has arrived.";
    case "second_user":
      return observed === 0 ? "No event names a user." : "Only one user has come.";
    case "core_features":
      return observed === 0
        ? "No core feature has been used."
        : `Only ${counted(observed, "core feature")} used; ${expected} are usual.`;
    case "seats":
      return `${counted(observed, "active user")}; ${expected} are expected by now.`;
  }
}
