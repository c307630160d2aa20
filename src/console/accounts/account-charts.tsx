/** The account's score and active users by day. */
import type { FC } from "hono/jsx";

import { BAND_BOUNDS } from "../../core/health/band.ts";
import { inFigures } from "../../core/health/texts.ts";
import { isoDate } from "../../edge/present/iso.ts";
import { type AccountStory, HISTORY_DAYS } from "../../services/accounts.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { Card, Table } from "../components/elements.tsx";
import { STATES } from "./health-labels.ts";

const { healthy, atRisk } = BAND_BOUNDS;

/** The axis marks where bands begin. */
const SCORE_MARKS = [0, atRisk.below, healthy.from, 100];

/** Summarizes docs/health.md §11.12. */
const BANDS =
  `${STATES.healthy.name}: from a score of ${healthy.from} until it falls below ${healthy.leftBelow}. ` +
  `${STATES.at_risk.name}: below ${atRisk.below} until it reaches ${atRisk.leftAt}. ` +
  "Health changes after three days in a row, or at once if a cap applies. Days are UTC.";

const COLUMNS = ["Day", "Health", { title: "Score", class: "num" }, { title: "Users", class: "num" }] as const;

export const AccountCharts: FC<{ name: string; history: AccountStory["history"] }> = ({ name, history }) => {
  if (history.length === 0) return <></>;
  return (
    <Card title={`Last ${HISTORY_DAYS} days`} lead={BANDS}>
      <div class="charts">
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
      </div>
      <details>
        <summary>Show as table</summary>
        <Table caption="Score and active users by day, latest first" columns={COLUMNS}>
          {history.toReversed().map(({ day, state, score, activeUsers }) => (
            <tr>
              <th scope="row">{isoDate(day)}</th>
              <td>{STATES[state].name}</td>
              <td class="num">{score === null ? "–" : inFigures(score)}</td>
              <td class="num">{inFigures(activeUsers)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </Card>
  );
};
