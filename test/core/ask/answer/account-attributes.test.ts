import { describe, expect, it } from "vitest";

import type { AccountPlan, Trait } from "../../../../src/core/ask/model.ts";
import type { AttributeValues } from "../../../../src/core/health/model.ts";
import {
  ACME,
  account,
  accountFacts,
  ask,
  crowd,
  DAY_MS,
  DEFAULT_28,
  DISCLOSED,
  evidenceOf,
  gist,
  item,
  LAST_28,
  NOW,
  TODAY,
  use,
  W,
} from "./support.ts";

const of = { subject: "account", account: ACME } as const;
type Measure = "trial_end" | "trial_days_left" | "plan" | "seats" | "mrr" | "stage";
const about = (measure: Measure, values: AttributeValues) =>
  ask({ ...of, measure }, accountFacts({ attributes: [values] }));
const END = "2026-11-30T10:00:00.000Z";

describe("§15.5 what the sender says an account is", () => {
  it("§15.5 is told as it was sent, by attributes", () => {
    expect(gist(about("plan", { plan: "Pro" }))).toEqual([`"acme" is on the plan "Pro".`, "Pro"]);
    expect(gist(about("seats", { seats: 1200 }))).toEqual([`"acme" has 1,200 seats.`, 1200]);
    expect(gist(about("seats", { seats: 1 }))).toEqual([`"acme" has 1 seat.`, 1]);
    expect(gist(about("seats", { seats: 0 }))).toEqual([`"acme" has 0 seats.`, 0]);
    expect(gist(about("stage", { stage: "paying" }))).toEqual([`The stage of "acme" is "paying".`, "paying"]);
    const answer = about("mrr", { mrr: 1249.99, currency: "EUR" });
    expect(gist(answer)).toEqual([`The MRR of "acme" is 1,249.99 EUR.`, 1249.99]);
    expect(answer).toMatchObject({
      evidence: [
        { kind: "attribute", measure: "mrr", value: 1249.99, asOf: NOW },
        { kind: "attribute", measure: "currency", value: "EUR", asOf: NOW },
      ],
    });
    expect(gist(about("mrr", { mrr: 0 }))).toEqual([`The MRR of "acme" is 0 in no known currency.`, 0]);
  });

  it("§15.5 tells when a trial ends, or ended", () => {
    expect(gist(about("trial_end", { trialEndsAt: END, stage: "Free Trial" }))).toEqual([
      `The trial of "acme" ends on 30 Nov 2026.`,
      END,
    ]);
    const past = "2026-11-03T10:00:00.000Z";
    expect(gist(about("trial_end", { trialEndsAt: past }))).toEqual([`The trial of "acme" ended on 3 Nov 2026.`, past]);
    expect(gist(about("trial_end", { trialEndsAt: past, stage: "active" }))[0]).toBe(
      `The trial of "acme" ended on 3 Nov 2026. Its stage is "active" now.`,
    );
    expect(gist(about("trial_end", { trialEndsAt: END, stage: "odd" }))[0]).toMatch(/ Its stage is "odd" now\.$/);
  });

  it("§15.5 counts the days left of a trial, and none of one that is over", () => {
    expect(gist(about("trial_days_left", { trialEndsAt: END }))).toEqual([
      `The trial of "acme" ends on 30 Nov 2026: 9 days left.`,
      9,
    ]);
    expect(gist(about("trial_days_left", { trialEndsAt: "2026-11-22T00:00:00.000Z" }))).toEqual([
      `The trial of "acme" ends on 22 Nov 2026: 1 day left.`,
      1,
    ]);
    expect(gist(about("trial_days_left", { trialEndsAt: "2026-11-21T23:00:00.000Z" }))[1]).toBe(0);
    expect(gist(about("trial_days_left", { trialEndsAt: "2026-11-03T10:00:00.000Z" }))).toEqual([
      `The trial of "acme" ended on 3 Nov 2026: 0 days left.`,
      0,
    ]);
  });

  it.each<[Measure, string]>([
    ["trial_end", `No end of a trial of "acme" is known.`],
    ["trial_days_left", `No end of a trial of "acme" is known.`],
    ["plan", `No plan of "acme" is known.`],
    ["seats", `No number of seats of "acme" is known.`],
    ["mrr", `No MRR of "acme" is known.`],
    ["stage", `No stage of "acme" is known.`],
  ])("§15.7 doesn't know a missing one: %s", (measure, detail) => {
    expect(gist(about(measure, {}))).toEqual(["unmeasured_attribute", detail]);
  });
});

