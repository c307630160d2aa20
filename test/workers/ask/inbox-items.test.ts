/** §15.4: which inbox items queries and questions count. */
import { beforeAll, describe, expect, it, vi } from "vitest";

import { outcomesOf } from "../support/outcomes.ts";
import type { Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { DAY_MS, NOW, TODAY } from "./told-workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
  const outcomes = await outcomesOf(workspace);
  const marks = {
    open: { dismissed: false },
    snoozed: { snoozedUntil: NOW + DAY_MS },
    "no longer snoozed": { snoozedUntil: NOW - DAY_MS },
    dismissed: { dismissed: true },
    resolved: { dismissed: false },
  };
  for (const [name, mark] of Object.entries(marks)) {
    const item = await outcomes.item({
      subject: name,
      openedDay: TODAY - 9,
      severity: name === "open" ? "critical" : "high",
      ...(name === "resolved" && { resolvedDay: TODAY - 2 }),
    });
    await outcomes.mark(item, mark);
  }
});

const query = (body: unknown): Promise<Answer> => workspace.postJson("/api/v1/query", body);
const ask = (question: string): Promise<Answer> => workspace.postJson("/api/v1/ask", { question });
const count = (rest: object = {}) => query({ find: "items", show: "count", ...rest });
const having = (filter: object) => count({ where: [filter] });

describe("§15.4 inbox items", () => {
  it("§15.4 are open ones, as in the console's inbox, unless a status is named", async () => {
    expect((await count()).body).toMatchObject({
      value: 2,
      answer: "There are 2 open inbox items.",
      query: { find: "items", where: [{ dimension: "status", is: "open" }], show: "count" },
    });
    expect((await workspace.get("/api/v1/inbox")).body["items"]).toHaveLength(2);
    expect((await ask("How many notices are there?")).body["value"]).toBe(2);
    expect((await having({ dimension: "severity", is: "critical" })).body["value"]).toBe(1);
  });

  it("§15.4 are all of them if the query names a status, or the day on which they were opened", async () => {
    expect((await having({ dimension: "status", isNot: "open" })).body["value"]).toBe(3);
    expect((await having({ dimension: "resolved", from: "2026-11-01" })).body["value"]).toBe(1);
    expect((await having({ dimension: "opened", within: { previous: "week" } })).body["value"]).toBe(5);
    expect((await count({ per: "status" })).body["value"]).toHaveLength(4);
    expect((await ask("Snoozed items")).body).toMatchObject({
      answer: expect.stringMatching(/, snoozed, opened 9 Nov 2026, snoozed until 19 Nov 2026$/),
      value: [{ status: "snoozed", snoozed_until: "2026-11-19" }],
    });
    expect((await ask("How many items were opened last week?")).body["value"]).toBe(5);
    expect((await ask("List all notices")).body["value"]).toHaveLength(5);
    expect((await ask("Notice history")).body["value"]).toHaveLength(5);
    expect((await ask("How many snoozed items are there?")).body["value"]).toBe(1);
  });
});
