import { describe, expect, it } from "vitest";

import type { PortfolioAccount, PortfolioPlan } from "../../../../src/core/ask/model.ts";
import { ask, gist, portfolioFacts, row } from "./support.ts";

const of = { subject: "portfolio" } as const;
const about = (plan: PortfolioPlan, accounts: readonly PortfolioAccount[]) => ask(plan, portfolioFacts({ accounts }));

const pays = (name: string, mrr: number, currency?: string, stage?: string) =>
  row(name, {
    attributes: { mrr, ...(currency !== undefined && { currency }), ...(stage !== undefined && { stage }) },
  });

const total = (...accounts: PortfolioAccount[]) => gist(about({ ...of, measure: "mrr", total: true }, accounts));

const byCurrency = (...accounts: PortfolioAccount[]) => about({ ...of, measure: "mrr", total: false }, accounts);

const top = (...accounts: PortfolioAccount[]) => about({ ...of, measure: "top", by: "mrr", limit: 2 }, accounts);

describe("§15.5 what accounts pay", () => {
  it("§15.5 is one sum of one currency", () => {
    expect(total(pays("a", 0.1, "EUR"), pays("b", 0.2, "EUR"), row("c"))).toEqual([
      "The MRR is 0.3 EUR (2 accounts).",
      0.3,
    ]);
    expect(total(pays("a", 5))).toEqual(["The MRR is 5 in no known currency (1 account).", 5]);
  });

  it("§15.5 is a sum for each currency", () => {
    const answer = byCurrency(pays("a", 10, "USD"), pays("b", 20, "EUR"), pays("c", 5), pays("d", 1, "USD"));
    expect(gist(answer)).toEqual([
      "The MRR is 20 EUR (1 account), 11 USD (2 accounts) and 5 in no known currency (1 account).",
      [
        { currency: "EUR", mrr: 20, accounts: 1 },
        { currency: "USD", mrr: 11, accounts: 2 },
        { currency: null, mrr: 5, accounts: 1 },
      ],
    ]);
  });

  it("§15.5 leaves out what has churned, and says so", () => {
    expect(total(pays("a", 10, "EUR"), pays("b", 7, "USD", "Cancelled"))).toEqual([
      "The MRR is 10 EUR (1 account). 1 churned account with an MRR is not counted.",
      10,
    ]);
    expect(total(pays("a", 10, "EUR", "lost"), pays("b", 10, "EUR", "lost"))).toEqual([
      "The MRR is 0. 2 churned accounts with an MRR are not counted.",
      0,
    ]);
  });

  it("§15.7 is no one sum of several currencies", () => {
    const answer = about({ ...of, measure: "mrr", total: true }, [
      pays("a", 1, "USD"),
      pays("b", 1, "EUR"),
      pays("c", 1),
    ]);
    expect(answer).toMatchObject({
      knows: false,
      reason: "mixed_currency",
      detail: "The MRR is in several currencies: EUR, USD, no known currency.",
      nearestAnswerable: "What is the MRR by currency?",
    });
  });

  it("§15.7 is not known where nobody says any", () => {
    const detail = ["unmeasured_attribute", "No account has a known MRR."];
    expect(total(row("a"))).toEqual(detail);
    expect(gist(about({ ...of, measure: "top", by: "mrr", limit: 5 }, [row("a")]))).toEqual(detail);
  });

  it("§15.5 ranks accounts, in one currency only", () => {
    const answer = top(pays("c", 5, "EUR"), pays("b", 20, "EUR"), pays("a", 5, "EUR"), pays("z", 99, "EUR", "churned"));
    expect(gist(answer)).toEqual([
      `The 2 accounts with the most MRR: "b" (20 EUR), "a" (5 EUR). 1 other had as many. 1 churned account with an MRR is not counted.`,
      [
        { id: "account:b", externalId: "b", mrr: 20, currency: "EUR" },
        { id: "account:a", externalId: "a", mrr: 5, currency: "EUR" },
      ],
    ]);
    expect(gist(top(pays("a", 5, "EUR"), pays("b", 20, "USD")))[0]).toBe("mixed_currency");
  });

  it("§15.5 ranks accounts by their seats", () => {
    const accounts = [row("a", { attributes: { seats: 1 } }), row("b", { attributes: { seats: 30 } }), row("c")];
    expect(gist(about({ ...of, measure: "top", by: "seats", limit: 12 }, accounts))).toEqual([
      `The 2 accounts with the most seats: "b" (30 seats), "a" (1 seat).`,
      [
        { id: "account:b", externalId: "b", seats: 30 },
        { id: "account:a", externalId: "a", seats: 1 },
      ],
    ]);
    expect(gist(about({ ...of, measure: "top", by: "seats", limit: 5 }, [row("c")]))).toEqual([
      "unmeasured_attribute",
      "No account has a known number of seats.",
    ]);
  });
});