const seatUse = (users: number, values: AttributeValues, window = LAST_28) =>
  ask(
    { ...of, measure: "seat_use", window },
    accountFacts({ uses: [use({ users: crowd(users) })], attributes: [values] }),
  );

describe("§15.5 seat use", () => {
  it("§15.5 is the active users of the seats", () => {
    const answer = seatUse(3, { seats: 10 });
    expect(gist(answer)).toEqual([`"acme" had 3 active users ${W} and has 10 seats: 30% in use.`, 30]);
    expect(evidenceOf(answer)).toEqual(["active_users: 3", "seats: 10", "seat_use_percent: 30"]);
    expect(gist(seatUse(1, { seats: 3 }, DEFAULT_28))).toEqual([
      `"acme" had 1 active user ${W} ${DISCLOSED} and has 3 seats: 33.3% in use.`,
      33.3,
    ]);
    expect(gist(seatUse(0, { seats: 1 }))).toEqual([`"acme" had 0 active users ${W} and has 1 seat: 0% in use.`, 0]);
  });

  it("§15.7 is not known without seats", () => {
    expect(gist(seatUse(3, {}))).toEqual(["unmeasured_attribute", `No number of seats of "acme" is known.`]);
    expect(gist(seatUse(3, { seats: 0 }))).toEqual([
      "unmeasured_attribute",
      `"acme" has no seats that could be in use.`,
    ]);
  });
});

const trait = (key: string, ...traits: Trait[]) =>
  gist(ask({ ...of, measure: "trait", key }, accountFacts({ traits })));

describe("§15.5 free-form traits", () => {
  it("§15.5 are told as they were sent, of whatever kind", () => {
    expect(trait("industry", { key: "Industry", value: "retail" })).toEqual([
      `"Industry" of "acme" is "retail".`,
      "retail",
    ]);
    expect(trait("size", { key: "size", value: -12.3456 })).toEqual([`"size" of "acme" is -12.3456.`, -12.3456]);
    expect(trait("size", { key: "size", value: 1e21 })).toEqual([`"size" of "acme" is 1e+21.`, 1e21]);
    expect(trait("beta", { key: "beta", value: true })).toEqual([`"beta" of "acme" is true.`, true]);
    expect(trait("tags", { key: "tags", value: ["a", 1] })).toEqual([`"tags" of "acme" is "["a",1]".`, `["a",1]`]);
  });

  it("§15.2 are found by their folded name, and as one says them", () => {
    const other = { key: "Company-Size", value: 7 };
    expect(trait("company size", other, { key: "companySize", value: 8 })).toEqual([
      `"Company-Size" of "acme" is 7.`,
      7,
    ]);
    expect(trait("company size", { key: "companySize", value: 8 })).toEqual([`"companySize" of "acme" is 8.`, 8]);
  });

  it("§15.7 are not known of this account where it has none, or a removed one", () => {
    const detail = ["unmeasured_attribute", `"industry" is not known of "acme".`];
    expect(trait("industry", { key: "size", value: 1 })).toEqual(detail);
    expect(trait("industry", { key: "industry", value: null })).toEqual(detail);
  });

  it("§15.7 are ambiguous where several of a name differ", () => {
    expect(trait("size", { key: "size", value: 1 }, { key: "Size", value: 2 })).toEqual([
      "ambiguous_subject",
      `Several things known of "acme" have that name, and differ: "size", "Size".`,
    ]);
    expect(trait("size", { key: "size", value: 1 }, { key: "Size", value: 1 })[1]).toBe(1);
  });
});

const last = (at: number) => ask({ ...of, measure: "last_seen" }, accountFacts({ lastEventAt: at }));

