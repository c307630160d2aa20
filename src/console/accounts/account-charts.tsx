/** The account over time: score, active users, MRR, seats and the use of one feature. */
import type { FC } from "hono/jsx";

import { BAND_BOUNDS } from "../../core/health/band.ts";
import type { Day } from "../../core/health/model.ts";
import { dateOf, inFigures } from "../../core/health/texts.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { IN_PLACE, type Range, rangeDates, RangeNav } from "../charts/range.tsx";
import { Card, Empty } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { itemTexts } from "../inbox/item-labels.ts";
import { type AccountView, viewPath } from "./account-view.ts";
import { STATES } from "./labels.ts";

const AVERAGE_DAYS = 7;
const MAX_TABLE_BYTES = 12_000;
const MAX_MARKS = 20;
const MAX_OPTION_CHARACTERS = 60;

const { healthy, atRisk } = BAND_BOUNDS;

const SCORE_MARKS = [0, atRisk.below, healthy.from, 100];

/** Summarizes docs/health.md §11.12. */
const BANDS =
  `${STATES.healthy.name}: from a score of ${healthy.from} until it falls below ${healthy.leftBelow}. ` +
  `${STATES.at_risk.name}: below ${atRisk.below} until it reaches ${atRisk.leftAt}. ` +
  "A change must hold on three scored days within 14. A change for the worse applies at once while a cap applies, unless the cap is an estimate. Days are UTC.";

type HistoryDay = AccountPageDetails["history"][number];

const HISTORY_COLUMNS: TableColumns<HistoryDay> = [
  { title: "Day", cell: ({ day }) => dateOf(day) },
  { title: "Health", cell: ({ state }) => STATES[state].name },
  { title: "Score", class: "num", cell: ({ score }) => (score === null ? "–" : inFigures(score)) },
  { title: "Users", class: "num", cell: ({ activeUsers }) => inFigures(activeUsers) },
];

interface ChartsProps {
  workspace: OpenWorkspace;
  account: AccountPageDetails;
  name: string;
  view: AccountView;
  range: Range;
  today: Day;
}

export const AccountCharts: FC<ChartsProps> = ({ workspace, account, name, view, range, today }) => {
  const { history, feature } = account;
  const shown = history.filter(({ day }) => day >= range.from && day <= range.to);
  const first = Math.max(range.from, Math.min(...history.map(({ day }) => day)));
  const days = Array.from({ length: Math.max(0, range.to - first + 1) }, (_, index) => first + index);
  const byDay = new Map(history.map((one) => [one.day, one]));
  const series = (value: (day: Day) => number | null | undefined) =>
    days.map((day) => ({ day, value: value(day) ?? null }));
  const users = (day: Day) => byDay.get(day)?.activeUsers ?? null;
  const counts = new Map(feature?.days.map(({ day, count }) => [day, count]));
  const marks = account.items
    .slice(0, MAX_MARKS)
    .map((item) => ({ day: item.openedDay, text: `Opened: ${itemTexts(item).title}` }));
  const common = { bands: bandsOf(shown), marks };
  return (
    history.length > 0 && (
      <Card title="Over time" lead={rangeDates(range)} id="charts">
        <RangeNav
          {...{ range, today }}
          firstDay={account.firstDay}
          hrefOf={(to) => viewPath(workspace, account.id, { ...view, range: to, since: undefined })}
        />
        {shown.length === 0 && <Empty title="No scores in this period" />}
        <LineChart
          {...common}
          title="Score"
          name={`Score of ${name}`}
          points={series((day) => byDay.get(day)?.score)}
          values={SCORE_MARKS}
        />
        <LineChart
          {...common}
          title="Active users"
          name={`Active users of ${name}`}
          points={series(users)}
          average={{ name: `${AVERAGE_DAYS}-day average`, points: series((day) => averageAt(day, users)) }}
        />
        <div class="grid">
          <LineChart title="MRR" name={`MRR of ${name}`} points={series(attributeOn(account.changes, "mrr"))} />
          <LineChart title="Seats" name={`Seats of ${name}`} points={series(attributeOn(account.changes, "seats"))} />
        </div>
        <FeatureChoice {...{ workspace, account, view }} />
        {feature !== null && (
          <LineChart
            title={`Events: ${truncate(feature.name, MAX_OPTION_CHARACTERS)}`}
            name={`${truncate(feature.name)} by ${name}`}
            points={series((day) => (counts.has(day) ? counts.get(day) : 0))}
          />
        )}
        <details class="no-print">
          <summary>Show as table</summary>
          <Table
            caption="Score and active users by day, latest first"
            columns={HISTORY_COLUMNS}
            rows={shown.toReversed()}
            maxBytes={MAX_TABLE_BYTES}
            whereAll="Choose a quarter to see its days."
          />
        </details>
        <p class="note">{BANDS}</p>
      </Card>
    )
  );
};

const FeatureChoice: FC<Pick<ChartsProps, "workspace" | "account" | "view">> = ({ workspace, account, view }) => {
  const names = [...new Set([...(account.feature === null ? [] : [account.feature.name]), ...featureNames(account)])];
  return (
    names.length > 1 && (
      <form class="cluster no-print" method="get" action={viewPath(workspace, account.id, {})} {...IN_PLACE}>
        <input type="hidden" name="range" value={view.range} />
        {view.since !== undefined && <input type="hidden" name="since" value={view.since} />}
        <label class="cluster">
          <span>Feature</span>
          <select name="feature" id="feature">
            {names.map((name) => (
              <option value={name} selected={name === account.feature?.name}>
                {truncate(name, MAX_OPTION_CHARACTERS)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Show</button>
      </form>
    )
  );
};

const MAX_OPTIONS_BYTES = 6_000;
/** Names that senders made very long would fill the page twice. */
function featureNames({ features }: AccountPageDetails): string[] {
  let left = MAX_OPTIONS_BYTES;
  return features.map(({ name }) => name).filter((name) => (left -= 2 * encodeURIComponent(name).length) > 0);
}

/** The mean of the days up to this one; `null` without a full week of them. */
function averageAt(day: Day, valueOn: (day: Day) => number | null): number | null {
  const values = Array.from({ length: AVERAGE_DAYS }, (_, back) => valueOn(day - back));
  const known = values.flatMap((value) => value ?? []);
  return known.length < AVERAGE_DAYS ? null : Math.round((10 * known.reduce((a, b) => a + b, 0)) / AVERAGE_DAYS) / 10;
}

/** Returns the attribute's value at the end of any day: `null` while it is unknown. */
export function attributeOn(changes: AccountPageDetails["changes"], name: "mrr" | "seats") {
  const steps = changes.flatMap(([day, values]) => (values[name] === undefined ? [] : [{ day, value: values[name] }]));
  return (on: Day): number | null => steps.findLast(({ day }) => day <= on)?.value ?? null;
}

/** Joins consecutive days of the same state, if it has a color. */
function bandsOf(history: readonly HistoryDay[]) {
  const bands: { from: Day; to: Day; state: HistoryDay["state"] }[] = [];
  for (const { day, state } of history) {
    const open = bands.at(-1);
    if (open?.state === state && open.to === day - 1) open.to = day;
    else bands.push({ from: day, to: day, state });
  }
  return bands.map(({ from, to, state }) => ({ from, to, ...STATES[state] }));
}
