import { describe, expect, it } from "vitest";

import { accountLinks } from "../../../src/console/ask/account-links.ts";
import type { Answer } from "../../../src/core/ask/model.ts";

const answer: Answer = {
  knows: true,
  answer: "2 accounts.",
  value: [{ id: "acc_1", externalId: ".." }],
  interpretation: { intent: "list", measure: "accounts", subject: null, restated: "Which accounts are there?" },
  window: null,
  evidence: [],
  confidence: "high",
};

describe("the page of an account in an answer", () => {
  const links = accountLinks({ id: "ws_1" }, answer);

  it("is by the id that the answer tells, and else by the sender's", () => {
    expect(links("..")).toBe("/console/w/ws_1/accounts/acc_1");
    expect(links("../x y")).toBe("/console/w/ws_1/accounts/..%2Fx%20y");
  });

  it("has no address where browsers would take the id out of it", () => {
    expect(links(".")).toBeNull();
    expect(accountLinks({ id: "ws_1" }, { ...answer, value: [] })("..")).toBeNull();
  });
});
