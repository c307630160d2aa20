import { describe, expect, it } from "vitest";

import { readStage } from "../../../src/core/health/attributes.ts";

describe("the stage of an account", () => {
  const words = {
    trial: ["trial", "Trialing", "trialling", "In Trial", "in-trial", "free_trial", "POC", "Pilot", "evaluation"],
    active: ["active", "Customer", "PAID", " paying ", "live"],
    churned: ["churned", "Cancelled", "canceled", "LOST"],
  } as const;
  it.each(Object.entries(words))("§11.9 %s has several synonyms", (stage, synonyms) => {
    for (const word of synonyms) expect(readStage(word), word).toEqual({ stage, known: true });
  });
  it("§11.9 an unknown or absent word counts as active and unknown", () => {
    for (const word of ["onboarding", "", "trial2", undefined]) {
      expect(readStage(word), word).toEqual({ stage: "active", known: false });
    }
  });
});
