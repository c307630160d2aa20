import { describe, expect, it } from "vitest";

import { attributesReader } from "../../../src/core/health/attributes.ts";
import type { AttributeChange } from "../../../src/core/health/model.ts";
import type { AccountAttributes } from "../../../src/core/ingest/message.ts";

const change = (day: number, values: AccountAttributes): AttributeChange => [day, values];

describe("attributes over time", () => {
  const timeline = [
    change(10, { stage: "trial", seats: 5, trialEndsAt: "2026-01-01T00:00:00.000Z" }),
    change(12, { stage: "active", trialEndsAt: null, mrr: 0, currency: "EUR", plan: "pro" }),
    change(15, { seats: null }),
  ];
  it("§10.2 a day has the values of its own end", () => {
    const read = attributesReader(timeline);
    expect(read(9)).toEqual({});
    expect(read(10)).toEqual(read(11));
    expect(read(11)).toEqual({
      stage: "trial",
      seats: 5,
      trialEndsAt: "2026-01-01T00:00:00.000Z",
    });
    expect(read(14)).toEqual({ stage: "active", seats: 5, mrr: 0, currency: "EUR", plan: "pro" });
  });
});
