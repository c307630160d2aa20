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

describe("links to the accounts of an answer", () => {
  const links = accountLinks({ id: "ws_1" }, answer);

  it("use the internal id if the answer gives it, and otherwise the external id", () => {
    expect(links("..")).toBe("/console/w/ws_1/accounts/acc_1");
    expect(links("../x y")).toBe("/console/w/ws_1/accounts/..%2Fx%20y");
  });

  it("are missing for ids that browsers would remove from paths", () => {
    expect(links(".")).toBeNull();
    expect(accountLinks({ id: "ws_1" }, { ...answer, value: [] })("..")).toBeNull();
  });
});
