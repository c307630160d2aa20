/** Everything that can be asked, as different people ask for it. The tables stand beside this file. */
import { describe, expect, it } from "vitest";

import { restate } from "../../../src/core/ask/telling/restate.ts";
import { ACCOUNT_PHRASINGS } from "./phrasings-account.ts";
import { FEATURE_PHRASINGS } from "./phrasings-feature.ts";
import { PORTFOLIO_PHRASINGS } from "./phrasings-portfolio.ts";
import { USER_PHRASINGS } from "./phrasings-user.ts";
import { CLOCK, planOf, understoodFrom } from "./world.ts";

const tables = [
  ["account", ACCOUNT_PHRASINGS],
  ["user", USER_PHRASINGS],
  ["feature", FEATURE_PHRASINGS],
  ["portfolio", PORTFOLIO_PHRASINGS],
] as const;
const rows = tables.flatMap(([subject, table]) =>
  Object.entries(table).map(([measure, { plan, asked }]) => ({ of: `${subject}, ${measure}`, subject, plan, asked })),
);

const questions = rows.flatMap(({ of, plan, asked }) => asked.map((question: string) => ({ of, plan, question })));

describe("§15.4 a question", () => {
  it.each(questions)("§15.4 asks for $of: $question", ({ plan, question }) => {
    expect(planOf(question)).toEqual(plan);
  });
});

describe("§15.4 the tables of phrasings", () => {
  it("§15.4 have eight phrasings of each, all of them different", () => {
    for (const { of, asked } of rows) {
      expect([of, new Set(asked).size]).toEqual([of, asked.length]);
      expect(asked.length).toBeGreaterThanOrEqual(8);
    }
  });

  it("§15.4 have a plan of its own for each", () => {
    expect(new Set(rows.map(({ plan }) => JSON.stringify(plan))).size).toBe(rows.length);
    for (const { subject, plan } of rows) expect(plan.subject).toBe(subject);
  });
});

describe("§15.5 a question in our own words", () => {
  it.each(rows)("§15.5 comes to the same plan: $of", ({ plan }) => {
    expect(planOf(restate(plan))).toEqual(plan);
  });
});

describe("§15.5 what is told of how a question was understood", () => {
  it.each(rows)("§15.5 is the measure and who it is about: $of", ({ plan, asked: [question] }) => {
    const understood = understoodFrom(question);
    if (!understood.ok) throw new Error(`"${question}" is not understood`);
    const { interpretation, window } = understood;
    expect(interpretation).toMatchObject({ measure: plan.measure });
    expect(interpretation.intent).toMatch(/^[a-z]+$/);
    expect(interpretation.restated).toMatch(/^\p{Lu}.*\?/u);
    expect(interpretation.subject?.type ?? "portfolio").toBe(plan.subject);
    expect(interpretation.feature).toBe(
      plan.subject !== "feature" && "feature" in plan ? plan.feature?.externalId : undefined,
    );
    expect(interpretation.compare).toBe("other" in plan ? plan.other.externalId : undefined);
    expect(interpretation.limit).toBe("limit" in plan ? plan.limit : undefined);
    expect(window?.defaulted).toBe(window === null ? undefined : window.phrase === null);
  });
});

describe("§15.3 a window that was not said", () => {
  it("§15.3 is the last 28 days, and is told to be", () => {
    expect(understoodFrom("How many events did acme have?")).toMatchObject({
      window: { from: CLOCK.today - 27, to: CLOCK.today, phrase: null, defaulted: true },
    });
  });

  it("§15.3 is told in the words that it was said in", () => {
    expect(understoodFrom("How many events did acme have in the last 7 days?")).toMatchObject({
      window: { from: CLOCK.today - 6, to: CLOCK.today, phrase: "in the last 7 days", defaulted: false },
    });
  });

  it("§15.3 is none of what an account is", () => {
    expect(understoodFrom("How many seats does acme have?")).toMatchObject({ window: null });
    expect(understoodFrom("compare the seats of acme and globex")).toMatchObject({ window: null });
  });
});
