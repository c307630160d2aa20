/** The account's score and what explains it. */
import type { FC } from "hono/jsx";

import { dateOf, describeReasons, inFigures, inPercent } from "../../core/health/texts.ts";
import type { HealthReason } from "../../core/health/model.ts";
import type { AccountDetails } from "../../db/accounts/account-details.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Card, Detail, type Tone } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { explainUserDays } from "../components/user-days.tsx";
import { COMPONENT_TEXTS, scoreNote, STAGE_NAMES } from "./labels.ts";
import { mainReasons, scoreChanges, type ScorePart, scoreParts } from "./score-parts.ts";

/** Three lines, and the rest collapsed. */
export const AccountHealth: FC<Pick<AccountDetails, "health" | "history">> = ({ health, history }) => {
  const note = scoreNote(health);
  if (health === null) return <Card title="Health" lead={`No score yet. ${note ?? ""}`} />;
  const { score, uncapped, confidence, coverage, day, reasons, stage, stageKnown } = health;
  const parts = scoreParts(health);
  const texts = describeReasons(reasons);
  const reasonAt = (index: number) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [{ ...MARKS[reason.kind], text: texts[index] ?? "" }];
  };
  const main = mainReasons(reasons);
  const others = [...reasons.keys()].filter((index) => !main.includes(index));
  const changes = scoreChanges(health, history);
  return (
    <Card
      title="Health"
      lead={`As of ${dateOf(day)}, the last complete day (UTC). Today’s events count from tomorrow.`}
    >
      {note !== null && <p>{note}</p>}
      <Reasons title="Main reasons" items={main.flatMap(reasonAt)} />
      <details class="no-print">
        <summary>All reasons and the score by component</summary>
        <div class="column">
          <dl class="details">
            <Detail name="Confidence">
              {confidence === null ? "–" : labelOf(confidence)}: {inPercent(coverage)} of the score is measured
            </Detail>
            <Detail name="Lifecycle">
              {STAGE_NAMES[stage]}: {stageKnown ? "from the attribute “stage”" : "stage unknown"}
            </Detail>
          </dl>
          <Reasons title="Other reasons" items={others.flatMap(reasonAt)} />
          <Reasons
            title="What changed in 7 days"
            items={changes.map(({ points, text }) => ({ ...MARKS[points < 0 ? "loss" : "strength"], text }))}
          />
          {parts.length > 0 && <Table caption="Points by component" columns={COLUMNS} rows={parts} />}
          {score !== null && uncapped !== null && score < uncapped && (
            <p class="note">
              Subtotal {inFigures(uncapped)}. A cap (see the reasons above) limits the score to {inFigures(score)}.
            </p>
          )}
        </div>
      </details>
    </Card>
  );
};

const MARKS: Readonly<Record<HealthReason["kind"], { sign: string; tone: Tone }>> = {
  loss: { sign: "−", tone: "watch" },
  strength: { sign: "+", tone: "good" },
  cap: { sign: "!", tone: "bad" },
};

const Reasons: FC<{ title: string; items: { sign: string; tone: Tone; text: string }[] }> = ({ title, items }) =>
  items.length > 0 && (
    <div class="stack">
      <h3>{title}</h3>
      <ul class="stack reasons">
        {items.map(({ sign, tone, text }) => (
          <li class={tone} data-sign={sign}>
            {explainUserDays(text)}
          </li>
        ))}
      </ul>
    </div>
  );

const COLUMNS: TableColumns<ScorePart> = [
  {
    title: "Component",
    cell: ({ component }) => (
      <>
        {COMPONENT_TEXTS[component].name}
        <span class="under">{COMPONENT_TEXTS[component].meaning}</span>
      </>
    ),
  },
  {
    title: "Share",
    class: "optional",
    cell: ({ possible, earned }) => possible !== null && <Bar earned={earned} possible={possible} />,
  },
  {
    title: "Points",
    class: "num",
    cell: ({ possible, earned }) =>
      possible === null ? "not measured" : `${inFigures(earned)} of ${inFigures(possible)}`,
  },
  {
    title: "Lost",
    class: "num",
    cell: ({ possible, lost }) => (possible === null || lost === 0 ? "–" : inFigures(lost)),
  },
];

const Bar: FC<{ earned: number; possible: number }> = ({ earned, possible }) => (
  <svg class="share" viewBox="0 0 40 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width={possible.toFixed(1)} height="8" />
    <rect class={toneOf(earned / possible)} width={earned.toFixed(1)} height="8" />
  </svg>
);

function toneOf(share: number): Tone {
  if (share >= 0.7) return "good";
  return share < 0.4 ? "bad" : "watch";
}
