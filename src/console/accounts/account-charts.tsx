/** The account's score and active users by day. */
import type { FC } from "hono/jsx";

import { BAND_BOUNDS } from "../../core/health/band.ts";
import { inFigures } from "../../core/health/texts.ts";
import { isoDate } from "../../edge/present/iso.ts";
import { type AccountDetails, HISTORY_DAYS } from "../../services/accounts.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { Card } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { STATES } from "./labels.ts";

const { healthy, atRisk } = BAND_BOUNDS;

const SCORE_MARKS = [0, atRisk.below, healthy.from, 100];

/** Summarizes docs/health.md §11.12. */
const BANDS =
  `${STATES.healthy.name}: from a score of ${healthy.from} until it falls below ${healthy.leftBelow}. ` +
  `${STATES.at_risk.name}: below ${atRisk.below} until it reaches ${atRisk.leftAt}. ` +
  "A change must hold on three scored days within 14. A change for the worse applies at once while a cap applies. Days are UTC.";

const COLUMNS: TableColumns<AccountDetails["history"][number]> = [
  { title: "Day", cell: ({ day }) => isoDate(day) },
  { title: "Health", cell: ({ state }) => STATES[state].name },
  { title: "Score", class: "num", cell: ({ score }) => (score === null ? "–" : inFigures(score)) },
  { title: "Users", class: "num", cell: ({ activeUsers }) => inFigures(activeUsers) },
];

export const AccountCharts: FC<{ name: string; history: AccountDetails["history"] }> = ({ name, history }) =>
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
        <Table caption="Score and active users by day, latest first" columns={COLUMNS} rows={history.toReversed()} />
      </details>
    </Card>
  );
