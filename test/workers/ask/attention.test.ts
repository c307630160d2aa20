/** §15.4: questions for where to begin, and why, answered from items and scores that are stored. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  await setRuns({ asOf: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = async (question: string, fields: Record<string, unknown> = {}) =>
  (await workspace.post("/api/v1/ask", { question, ...fields }, { headers: { "Content-Type": "application/json" } }))
    .body;

describe("§15.4 where to begin", () => {
  it("lists the open items in the order of the inbox, with their accounts", async () => {
    const [acme, globex, initech] = [
      await outcomes.account("acme"),
      await outcomes.account("globex"),
      await outcomes.account("initech"),
    ];
    await outcomes.item({ account: acme.number, severity: "high", rank: 3 });
    await outcomes.item({ account: globex.number, kind: "gone_silent", severity: "critical", rank: 9 });
    await outcomes.item({ account: initech.number, kind: "usage_growth", severity: "medium", rank: 1 });
    await outcomes.item({ account: initech.number, severity: "critical", rank: 20, resolvedDay: DAY });
    const { body: inbox } = await workspace.get("/api/v1/inbox");
    expect(inbox["items"]).toMatchObject([{ kind: "gone_silent" }, { kind: "usage_drop" }, { kind: "usage_growth" }]);
    for (const question of [
      "Who should I call today?",
      "what first",
      "Which accounts need my attention?",
      "any fires?",
    ])
      expect(await ask(question), question).toMatchObject({
        knows: true,
        answer: expect.stringMatching(
          /^3 open inbox items, most urgent first:\n- globex: gone silent.*\n- acme: usage drop.*\n- initech: usage growth/,
        ),
        value: [{ externalId: "globex" }, { externalId: "acme" }, { externalId: "initech" }],
      });
  });

  it("says that there are none", async () => {
    expect(await ask("who needs attention")).toMatchObject({ answer: "There are no open inbox items.", value: [] });
  });

  it("names a word that it doesn't know", async () => {
    expect(await ask("Who should I call about the lawsuit?")).toMatchObject({
      knows: false,
      reason: "unresolved_words",
      detail: "I don't know what “lawsuit” means here.",
      options: [{ restated: "Open inbox items", leftOut: ["lawsuit"] }],
    });
    expect(await ask("Should I offer them a discount?")).toMatchObject({ knows: false, reason: "opinion" });
  });
});

describe("§15.6 why a score is low", () => {
  it("is answered by the reasons that are stored with it", async () => {
    const window = { from: DAY - 27, to: DAY };
    const reasons = [{ kind: "loss", code: "recency", points: -25, observed: 12, expected: 3, window }] as const;
    const acme = await outcomes.account("acme", { health: { state: "at_risk", band: "at_risk", score: 31, reasons } });
    for (const question of [
      "Why is it low?",
      "why did its score drop",
      "what's wrong with it",
      "What is going on with it?",
    ])
      expect(await ask(question, { accountId: acme.id }), question).toMatchObject({
        knows: true,
        answer: expect.stringMatching(/^acme is at risk with a health score of 31\.\n- /),
        query: { show: "why" },
      });
    for (const question of ["Why is it healthy?", "why is this account green"])
      expect(await ask(question, { accountId: acme.id }), question).toMatchObject({
        knows: true,
        answer: expect.stringMatching(/^acme is not healthy: it is at risk with a health score of 31\.\n- /),
      });
    expect(await ask("Isn't it at risk?", { accountId: "acme" })).toMatchObject({
      answer: "The account acme is at risk.",
      value: false,
    });
  });
});
