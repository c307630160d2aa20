/** §15.4: the days that comparisons take. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

import type { Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { DAY_MS, NOW, TODAY } from "./told-workspace.ts";

/** Events of the last 21 days: one a day, but three on Wednesdays, as today. */
const perDay = Array.from({ length: 21 }, (_, place) => ({ day: TODAY - place, events: place % 7 === 0 ? 3 : 1 }));

let workspace: TestWorkspace;
beforeAll(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
  const track = ({ day, events }: (typeof perDay)[number]) =>
    Array.from({ length: events }, (_, place) => ({
      type: "track",
      context: { groupId: "acme" },
      event: "Login",
      timestamp: new Date(day * DAY_MS + place * 60_000).toISOString(),
    }));
  await workspace.post("/api/v1/cdp", { batch: perDay.flatMap(track) });
});

const query = (body: unknown): Promise<Answer> => workspace.postJson("/api/v1/query", body);
const ask = (question: string): Promise<Answer> => workspace.postJson("/api/v1/ask", { question });

/** The events of days before today, from and to. */
const eventsOf = (from: number, to: number) => perDay.slice(to, from + 1).reduce((sum, { events }) => sum + events, 0);

describe("§15.4 comparisons", () => {
  it("§15.4 take 7 complete days and the 7 before", async () => {
    const { body } = await query({
      find: "events",
      show: "value",
      window: { last: 7, unit: "day" },
      compare: { to: "before" },
    });
    expect(body).toMatchObject({
      value: eventsOf(7, 1),
      answer:
        "There were 9 events in the last 7 days (11 Nov to 17 Nov 2026), 9 in the 7 days before (4 Nov to 10 Nov 2026): no change.",
    });
    expect((await ask("Events in the last 7 days vs the 7 days before")).body["answer"]).toBe(body["answer"]);
  });

  it("§15.4 take the first days of last week for this week, and whole weeks for last week", async () => {
    const answer =
      "There were 2 events this week (16 Nov to 17 Nov 2026), 2 in as many days of the week before (9 Nov to 10 Nov 2026): no change.";
    const thisWeek = { find: "events", show: "value", window: { this: "week" }, compare: { to: "before" } };
    expect((await query(thisWeek)).body).toMatchObject({ value: eventsOf(2, 1), answer });
    expect((await ask("Events this week vs last week")).body["value"]).toBe(eventsOf(2, 1));
    expect((await ask("Compare last week with the week before")).body).toMatchObject({
      value: eventsOf(9, 3),
      answer:
        "There were 9 events last week (9 Nov to 15 Nov 2026), 9 in the week before (2 Nov to 8 Nov 2026): no change.",
    });
  });

  it("§15.4 say on a Monday that this week has no complete day", async () => {
    vi.setSystemTime(NOW - 2 * DAY_MS);
    onTestFinished(() => void vi.setSystemTime(NOW));
    expect((await ask("Events this week vs last week")).body).toMatchObject({
      knows: false,
      reason: "insufficient_history",
      detail: "Only complete days are compared, and this week has none yet. Ask for the last week and the one before.",
    });
  });
});
