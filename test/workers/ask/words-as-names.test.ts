/** Plans and accounts that are called as questions are put: they are no words of a question, and its words are none of them. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { inWorkspace, recomputeFor } from "./told-story.ts";
import { NOW } from "./told-workspace.ts";

beforeEach(() => vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

it.each([
  ["Trial", "How many accounts are on trial?"],
  ["active", "Which accounts were active today?"],
  ["paying", "How many paying customers do we have?"],
  ["have", "How many accounts do we have?"],
  ["at risk", "Who is at risk?"],
])("§15.2 a plan called %j does not take words for itself that mean something else: %s", async (plan, question) => {
  await inWorkspace(async ({ post, tell, ask }) => {
    await tell([{ type: "group", messageId: "g", groupId: "acme", traits: { plan, stage: "active" } }]);
    await post("/api/v1/events", { accountId: "acme", userId: "u1", event: "login" });
    await recomputeFor(null);
    const { interpretation, reason } = await ask({ question });
    expect(interpretation?.restated ?? reason).not.toContain("plan");
  });
});

it.each(["'; acme; --", "('acme')", "«acme»"])(
  "§15.2 %s between quotation marks is the account called so",
  async (accountId) => {
    await inWorkspace(async ({ post, ask }) => {
      await post("/api/v1/events", { accountId: "acme", userId: "u1", event: "login" });
      await post("/api/v1/events", { accountId, userId: "u1", event: "login" });
      const { interpretation } = await ask({ question: `How many events did "${accountId}" have today?` });
      expect(interpretation?.subject?.externalId).toBe(accountId);
    });
  },
);
