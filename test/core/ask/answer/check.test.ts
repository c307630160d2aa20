import { describe, expect, it } from "vitest";

import { checked, standsOnEvidence } from "../../../../src/core/ask/answer/check.ts";
import type { Answer, Evidence, Interpretation } from "../../../../src/core/ask/model.ts";
import { BEFORE_28, LAST_28, NOW } from "./support.ts";

type Known = Extract<Answer, { knows: true }>;

const INTERPRETATION: Interpretation = {
  intent: "count",
  measure: "event_count",
  subject: { type: "account", id: "acc_1", externalId: "acme", name: "Acme Inc", matchedBy: "name" },
  feature: "report.exported",
  compare: "beta",
  restated: `Events of "Acme Inc"`,
};

const known = (answer: string, values: readonly Evidence["value"][] = [], more: Partial<Known> = {}): Known => ({
  knows: true,
  answer,
  interpretation: INTERPRETATION,
  window: LAST_28,
  evidence: values.map((value, index) => ({ id: `e${index}`, kind: "rollup", measure: "m", value, asOf: NOW })),
  confidence: "high",
  ...more,
});
const stands = (...args: Parameters<typeof known>): boolean => standsOnEvidence(known(...args));

describe("§15.6 the check of an answer", () => {
  it("§15.6 passes numbers that are evidence, as they are written for people", () => {
    expect(stands("There were 1,234 of 3.5, or -5.", [1234, 3.5, -5])).toBe(true);
    expect(stands("About 12.3 and 12.35.", [12.345])).toBe(true);
    expect(stands("At most 1e+21.", [1e21])).toBe(true);
    expect(stands("Words alone.")).toBe(true);
    expect(stands("")).toBe(true);
  });

  it("§15.6 finds numbers that are not", () => {
    expect(stands("There were 42 events.", [41])).toBe(false);
    expect(stands("There were 42 events.", ["42"])).toBe(false);
    expect(stands("There were 4 events.", [42])).toBe(false);
    expect(stands("There were 420 events.", [42])).toBe(false);
    expect(stands("There were -42 events.", [42])).toBe(false);
    expect(stands("The event42 came.", [])).toBe(false);
    expect(stands("It is true.", [true, null])).toBe(true);
  });

  it("§15.6 passes dates of the window, of evidence and of its windows", () => {
    expect(stands("from 25 Oct to 21 Nov 2026")).toBe(true);
    expect(stands("from 25 Oct 2026 to 21 Nov 2026")).toBe(true);
    expect(stands("on 3 Aug 2026", ["2026-08-03"])).toBe(true);
    expect(stands("on 3 Aug 2026", ["2026-08-03T23:59:59.999Z"])).toBe(true);
    const evidence = [{ id: "e1", kind: "rollup", measure: "m", value: 1, window: BEFORE_28, asOf: NOW }] as const;
    expect(stands("from 27 Sep to 24 Oct 2026", [], { evidence })).toBe(true);
  });

  it("§15.6 finds dates that are not", () => {
    expect(stands("on 24 Oct 2026")).toBe(false);
    expect(stands("until 21 Nov")).toBe(false);
    expect(stands("on 3 Aug 2026", ["2026-08-04", "2026-08-03 or so", "2026-99-99"])).toBe(false);
    expect(stands("on 25 Oct 2026", [25, 2026], { window: null })).toBe(false);
  });

  it("§15.6 passes names that are evidence or what the question is about", () => {
    expect(stands(`"acme", "Acme Inc", "report.exported", "beta" and "u1"`, ["u1"])).toBe(true);
    const nobody = { ...INTERPRETATION, subject: null };
    expect(stands(`"acme" did`, [], { interpretation: nobody })).toBe(false);
    expect(stands(`"acme" did`, ["acme"], { interpretation: nobody })).toBe(true);
  });

  it("§15.6 finds names that are not", () => {
    expect(stands(`"gamma" did`)).toBe(false);
    expect(stands(`"acm" did`)).toBe(false);
    expect(stands(`"acme did`)).toBe(false);
    expect(stands(`acme" did`)).toBe(false);
    expect(stands(`a mark " alone`)).toBe(false);
    expect(stands(`"42" did`, [42])).toBe(false);
  });

  it("§15.6 reads names that hold marks, numbers, dates and other names as what they are", () => {
    const names = [`a" had 9 events, "b`, `" and "`, `"`, ``, `x`, `42 events on 1 Jan 2020`];
    for (const one of names) {
      for (const other of names) {
        expect(stands(`"${one}" and "${other}" had 3 events`, [3, ...names]), `${one} ${other}`).toBe(true);
      }
    }
    expect(stands(`"x" had 9 events, "b"`, names)).toBe(false);
  });

  it("§15.6 knows a currency by its letters", () => {
    expect(stands("The MRR is 5 EUR.", [5, "EUR"])).toBe(true);
    expect(stands("The MRR is 5 EUR.", [5, "USD"])).toBe(false);
  });

  it("§15.6 withholds an answer that doesn't stand, and leaves the others", () => {
    const good = known("There were 42 events.", [42]);
    expect(checked(good)).toBe(good);
    expect(checked(known("There were 42 events.", [41]))).toEqual({
      knows: false,
      reason: "internal_check",
      detail: "There is an answer, but it does not stand on the evidence for it; so it is withheld.",
      interpretation: INTERPRETATION,
      window: LAST_28,
    });
    const refusal: Answer = { knows: false, reason: "opinion", detail: "42", interpretation: null, window: null };
    expect(checked(refusal)).toBe(refusal);
  });

  it("§15.6 reads a name of nothing but marks", () => {
    const name = `"`.repeat(5_000);
    expect(stands(`"${name}" had 7 events`, [name, 7])).toBe(true);
    expect(stands(`"${name}" had 8 events`, [name, 7])).toBe(false);
  });
});
