/** The score and the active users of an account day by day, one above the other. */
import type { FC } from "hono/jsx";

import { BAND_BOUNDS } from "../../core/health/band.ts";
import { inFigures } from "../../core/health/texts.ts";
import { HISTORY_DAYS } from "../../services/accounts.ts";
import type { AccountStory } from "../../services/accounts.ts";
import { isoDate } from "../../edge/present/iso.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { Card } from "../components/elements.tsx";
import { STATES } from "./health-words.ts";

const { healthy, atRisk } = BAND_BOUNDS;

/** Where bands begin: at risk up to the first, healthy from the second. */
const SCORE_MARKS = [0, atRisk.below, healthy.from, 100];

/** The short of docs/health.md §11.12. */
const BANDS_TOLD =
  `${STATES.healthy.name} from a score of ${healthy.from} until it is below ${healthy.leftBelow}, ` +
  `${STATES.at_risk.name.toLowerCase()} below ${atRisk.below} until it is ${atRisk.leftAt}. ` +
  "A change waits until three days agree, unless a finding caps the score.";

export const AccountCharts: FC<{ name: string; history: AccountStory["history"] }> = ({ name, history }) => {
  if (history.length === 0) return <></>;
  return (
    <Card title={`The last ${HISTORY_DAYS} days`} lead={`${BANDS_TOLD} Days are UTC.`}>
      <div class="charts">
        <LineChart
          title="Score"
          name={`Score of ${name}`}
          points={history.map(({ day, score }) => ({ day, value: score }))}
          values={SCORE_MARKS}
        />
        <LineChart
          title="Active users a day"
          name={`Active users of ${name}`}
          points={history.map(({ day, activeUsers }) => ({ day, value: activeUsers }))}
        />
      </div>
      <details>
        <summary>As a table</summary>
        <div class="table-scroll">
          <table>
            <caption class="visually-hidden">Score and active users by day, the latest first</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Health</th>
                <th scope="col" class="num">
                  Score
                </th>
                <th scope="col" class="num">
                  Users
                </th>
              </tr>
            </thead>
            <tbody>
              {history.toReversed().map(({ day, state, score, activeUsers }) => (
                <tr>
                  <th scope="row">{isoDate(day)}</th>
                  <td>{STATES[state].name}</td>
                  <td class="num">{score === null ? "–" : inFigures(score)}</td>
                  <td class="num">{inFigures(activeUsers)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Card>
  );
};
