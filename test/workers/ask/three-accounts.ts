/** Three accounts on two plans, which tests of queries know. */
import { expect } from "vitest";

import type { TestWorkspace } from "../support/workspace.ts";
import { DAY_MS } from "./told-workspace.ts";

/** A Wednesday. */
export const NOW = Date.UTC(2030, 0, 9, 12);

export const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

/** Sends the accounts with their users, traits and events. */
export async function tellThreeAccounts(workspace: TestWorkspace): Promise<void> {
  const group = (groupId: string, userId: string, traits: Record<string, unknown>) => ({
    type: "group",
    groupId,
    userId,
    timestamp: daysAgo(20),
    traits,
  });
  const track = (userId: string, event: string, days: number) => ({
    type: "track",
    userId,
    event,
    timestamp: daysAgo(days),
  });
  const { status } = await workspace.post("/api/v1/cdp", {
    batch: [
      group("acme", "u1", {
        plan: "Business",
        seats: 10,
        mrr: 400,
        currency: "EUR",
        industry: "Travel",
        contractEndsOn: "2030-03-01",
        onboardedOn: "2029-12-01",
      }),
      group("globex", "u2", {
        plan: "Business",
        seats: 4,
        mrr: 100,
        currency: "USD",
        industry: "travel",
        isPartner: true,
      }),
      group("initech", "u3", { plan: "Team", seats: 2, mrr: 50, currency: "USD", stage: "trial", headcount: 12 }),
      { type: "identify", userId: "u1", timestamp: daysAgo(20), traits: { role: "admin" } },
      ...[1, 2, 3].map((days) => track("u1", "Report Exported", days)),
      track("u2", "Report Viewed", 2),
      track("u3", "Report Viewed", 40),
    ],
  });
  expect(status).toBe(200);
}
