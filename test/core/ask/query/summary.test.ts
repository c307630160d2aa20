import { describe, expect, it } from "vitest";

import { querySchema } from "../../../../src/core/ask/query/model.ts";
import { summaryQueries, writeSummary } from "../../../../src/core/ask/query/summary.ts";
import { acme, answerOf, before, isAcme, october, result, telling, today } from "./answers.ts";

describe("§15.5 §16 a summary", () => {
  it.each([
    ["the workspace", { find: "accounts" }],
    ["accounts", { find: "accounts", where: [{ dimension: "plan", is: "Business" }] }],
    ["an account", { find: "accounts", where: [isAcme] }],
    ["a user", { find: "users", where: [{ dimension: "user", is: "ann" }] }],
    ["users", { find: "users" }],
    ["a feature", { find: "features", where: [{ dimension: "event", is: "report.exported" }] }],
    ["accounts of last week", { find: "accounts", window: { previous: "week" } }],
    ["accounts with an open item", { find: "accounts", where: [{ dimension: "severity", is: "high" }] }],
  ])("sums up %s", (_, given) => {
    const summary = querySchema.parse({ ...given, show: "summary" });
    const results = summaryQueries(summary, today).map(() =>
      result([{ entity: acme, value: 3, before: 2, count: 1 }], { before }),
    );
    const answer = answerOf(writeSummary(summary, results, telling));
    expect(answer.split("\n").length).toBeGreaterThan(2);
    expect(answer).not.toMatch(/undefined|NaN|\{\w+\}/);
    expect(answerOf(writeSummary(summary, [], telling))).toMatch(/^no_data_in_window: There is no data about/);
  });

  it("sums up a time that is over by the values of that time, without today's reasons and open items", () => {
    const given = querySchema.parse({ find: "accounts", show: "summary", where: [isAcme], window: october });
    const parts = summaryQueries(given, today);
    expect(parts.every(({ find, show, window: own }) => find === "accounts" && show === "value" && own)).toBe(true);
    const results = parts.map(({ measure }) => {
      if (measure === "health") return result([{ entity: acme, value: "healthy" }], { window: null });
      return measure === "score" ? result([{ value: 93.97 }], { window: null }) : result([]);
    });
    expect(answerOf(writeSummary(given, results, telling))).toContain(
      "Acme:\nAcme was healthy at the end of October 2026.\nThe health score of Acme at the end of October 2026 was 93.97.",
    );
  });

  it("joins several results into the summary of an account", () => {
    const given = querySchema.parse({ find: "accounts", show: "summary", where: [isAcme] });
    const results = summaryQueries(given, today).map(({ measure }) => {
      if (measure === "plan") return result([{ entity: acme, value: "Team" }]);
      return measure === "mrr" ? result([{ value: 900, currency: "USD" }]) : result([]);
    });
    expect(answerOf(writeSummary(given, results, telling))).toContain(
      "Acme:\nAcme is on the Team plan.\nThe MRR of Acme is $900.",
    );
  });
});