describe("§15.5 when an account was seen", () => {
  it("§15.5 tells the last event, or that there was none", () => {
    const seen = last(NOW);
    expect(gist(seen)).toEqual([`"acme" was last seen on 21 Nov 2026, today.`, "2026-11-21T12:00:00.000Z"]);
    expect(evidenceOf(seen)).toEqual(["last_seen: 2026-11-21T12:00:00.000Z", "days_since: 0"]);
    const never = ask({ ...of, measure: "last_seen" }, accountFacts());
    expect(gist(never)).toEqual([`There has been no event of "acme" yet.`, undefined]);
    expect(never.knows && "value" in never).toBe(false);
    expect(evidenceOf(never)).toEqual(["last_seen: null"]);
  });

  it("§15.5 tells how many days ago that was, by their dates", () => {
    expect(gist(last(TODAY * DAY_MS))[0]).toMatch(/ on 21 Nov 2026, today\.$/);
    expect(gist(last(TODAY * DAY_MS - 1))[0]).toMatch(/ on 20 Nov 2026, yesterday\.$/);
    expect(gist(last((TODAY - 1) * DAY_MS))[0]).toMatch(/ on 20 Nov 2026, yesterday\.$/);
    expect(gist(last((TODAY - 1) * DAY_MS - 1))[0]).toMatch(/ on 19 Nov 2026, 2 days ago\.$/);
    expect(gist(last((TODAY - 25) * DAY_MS))[0]).toBe(`"acme" was last seen on 27 Oct 2026, 25 days ago.`);
    expect(gist(last((TODAY - 1_200) * DAY_MS))[0]).toMatch(/, 1,200 days ago\.$/);
    expect(evidenceOf(last((TODAY - 25) * DAY_MS))).toContain("days_since: 25");
  });
});

function compare(metric: "mrr" | "seats", ...attributes: AttributeValues[]) {
  const plan: AccountPlan = { ...of, measure: "compare_accounts", metric, other: account("beta"), window: LAST_28 };
  return ask(plan, accountFacts({ attributes }));
}

describe("§15.5 what two accounts pay and have", () => {
  it("§15.5 is compared in one currency", () => {
    const answer = compare("mrr", { mrr: 0.1, currency: "EUR" }, { mrr: 0.3, currency: "EUR" });
    expect(gist(answer)[0]).toBe(`"acme" has an MRR of 0.1 EUR and "beta" an MRR of 0.3 EUR: 0.2 more for "beta".`);
    expect(evidenceOf(answer)).toContain("difference: 0.2");
    expect(gist(compare("seats", { seats: 5 }, { seats: 5 }))[0]).toBe(
      `"acme" has 5 seats and "beta" 5 seats: both the same.`,
    );
  });

  it("§15.7 is not compared across currencies", () => {
    const answer = compare("mrr", { mrr: 10, currency: "EUR" }, { mrr: 10, currency: "USD" });
    expect(gist(answer)).toEqual([
      "mixed_currency",
      `Their MRR is not in one currency: "acme" has an MRR of 10 EUR, "beta" has an MRR of 10 USD.`,
    ]);
    expect(gist(compare("mrr", { mrr: 10, currency: "EUR" }, { mrr: 10 }))[0]).toBe("mixed_currency");
  });

  it("§15.7 is not compared where one is missing", () => {
    expect(gist(compare("mrr", { mrr: 10 }, {}))).toEqual(["unmeasured_attribute", `No MRR of "beta" is known.`]);
    expect(gist(compare("seats", {}, { seats: 1 }))).toEqual([
      "unmeasured_attribute",
      `No number of seats of "acme" is known.`,
    ]);
  });
});

describe("§15.5 the inbox items of an account", () => {
  const items = [
    item("i1", { rank: 1, kind: "trial_ending_ready", subject: String(Date.parse(END)) }),
    item("i2", { rank: 5, kind: "key_user_quiet" }, { subjectName: "u7" }),
    item("i3", { resolvedDay: TODAY - 1, resolution: "recovered" }),
  ];

  it("§15.5 are the open ones, the highest rank first, by their titles", () => {
    const answer = ask({ ...of, measure: "items" }, accountFacts({ items }));
    expect(gist(answer)[0]).toBe(
      `2 inbox items are open about "acme": "u7" at "acme" has gone quiet; ` +
        `The trial of "acme" ends on 30 Nov 2026 and is going well.`,
    );
    expect(answer).toMatchObject({
      value: [
        { id: "i2", kind: "key_user_quiet", severity: "medium", account: "acme", since: "2026-11-16" },
        { id: "i1", title: `The trial of "acme" ends on 30 Nov 2026 and is going well` },
      ],
    });
    expect(evidenceOf(answer)).toEqual([
      "open_items: 2",
      "key_user_quiet: i2",
      "account: acme",
      "subject: u7",
      "trial_ending_ready: i1",
      "account: acme",
      `trial_end: ${END}`,
    ]);
  });

  it("§15.5 may be none", () => {
    expect(gist(ask({ ...of, measure: "items" }, accountFacts()))).toEqual([`No inbox item is open about "acme".`, []]);
  });

  it("§15.7 are not known before a recompute", () => {
    expect(gist(ask({ ...of, measure: "items" }, accountFacts(), { lastRecomputeAt: null }))).toEqual([
      "insufficient_history",
      "The inbox has not been filled yet.",
    ]);
  });
});
