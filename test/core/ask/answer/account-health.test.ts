import { describe, expect, it } from "vitest";

import type { Health, Reason } from "../../../../src/core/health/model.ts";
import {
  ACME,
  account,
  accountFacts,
  ask,
  END_OF_YESTERDAY,
  evidenceOf,
  gist,
  health,
  LAST_28,
  YESTERDAY,
} from "./support.ts";

const of = { subject: "account", account: ACME } as const;
type HealthMeasure = "health" | "health_why" | "changes";
const about = (measure: HealthMeasure, values: Partial<Health> | null) =>
  ask({ ...of, measure }, accountFacts({ health: [values === null ? null : health(values)] }));

const SILENT: Reason = {
  kind: "cap",
  code: "silent",
  points: 12.34,
  observed: 9,
  expected: 9,
  window: { from: YESTERDAY - 12, to: YESTERDAY },
};
const BREADTH: Reason = {
  kind: "loss",
  code: "breadth",
  points: 10,
  observed: 1,
  expected: 7.46,
  window: { from: YESTERDAY - 27, to: YESTERDAY },
};

describe("§15.5 the health of an account", () => {
  it("§15.5 is a score with its state, and of a day", () => {
    const answer = about("health", {});
    expect(answer).toMatchObject({
      answer: `The health score of "acme" was 73.25 (healthy) on 20 Nov 2026.`,
      value: 73.25,
      confidence: "high",
      evidence: [
        { kind: "health", measure: "score", value: 73.25, asOf: END_OF_YESTERDAY },
        { kind: "health", measure: "state", value: "healthy", asOf: END_OF_YESTERDAY },
        { kind: "health", measure: "day", value: "2026-11-20", asOf: END_OF_YESTERDAY },
      ],
    });
    expect(gist(about("health", { state: "watch", score: 50 }))[0]).toMatch(/ was 50 \(on watch\) on /);
    expect(gist(about("health", { state: "at_risk", score: 0 }))[0]).toMatch(/ was 0 \(at risk\) on /);
  });

  it("§15.5 is as sure as the score is, and says so where that is little", () => {
    expect(about("health", { confidence: "medium" })).toMatchObject({ knows: true, confidence: "medium" });
    expect(about("health", { confidence: "low" })).toMatchObject({
      confidence: "medium",
      answer:
        `The health score of "acme" was 73.25 (healthy) on 20 Nov 2026. ` +
        "That is provisional, as there is little to go by.",
    });
  });

  it("§15.5 is frozen while the sender is out", () => {
    expect(about("health", { state: "stale", band: "watch", score: 50 })).toMatchObject({
      answer:
        `The health score of "acme" was 50 (on watch) on 20 Nov 2026. ` +
        "That is frozen, since the workspace's sender has stopped.",
      value: 50,
      confidence: "medium",
    });
    expect(gist(about("health", { state: "stale", band: null }))[0]).toMatch(/was 73.25 \(frozen\) on/);
  });

  it("§15.5 is that it has churned, of one that has", () => {
    const churned = { state: "churned", score: null, band: null } as const;
    const says = `"acme" counts as churned as of 20 Nov 2026, so it has no health score.`;
    expect(gist(about("health", churned))).toEqual([says, "churned"]);
    expect(gist(about("health_why", churned))).toEqual([says, "churned"]);
    expect(gist(about("changes", churned))).toEqual([
      "insufficient_history",
      `"acme" has churned, so it has no health score.`,
    ]);
  });

  it("§15.7 is not known without enough to judge by, and says what is missing", () => {
    const missing = [{ code: "tenure", observed: 3, required: 14 }] as const;
    for (const measure of ["health", "health_why", "changes"] as const) {
      expect(gist(about(measure, { state: "insufficient_data", score: null, missing }))).toEqual([
        "insufficient_history",
        `There is not enough to judge the health of "acme" by. Known for 3 days so far (at least 14 needed).`,
      ]);
      expect(gist(about(measure, null))).toEqual([
        "insufficient_history",
        `The health of "acme" has not been judged yet.`,
      ]);
    }
  });
});

describe("§15.5 why the health is what it is", () => {
  it("§15.5 is told by its reasons, with their figures as evidence", () => {
    const answer = about("health_why", { state: "at_risk", score: 30, reasons: [SILENT, BREADTH] });
    expect(answer).toMatchObject({
      knows: true,
      answer:
        `The health score of "acme" was 30 (at risk) on 20 Nov 2026. ` +
        "No activity for 9 business days up to 20 Nov 2026 (9 or more count as silence): " +
        "this caps the score and takes off 12.3 points. " +
        "1 active user from 24 Oct 2026 to 20 Nov 2026 (7.5 expected): this costs 10 points.",
      value: [
        { kind: "cap", code: "silent", observed: 9, from: "2026-11-08", to: "2026-11-20" },
        { kind: "loss", code: "breadth", points: 10, observed: 1, expected: 7.46 },
      ],
    });
    expect(evidenceOf(answer).slice(3)).toEqual([
      "silent.observed: 9",
      "silent.expected: 9",
      "silent.points: 12.3",
      "breadth.observed: 1",
      "breadth.expected: 7.5",
      "breadth.points: 10",
    ]);
  });

  it("§15.5 is capped by one, and of other caps says what they would do", () => {
    const drop: Reason = { ...SILENT, code: "confirmed_drop", points: 7.5, observed: 20, expected: 40 };
    const answer = about("health_why", { state: "at_risk", score: 30, reasons: [SILENT, drop, BREADTH] });
    expect(gist(answer)[0]).toBe(
      `The health score of "acme" was 30 (at risk) on 20 Nov 2026. ` +
        "No activity for 9 business days up to 20 Nov 2026 (9 or more count as silence): " +
        "this caps the score and takes off 12.3 points. " +
        "Usage dropped to 20 user-days from 8 Nov 2026 to 20 Nov 2026 (40 expected): " +
        "this alone would take off 7.5 points. " +
        "1 active user from 24 Oct 2026 to 20 Nov 2026 (7.5 expected): this costs 10 points.",
    );
    expect(evidenceOf(answer)).toContain("confirmed_drop.points: 7.5");
  });

  it("§15.5 has nothing to add to a score without reasons", () => {
    expect(gist(about("health_why", {}))).toEqual([
      `The health score of "acme" was 73.25 (healthy) on 20 Nov 2026.`,
      [],
    ]);
  });
});

