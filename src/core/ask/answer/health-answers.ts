/**
 * The health of an account: what it is, why, and what changed. It is always of a day, the last one judged, and says so.
 * While the sender is out it stands still, which is said too.
 */
import { DAY_MS } from "../../durations.ts";
import type { Health, Reason } from "../../health/model.ts";
import { counted, dateOf, describeChange, describeMissing, describeReasons } from "../../health/texts.ts";
import { differenceFrom } from "./comparison.ts";
import { type Finding, type Ground, type Outcome, type Silence, silence } from "./finding.ts";
import { inExactFigures, isoDay, several, STATE_WORDS, toOneDecimal } from "./wording.ts";

/** What `Health.changes` and `Health.trend` look back. */
const CHANGE_DAYS = 7;

const FROZEN = "That is frozen, since the workspace's sender has stopped.";
const PROVISIONAL = "That is provisional, as there is little to go by.";

/** A day's health with a score. */
export interface Scored {
  health: Health;
  score: number;
}

/** The score there is, or why there is none. */
export function scoredHealth(name: string, health: Health | null): Scored | Silence {
  if (health === null) return silence("insufficient_history", `The health of ${name} has not been judged yet.`);
  const { score, state, missing } = health;
  if (state === "churned") return silence("insufficient_history", `${name} has churned, so it has no health score.`);
  if (score === null || state === "insufficient_data") {
    const wanting = missing.map((each) => ` ${describeMissing(each)}`).join("");
    return silence("insufficient_history", `There is not enough to judge the health of ${name} by.${wanting}`);
  }
  return { health, score };
}

export function answerHealth(
  name: string,
  health: Health | null,
  measure: "health" | "health_why" | "changes",
): Outcome {
  if (health?.state === "churned" && measure !== "changes") return churned(name, health);
  const scored = scoredHealth(name, health);
  if ("silence" in scored) return scored;
  switch (measure) {
    case "health":
      return told(scored, present(name, scored), scored.score, []);
    case "health_why":
      return why(name, scored);
    case "changes":
      return changes(name, scored);
  }
}

const asOf = ({ day }: Pick<Health, "day">): number => (day + 1) * DAY_MS;

export const healthGround = (measure: string, value: Ground["value"], health: Pick<Health, "day">): Ground => ({
  kind: "health",
  measure,
  value,
  asOf: asOf(health),
});

/** The grounds of a score, its state and its day. */
export const scoreGrounds = ({ health, score }: Scored): Ground[] => [
  healthGround("score", score, health),
  healthGround("state", health.state, health),
  healthGround("day", isoDay(health.day), health),
];

function churned(name: string, health: Health): Finding {
  return {
    says: `${name} counts as churned as of ${dateOf(health.day)}, so it has no health score.`,
    value: health.state,
    grounds: [healthGround("state", health.state, health), healthGround("day", isoDay(health.day), health)],
  };
}

/** `73.25 (healthy)`: while the sender is out, the state that it went by before. */
export function scoreAndState({ health, score }: Scored): string {
  const state = health.state === "stale" ? (health.band ?? health.state) : health.state;
  return `${inExactFigures(score)} (${STATE_WORDS[state]})`;
}

const present = (name: string, scored: Scored): string =>
  `The health score of ${name} was ${scoreAndState(scored)} on ${dateOf(scored.health.day)}.`;

function told(scored: Scored, says: string, value: Finding["value"] & {}, grounds: readonly Ground[]): Finding {
  const note = noteOn(scored.health);
  return {
    says: note === "" ? says : `${says} ${note}`,
    value,
    grounds: [...scoreGrounds(scored), ...grounds],
    ...(isUncertain(scored.health) && { confidence: "medium" }),
  };
}

export const isUncertain = ({ state, confidence }: Health): boolean => state === "stale" || confidence !== "high";

export function noteOn({ state, confidence }: Health): string {
  if (state === "stale") return FROZEN;
  return confidence === "low" ? PROVISIONAL : "";
}

function why(name: string, scored: Scored): Finding {
  const { health } = scored;
  const sentences = [present(name, scored), ...describeReasons(health.reasons)];
  const value = health.reasons.map(({ window, ...reason }) => ({
    ...reason,
    from: isoDay(window.from),
    to: isoDay(window.to),
  }));
  return told(
    scored,
    sentences.join(" "),
    value,
    health.reasons.flatMap((reason) => reasonGrounds(reason, health)),
  );
}

/** The figures of `describeReasons`, as it rounds them. */
export function reasonGrounds(
  { code, observed, expected, points, window }: Reason,
  health: Pick<Health, "day">,
): Ground[] {
  return Object.entries({ observed, expected, points }).map(([figure, value]) => ({
    ...healthGround(`${code}.${figure}`, toOneDecimal(value), health),
    window,
  }));
}

function changes(name: string, scored: Scored): Outcome {
  const { health, score } = scored;
  if (health.trend === null) {
    const days = several(CHANGE_DAYS, "day");
    return silence("insufficient_history", `There is no health score of ${name} of ${days} before to compare with.`);
  }
  const { says, grounds } = differenceFrom(0, health.trend, "health");
  const since = healthGround("days_compared", CHANGE_DAYS, health);
  const now = `The health score of ${name} was ${scoreAndState({ health, score })} on ${dateOf(health.day)}`;
  const explained = health.changes.reduce((sum, change) => sum + change.points, 0);
  const rest = toOneDecimal(health.trend - explained);
  const sentences = [
    `${now}, ${says} from ${several(CHANGE_DAYS, "day")} before.`,
    ...health.changes.map(describeChange),
    ...(rest === 0
      ? []
      : [
          `What caps the score, or was not measured then, ${rest < 0 ? "takes off" : "adds"} ${counted(Math.abs(rest), "point")}.`,
        ]),
  ];
  const points = health.changes.map((change) =>
    healthGround(`${change.component}.points_changed`, toOneDecimal(Math.abs(change.points)), health),
  );
  return told(
    scored,
    sentences.join(" "),
    health.changes.map((change) => ({ ...change })),
    [
      since,
      ...grounds,
      ...points,
      ...(rest === 0 ? [] : [healthGround("other_points_changed", Math.abs(rest), health)]),
    ],
  );
}
