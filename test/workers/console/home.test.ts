/** The home page: money, renewals, changes and whether events arrive. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let page: Browser;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  page = await signedIn(workspace.key);
});
afterEach(() => {
  vi.useRealTimers();
});

const open = () => page.get(`/console/w/${workspace.id}/home`);
const text = async () => textOf((await open()).html);
const track = () => workspace.post("/api/v1/cdp", { type: "track", event: "report.exported", userId: "u1" });
const inDays = (days: number) => new Date(NOW + days * DAY_MS).toISOString();

describe("the home page", () => {
  it("leads to “Get started” until the first event, and is where a session begins", async () => {
    expect(await open()).toMatchObject({ status: 303, location: `/console/w/${workspace.id}/start` });
    expect((await page.get("/console")).location).toBe(`/console/w/${workspace.id}/home`);
    await track();
    expect((await open()).status).toBe(200);
    expect(await text()).toContain("Events arrive: the last one just now.");
  });

  it("sums the MRR of customers by currency, what is at risk, and what renews within 90 days", async () => {
    await track();
    const states = ["at_risk", "healthy", "at_risk", "churned"] as const;
    const attributes = [
      { mrr: 1_000, currency: "EUR", contractEndsAt: inDays(89) },
      { mrr: 500, currency: "EUR", contractEndsAt: inDays(91) },
      { mrr: 2_000, currency: "USD", contractEndsAt: inDays(3) },
      { mrr: 9_000, currency: "USD", stage: "churned", contractEndsAt: inDays(3) },
    ];
    for (const [index, state] of states.entries()) {
      const { number } = await outcomes.account(`company-${index}`, { attributes: attributes[index] ?? {} });
      await outcomes.setHealth(number, { state, score: state === "at_risk" ? 30 : 80 });
    }
    const shown = await text();
    expect(shown).toContain("MRR $2,000 €1,500 4 accounts MRR at risk $2,000 €1,000 2 accounts");
    expect(shown).toContain("Renewals in 90 days $2,000 €1,000 2 accounts");
    expect(shown).toMatch(
      /company-2 At risk \$2,000 11 Jan 2030 3 days left company-0 At risk €1,000 7 Apr 2030 89 days left/,
    );
    expect(shown).not.toContain("company-3");
  });

  it("lists the first five open items, and says what opened and resolved since yesterday", async () => {
    await track();
    const { number } = await outcomes.account("acme");
    for (let rank = 1; rank <= 6; rank += 1) {
      await outcomes.item({ account: number, kind: "usage_drop", rank, openedDay: DAY - 9, occurrence: rank });
    }
    const fresh = await outcomes.item({ account: number, kind: "gone_silent", rank: 0.5, openedDay: DAY });
    const gone = await outcomes.item({ account: number, kind: "contraction", openedDay: DAY - 20 });
    await outcomes.resolve(gone.number);
    const { html } = await open();
    expect(html.match(/inbox\?show=itm_/g)).toHaveLength(6);
    expect(html.match(new RegExp(`inbox\\?show=${fresh.id}`, "g"))).toHaveLength(1);
    expect(textOf(html)).toContain("Since yesterday 1 opened 1 resolved");
  });
});
