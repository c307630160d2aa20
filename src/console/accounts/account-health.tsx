/** A score with what explains it. */
import type { FC } from "hono/jsx";

import type { Health } from "../../core/health/model.ts";
import { dateOf, describeChange, describeReasons, inFigures, inPercent } from "../../core/health/texts.ts";
import { Card, Stat, Stats } from "../components/elements.tsx";
import { caveatOf, COMPONENT_WORDS, CONFIDENCE_WORDS, STAGE_WORDS, STATES } from "./health-words.ts";
import { type ScorePart, scoreParts } from "./score-parts.ts";

export const AccountHealth: FC<{ health: Health | null }> = ({ health }) => {
  const caveat = caveatOf(health);
  if (health === null) return <Card title="Health" lead={`It is not judged yet. ${caveat ?? ""}`} />;
  const { score, uncapped, trend, confidence, coverage, day, reasons, changes, stage, stageKnown } = health;
  const parts = scoreParts(health);
  const texts = describeReasons(reasons);
  return (
    <Card title="Health" lead={`By what happened up to the end of ${dateOf(day)}, UTC.`}>
      <Stats>
        <Stat
          label="Score"
          value={score === null ? "none" : inFigures(Math.round(score))}
          tone={STATES[health.state].tone}
          note={STATES[health.state].name}
        />
        <Stat label="In 7 days" value={trend === null ? "–" : signed(trend)} note="points" />
        <Stat
          label="Confidence"
          value={confidence === null ? "–" : CONFIDENCE_WORDS[confidence]}
          note={`${inPercent(coverage)} of the weight measured`}
        />
        <Stat
          label="Judged as"
          value={STAGE_WORDS[stage]}
          note={stageKnown ? "by its stage" : "its stage is not known"}
        />
      </Stats>
      {caveat !== null && <p class="health-caveat">{caveat}</p>}
      {texts.length > 0 && (
        <>
          <h3>Why</h3>
          <ul class="health-reasons">
            {reasons.map(({ kind }, place) => (
              <li class={kind}>{texts[place]}</li>
            ))}
          </ul>
        </>
      )}
      {changes.length > 0 && (
        <>
          <h3>What has changed</h3>
          <ul class="health-reasons">
            {changes.map((change) => (
              <li class={change.points < 0 ? "loss" : "strength"}>{describeChange(change)}</li>
            ))}
          </ul>
        </>
      )}
      {parts.length > 0 && (
        <>
          <h3>What the score is made of</h3>
          <Parts parts={parts} />
          {score !== null && uncapped !== null && score < uncapped && (
            <p class="note">
              They come to {inFigures(uncapped)}. A finding above caps the score at {inFigures(score)}.
            </p>
          )}
        </>
      )}
    </Card>
  );
};

function signed(points: number): string {
  if (points === 0) return "0";
  return `${points < 0 ? "−" : "+"}${inFigures(Math.abs(points))}`;
}

const Parts: FC<{ parts: ScorePart[] }> = ({ parts }) => (
  <div class="table-scroll">
    <table class="score-parts">
      <caption class="visually-hidden">Points by component</caption>
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col" class="lesser">
            Share
          </th>
          <th scope="col" class="num">
            Points
          </th>
          <th scope="col" class="num">
            Lost
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ component, possible, earned, lost }) => (
          <tr>
            <th scope="row">
              {COMPONENT_WORDS[component].name}
              <span class="under">{COMPONENT_WORDS[component].meaning}</span>
            </th>
            <td class="lesser">{possible !== null && <Share earned={earned} possible={possible} />}</td>
            <td class="num">{possible === null ? "not measured" : `${inFigures(earned)} of ${inFigures(possible)}`}</td>
            <td class="num">{possible === null || lost === 0 ? "–" : inFigures(lost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Bars are as long as their component weighs. */
const Share: FC<{ earned: number; possible: number }> = ({ earned, possible }) => (
  <svg class="share" viewBox="0 0 40 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width={possible.toFixed(1)} height="8" />
    <rect class={toneOf(earned / possible)} width={earned.toFixed(1)} height="8" />
  </svg>
);

function toneOf(share: number): "good" | "watch" | "bad" {
  if (share >= 0.7) return "good";
  return share < 0.4 ? "bad" : "watch";
}