describe("§15.5 what changed", () => {
  const changes = [
    { component: "breadth", points: -9.5 },
    { component: "recency", points: 1.25 },
  ] as const;

  it("§15.5 is the score against that of a week before, by components", () => {
    const answer = about("changes", { trend: -8.25, changes });
    expect(gist(answer)).toEqual([
      `The health score of "acme" was 73.25 (healthy) on 20 Nov 2026, down by 8.25 from 7 days before. ` +
        "Breadth (active users) lost 9.5 points in 7 days. " +
        "Recency (last activity) gained 1.3 points in 7 days.",
      changes,
    ]);
    expect(evidenceOf(answer).slice(3)).toEqual([
      "days_compared: 7",
      "decrease: 8.25",
      "breadth.points_changed: 9.5",
      "recency.points_changed: 1.3",
    ]);
  });

  it("§15.5 may be nothing", () => {
    expect(gist(about("changes", { trend: 0 }))).toEqual([
      `The health score of "acme" was 73.25 (healthy) on 20 Nov 2026, unchanged from 7 days before.`,
      [],
    ]);
  });

  it("§15.5 is told of as far as no component explains it", () => {
    const answer = about("changes", { trend: -12.25, changes });
    expect(gist(answer)).toEqual([
      `The health score of "acme" was 73.25 (healthy) on 20 Nov 2026, down by 12.25 from 7 days before. ` +
        "Breadth (active users) lost 9.5 points in 7 days. " +
        "Recency (last activity) gained 1.3 points in 7 days. " +
        "What caps the score, or was not measured then, takes off 4 points.",
      changes,
    ]);
    expect(evidenceOf(answer).slice(3)).toEqual([
      "days_compared: 7",
      "decrease: 12.25",
      "breadth.points_changed: 9.5",
      "recency.points_changed: 1.3",
      "other_points_changed: 4",
    ]);
    // What is less than a tenth of a point would be told as none.
    expect(gist(about("changes", { trend: -8.29, changes }))[0]).not.toMatch(/What caps/);
    expect(gist(about("changes", { trend: -8.3, changes }))[0]).toMatch(
      / What caps the score, or was not measured then, takes off 0\.1 points\.$/,
    );
    expect(gist(about("changes", { trend: -7.25, changes }))[0]).toMatch(/ adds 1 point\.$/);
  });

  it("§15.7 is not known without a score of then", () => {
    expect(gist(about("changes", {}))).toEqual([
      "insufficient_history",
      `There is no health score of "acme" of 7 days before to compare with.`,
    ]);
  });
});

describe("§15.5 the health of two accounts", () => {
  const plan = {
    ...of,
    measure: "compare_accounts",
    metric: "health",
    other: account("beta"),
    window: LAST_28,
  } as const;
  const compare = (one: Partial<Health> | null, other: Partial<Health> | null) =>
    ask(plan, accountFacts({ health: [one, other].map((values) => (values === null ? null : health(values))) }));

  it("§15.5 is compared by score, each of its day", () => {
    expect(compare({ score: 80 }, { score: 35.5, state: "at_risk", day: YESTERDAY - 1 })).toMatchObject({
      answer:
        `"acme" had a health score of 80 (healthy) on 20 Nov 2026 and ` +
        `"beta" a health score of 35.5 (at risk) on 19 Nov 2026: 44.5 more for "acme".`,
      value: [
        { externalId: "acme", score: 80 },
        { externalId: "beta", score: 35.5 },
      ],
      confidence: "high",
    });
  });

  it("§15.5 is no surer than the less sure of them", () => {
    const answer = compare({ score: 80 }, { score: 80, confidence: "low" });
    expect(answer).toMatchObject({ confidence: "medium" });
    expect(gist(answer)[0]).toMatch(/: both the same\. That is provisional, as there is little to go by\.$/);
  });

  it("§15.7 is not compared unless both have a score", () => {
    expect(gist(compare({}, null))).toEqual(["insufficient_history", `The health of "beta" has not been judged yet.`]);
    expect(gist(compare({ state: "churned", score: null }, {}))).toEqual([
      "insufficient_history",
      `"acme" has churned, so it has no health score.`,
    ]);
  });
});
