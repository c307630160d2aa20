/** Why a question is not answered, as far as its words tell. What the facts tell is in answer/. */
import { describe, expect, it } from "vitest";

import { MISREAD, NEAR_MISSES } from "./reasons-table.ts";
import { ACME, ACME_CORP, CLOCK, MARIA, planOf, SAMS, TODAY, TWINS, understoodFrom } from "./world.ts";

const refusalOf = (text: string) => {
  const understood = understoodFrom(text);
  return understood.ok ? null : understood.refusal;
};

describe.each(Object.entries(NEAR_MISSES))("§15.7 %s", (reason, questions) => {
  it("§15.7 is told of at least ten near misses", () => {
    expect(new Set(questions).size).toBeGreaterThanOrEqual(10);
  });

  it.each(questions)("§15.7 is why this is not answered: %s", (question) => {
    expect(planOf(question)).toBe(reason);
  });
});

describe("§15.7 what is told beside a reason", () => {
  it("§15.7 is a sentence for a person, whatever the reason", () => {
    for (const question of Object.values(NEAR_MISSES).flat())
      expect(refusalOf(question)?.detail).toMatch(/^\p{Lu}.+[.?]$/u);
  });

  it("§15.7 is the name that nobody has", () => {
    expect(refusalOf("When was Wayne Enterprises last seen?")?.detail).toBe(
      'No account or user is known by the name "Wayne Enterprises".',
    );
    expect(refusalOf("Which accounts used report.archived last week?")?.detail).toBe(
      'No event or feature is known by the name "report.archived".',
    );
    expect(refusalOf("How many charts did acme draw last week?")?.detail).toBe(
      'No event or feature is known by the name "charts … draw".',
    );
    expect(refusalOf("How is this account doing?")?.detail).toBe("The question does not say which account is meant.");
  });

  it("§15.8 quotes 64 characters of a name at most", () => {
    const long = `Wayne${"x".repeat(100)}`;
    expect(refusalOf(`When was ${long} last seen?`)?.detail).toBe(
      `No account or user is known by the name "${long.slice(0, 64)}…".`,
    );
  });

  it("§15.7 is who of a name there is", () => {
    expect(refusalOf("When was Twin last seen?")?.candidates).toEqual(TWINS);
    expect(refusalOf("When was Sam Field last active?")?.candidates).toEqual(SAMS);
  });

  it("§15.8 quotes 64 characters of words that are not understood at most", () => {
    const detail =
      refusalOf(`How many events did acme have per ${"zyx".repeat(40)} on ${"wvu".repeat(20)}?`)?.detail ?? "";
    expect(detail.length).toBeLessThan(100);
  });

  it("§15.8 is that a question names too much, where it is nothing but names", () => {
    expect(refusalOf("how many acme ".repeat(25))).toEqual({
      reason: "unresolved_words",
      detail: "It names more than 24 accounts, users and events.",
    });
  });

  it("§15.7 is the words that nothing could be done with", () => {
    expect(refusalOf("How many events did acme have on mobile last week?")?.detail).toBe("Not understood: mobile.");
    expect(refusalOf("")?.detail).toBe("The question has no words.");
  });

  it("§15.7 is the question nearest to it, where there is one", () => {
    expect(refusalOf("How many events did acme have on mobile last week?")?.nearestAnswerable).toBe(
      'How many events did the account "acme" have from 2026-11-09 to 2026-11-15?',
    );
    expect(refusalOf("What is the weather in Paris?")).not.toHaveProperty("nearestAnswerable");
  });

  it("§15.7 is a question that is answered when it is asked", () => {
    const nearest = Object.values(NEAR_MISSES)
      .flat()
      .flatMap((question) => refusalOf(question)?.nearestAnswerable ?? []);
    expect(nearest.length).toBeGreaterThan(10);
    expect(nearest.filter((question) => typeof planOf(question) === "string")).toEqual([]);
  });

  it("§15.7 is why there is no data for the days", () => {
    expect(refusalOf("How many events did acme have in 2019?")?.detail).toBe(
      "Nothing was recorded from 2019-01-01 to 2019-12-31: the first event is of 2025-10-18.",
    );
    expect(refusalOf("How many events did acme have tomorrow?")?.detail).toBe(
      "The days on 2026-11-22 lie in the future.",
    );
    const understood = understoodFrom("How many events did acme have last week?", {
      clock: { ...CLOCK, firstDay: null },
    });
    expect(understood).toMatchObject({
      ok: false,
      refusal: { reason: "no_data_in_window", detail: "Nothing has been recorded yet." },
    });
  });
});

const asked = (date: string, firstDay: number) =>
  planOf(`How many events did acme have on ${date}?`, { clock: { ...CLOCK, firstDay } });

describe("§15.7 a window on the edge of what was recorded", () => {
  it("§15.7 is answered on the first day, and not before it", () => {
    expect(asked("2026-11-01", TODAY - 20)).toMatchObject({ measure: "event_count" });
    expect(asked("2026-10-31", TODAY - 20)).toBe("no_data_in_window");
  });

  it("§15.7 is answered today, and not after it", () => {
    expect(asked("2026-11-21", TODAY - 20)).toMatchObject({ measure: "event_count" });
    expect(asked("2026-11-22", TODAY - 20)).toBe("no_data_in_window");
  });

  it("§15.7 is answered where a part of it was recorded", () => {
    const october = planOf("How many events did acme have in October?", { clock: { ...CLOCK, firstDay: TODAY - 21 } });
    expect(october).toMatchObject({ window: { from: TODAY - 51, to: TODAY - 21 } });
  });

  it("§15.7 must be recorded of both windows that are compared", () => {
    expect(planOf("compare acme's events in October 2026 with March 2025")).toBe("no_data_in_window");
  });
});

describe("§15.4 words that say something else than what is measured", () => {
  it.each(MISREAD)("§15.4 keep this from being answered: %s", (question) => {
    expect(typeof planOf(question)).toBe("string");
  });
});

describe("§15.7 two things that may be meant", () => {
  it("§15.7 are never chosen from", () => {
    const both = { hints: { account: ACME, user: MARIA } };
    expect(planOf("When were they last seen?", both)).toBe("ambiguous_subject");
    expect(planOf("When were they last seen?", { hints: { account: ACME_CORP } })).toMatchObject({
      account: ACME_CORP,
    });
  });
});
