/** The account's score and what explains it. */
import type { FC } from "hono/jsx";

import { dateOf, describeReasons, inFigures, inPercent } from "../../core/health/texts.ts";
import type { AccountStory } from "../../services/accounts.ts";
import { Card, Stat, Stats, Table } from "../components/elements.tsx";
import { COMPONENTS, CONFIDENCES, scoreNote, STAGES, STATES } from "./health-labels.ts";
import { scoreChanges } from "./score-changes.ts";
import { type ScorePart, scoreParts } from "./score-parts.ts";

export const AccountHealth: FC<Pick<AccountStory, "health" | "weekBefore">> = ({ health, weekBefore }) => {
  const note = scoreNote(health);
  if (health === null) return <Card title="Health" lead={`No score yet. ${note ?? ""}`} />;
  const { score, uncapped, trend, confidence, coverage, day, reasons, stage, stageKnown } = health;
  const parts = scoreParts(health);
  const texts = describeReasons(reasons);
  const changes = scoreChanges(health, weekBefore);
  return (
    <Card
      title="Health"
      lead={`As of ${dateOf(day)}, the last complete day (UTC). Today’s events count from tomorrow.`}
    >
      <Stats>
        <Stat
          label="Score"
          value={score === null ? "none" : inFigures(Math.round(score))}
          tone={STATES[health.state].tone}
          note={STATES[health.state].name}
        />
        <Stat label="Change in 7 days" value={trend === null ? "–" : formatPoints(trend)} note="points" />
        <Stat
          label="Confidence"
          value={confidence === null ? "–" : CONFIDENCES[confidence]}
          note={`${inPercent(coverage)} of the score is measured`}
        />
        <Stat
          label="Lifecycle"
          value={STAGES[stage]}
          note={stageKnown ? "from the attribute “stage”" : "stage unknown"}
        />
      </Stats>
      {note !== null && <p class="health-note">{note}</p>}
      {texts.length > 0 && (
        <>
          <h3>Reasons</h3>
          <ul class="health-reasons">
            {reasons.map(({ kind }, index) => (
              <li class={kind}>{texts[index]}</li>
            ))}
          </ul>
        </>
      )}
      {changes.length > 0 && (
        <>
          <h3>What changed in 7 days</h3>
          <ul class="health-reasons">
            {changes.map(({ points, text }) => (
              <li class={points < 0 ? "loss" : "strength"}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {parts.length > 0 && (
        <>
          <h3>Score by component</h3>
          <PartsTable parts={parts} />
          {score !== null && uncapped !== null && score < uncapped && (
            <p class="note">
              Subtotal {inFigures(uncapped)}. A cap (see the reasons above) limits the score to {inFigures(score)}.
            </p>
          )}
        </>
      )}
    </Card>
  );
};

function formatPoints(points: number): string {
  if (points === 0) return "0";
  return `${points < 0 ? "−" : "+"}${inFigures(Math.abs(points))}`;
}

const COLUMNS = [
  "Component",
  { title: "Share", class: "optional" },
  { title: "Points", class: "num" },
  { title: "Lost", class: "num" },
] as const;

const PartsTable: FC<{ parts: ScorePart[] }> = ({ parts }) => (
  <Table caption="Points by component" columns={COLUMNS} class="score-parts">
    {parts.map(({ component, possible, earned, lost }) => (
      <tr>
        <th scope="row">
          {COMPONENTS[component].name}
          <span class="under">{COMPONENTS[component].meaning}</span>
        </th>
        <td class="optional">{possible !== null && <Bar earned={earned} possible={possible} />}</td>
        <td class="num">{possible === null ? "not measured" : `${inFigures(earned)} of ${inFigures(possible)}`}</td>
        <td class="num">{possible === null || lost === 0 ? "–" : inFigures(lost)}</td>
      </tr>
    ))}
  </Table>
);

/** A bar whose length is the weight of its component. */
const Bar: FC<{ earned: number; possible: number }> = ({ earned, possible }) => (
  <svg class="share" viewBox="0 0 40 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width={possible.toFixed(1)} height="8" />
    <rect class={toneOf(earned / possible)} width={earned.toFixed(1)} height="8" />
  </svg>
);

function toneOf(share: number): "good" | "watch" | "bad" {
  if (share >= 0.7) return "good";
  return share < 0.4 ? "bad" : "watch";
}
