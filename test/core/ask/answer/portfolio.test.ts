import { describe, expect, it } from "vitest";

import type { AccountFilter, PortfolioAccount, PortfolioPlan } from "../../../../src/core/ask/model.ts";
import type { Reason } from "../../../../src/core/health/model.ts";
import {
  account,
  ask,
  DAY_MS,
  evidenceOf,
  gist,
  health,
  item,
  portfolioFacts,
  row,
  TODAY,
  YESTERDAY,
} from "./support.ts";

const of = { subject: "portfolio" } as const;
const about = (plan: PortfolioPlan, accounts: readonly PortfolioAccount[]) => ask(plan, portfolioFacts({ accounts }));

const count = (filter: AccountFilter, accounts: readonly PortfolioAccount[]) =>
  about({ ...of, measure: "account_count", filter }, accounts);

describe("§15.5 how many accounts there are", () => {
  const healthy = { health: health() };
  const risky = { health: health({ state: "at_risk", score: 20 }) };

  it("§15.5 counts all, or none", () => {
    expect(gist(count({}, [row("a"), row("b")]))).toEqual(["There are 2 accounts.", 2]);
    expect(gist(count({}, [row("a")]))).toEqual(["There is 1 account.", 1]);
    expect(gist(count({}, []))).toEqual(["There are 0 accounts.", 0]);
  });

  it("§15.5 counts all by their stages, as far as these are known", () => {
    const staged = (...stages: string[]) =>
      count(
        {},
        stages.map((stage, index) => row(`a${index}`, { attributes: { stage } })),
      );
    const answer = staged("lost", "POC", "paying", "Active", "odd");
    expect(gist(answer)).toEqual(["There are 5 accounts: 2 active, 1 on trial, 1 churned and 1 in no known stage.", 5]);
    expect(evidenceOf(answer)).toEqual([
      "accounts: 5",
      "accounts_in_stage: 2",
      "accounts_in_stage: 1",
      "accounts_in_stage: 1",
      "accounts_in_stage: 1",
    ]);
    expect(gist(staged("trial", "trial", "live"))[0]).toBe("There are 3 accounts: 1 active and 2 on trial.");
    expect(gist(staged("trial"))[0]).toBe("There is 1 account.");
    expect(gist(staged("odd", "strange"))[0]).toBe("There are 2 accounts.");
    expect(evidenceOf(staged("odd", "strange"))).toEqual(["accounts: 2"]);
    const filtered = gist(count({ plan: "pro" }, [row("a", { attributes: { plan: "pro", stage: "trial" } })]));
    expect(filtered[0]).toBe(`1 account is on the plan "pro".`);
  });

  it("§15.5 counts by the state of their health, of its day", () => {
    const answer = count({ state: "at_risk" }, [row("a", risky), row("b", healthy), row("c", healthy)]);
    expect(gist(answer)).toEqual(["1 account is at risk as of 20 Nov 2026.", 1]);
    expect(evidenceOf(answer)).toEqual(["accounts: 1", "day: 2026-11-20"]);
    expect(gist(count({ state: "churned" }, [row("a", healthy)]))).toEqual([
      "No account is churned as of 20 Nov 2026.",
      0,
    ]);
  });

  it("§15.5 says how many are not judged, and of which days the others are", () => {
    const older = { health: health({ day: YESTERDAY - 2 }) };
    expect(gist(count({ state: "healthy" }, [row("a", healthy), row("b", older), row("c")]))).toEqual([
      "2 accounts are healthy by what was judged from 18 Nov 2026 to 20 Nov 2026. 1 account has not been judged yet.",
      2,
    ]);
    expect(gist(count({ state: "healthy" }, [row("a", healthy), row("c"), row("d")]))[0]).toMatch(
      / 2 accounts have not been judged yet\.$/,
    );
  });

  it("§15.5 counts by a stage in whatever word, and says of how many it is unknown", () => {
    const stages = ["POC", "trial", "paying", "odd", undefined];
    const accounts = stages.map((stage, index) =>
      row(`a${index}`, { attributes: stage === undefined ? {} : { stage } }),
    );
    const others = "2 accounts without a known stage are not among them.";
    expect(gist(count({ stage: "trial" }, accounts))).toEqual([`2 accounts are in the stage trial. ${others}`, 2]);
    expect(gist(count({ stage: "active" }, accounts))).toEqual([`1 account is in the stage active. ${others}`, 1]);
    expect(gist(count({ stage: "churned" }, accounts))).toEqual([`No account is in the stage churned. ${others}`, 0]);
  });

  it("§15.5 counts by plan, without regard to case", () => {
    const accounts = ["Pro", "pro", "free"].map((plan, index) => row(`a${index}`, { attributes: { plan } }));
    expect(gist(count({ plan: "PRO" }, accounts))).toEqual([`2 accounts are on the plan "PRO".`, 2]);
    expect(gist(count({ plan: "none" }, [...accounts, row("b")]))).toEqual([
      `No account is on the plan "none". 1 account without a known plan is not among them.`,
      0,
    ]);
  });

  it("§15.5 lists by several of these at once", () => {
    const accounts = [
      row("b", { ...risky, attributes: { plan: "pro", stage: "trial" } }),
      row("a", { ...risky, account: account("a", "Acme Inc"), attributes: { plan: "pro", stage: "trial" } }),
      row("c", { ...healthy, attributes: { plan: "pro", stage: "trial" } }),
      row("d", { ...risky, attributes: { plan: "free", stage: "trial" } }),
      row("e", { ...risky, attributes: { plan: "pro", stage: "active" } }),
    ];
    const filter = { state: "at_risk", stage: "trial", plan: "pro" } as const;
    expect(gist(about({ ...of, measure: "account_list", filter }, accounts))).toEqual([
      `2 accounts are at risk as of 20 Nov 2026, in the stage trial and on the plan "pro": "Acme Inc" ("a"), "b".`,
      [
        { id: "account:a", externalId: "a", name: "Acme Inc" },
        { id: "account:b", externalId: "b" },
      ],
    ]);
    expect(gist(about({ ...of, measure: "account_list", filter: {} }, accounts))[0]).toBe(
      `There are 5 accounts: "Acme Inc" ("a"), "b", "c", "d", "e".`,
    );
    expect(gist(about({ ...of, measure: "account_list", filter: { plan: "odd" } }, accounts))).toEqual([
      `No account is on the plan "odd".`,
      [],
    ]);
  });

  it("§15.7 knows no state before a recompute, and none that stands still", () => {
    expect(gist(count({ state: "at_risk" }, [row("a")]))).toEqual([
      "insufficient_history",
      "The health of no account has been judged yet.",
    ]);
    const stale = row("a", { health: health({ state: "stale" }) });
    expect(gist(count({ state: "at_risk" }, [stale]))).toEqual([
      "stale_data",
      "The workspace's sender has stopped, so the health of accounts is frozen.",
    ]);
    expect(gist(about({ ...of, measure: "account_list", filter: { state: "healthy" } }, [stale]))[0]).toBe(
      "stale_data",
    );
    expect(gist(count({ state: "stale" }, [stale]))).toEqual(["1 account is frozen as of 20 Nov 2026.", 1]);
  });

  it("§15.7 knows no stage and no plan where nobody says any", () => {
    expect(gist(count({ stage: "trial" }, [row("a", { attributes: { stage: "odd" } })]))).toEqual([
      "unmeasured_attribute",
      "No account has a known stage.",
    ]);
    expect(gist(count({ plan: "pro" }, [row("a")]))).toEqual(["unmeasured_attribute", "No account has a known plan."]);
    expect(gist(count({ plan: "pro" }, []))[1]).toBe(0);
  });
});

const riskyBy = (score: number, reasons: readonly Reason[] = []) => ({
  health: health({ state: "at_risk", score, reasons }),
});

describe("§15.5 which accounts are at risk", () => {
  const reason: Reason = {
    kind: "loss",
    code: "frequency",
    points: 15,
    observed: 1,
    expected: 12.55,
    window: { from: YESTERDAY - 27, to: YESTERDAY },
  };

  it("§15.5 lists them with why, the lowest score first", () => {
    const accounts = [
      row("b", riskyBy(20)),
      row("acme", riskyBy(12.5, [reason])),
      row("c", { health: health() }),
      row("d"),
    ];
    const answer = about({ ...of, measure: "at_risk" }, accounts);
    expect(gist(answer)).toEqual([
      `2 accounts are at risk as of 20 Nov 2026: "acme" with a score of 12.5 – Active on 1 day from ` +
        `24 Oct 2026 to 20 Nov 2026 (12.6 are typical): this costs 15 points; "b" with a score of 20. ` +
        "1 account has not been judged yet.",
      [
        { id: "account:acme", externalId: "acme", score: 12.5, reason: "frequency" },
        { id: "account:b", externalId: "b", score: 20, reason: null },
      ],
    ]);
    expect(evidenceOf(answer)).toEqual([
      "at_risk: 2",
      "account: acme",
      "score: 12.5",
      "frequency.observed: 1",
      "frequency.expected: 12.6",
      "frequency.points: 15",
      "account: b",
      "score: 20",
      "day: 2026-11-20",
      "accounts_not_judged: 1",
    ]);
  });

  it("§15.5 may be none", () => {
    expect(gist(about({ ...of, measure: "at_risk" }, [row("a", { health: health() })]))).toEqual([
      "No account is at risk as of 20 Nov 2026.",
      [],
    ]);
  });

  it("§15.5 of the same score are in the order of their ids", () => {
    const [says] = gist(about({ ...of, measure: "at_risk" }, [row("b", riskyBy(5)), row("a", riskyBy(5))]));
    expect(says).toMatch(/: "a" with a score of 5; "b" with a score of 5\.$/);
  });

  it("§15.8 names ten of more", () => {
    const accounts = Array.from({ length: 12 }, (_, index) => row(`a${index + 10}`, riskyBy(index)));
    expect(gist(about({ ...of, measure: "at_risk" }, accounts))[0]).toMatch(/; "a19" with a score of 9, and 2 more\.$/);
  });

  it("§15.5 name of each the reason that decides, and only that", () => {
    const silent: Reason = { ...reason, kind: "cap", code: "silent", points: 40, observed: 9, expected: 7 };
    const [says] = gist(about({ ...of, measure: "at_risk" }, [row("acme", riskyBy(20, [silent, reason]))]));
    expect(says).toBe(
      `1 account is at risk as of 20 Nov 2026: "acme" with a score of 20 – No activity for 9 business days ` +
        "up to 20 Nov 2026 (7 or more count as silence): this caps the score and takes off 40 points.",
    );
  });

  it("§15.7 are not known while the sender is out, or before a recompute", () => {
    const stale = row("a", { health: health({ state: "stale" }) });
    expect(gist(about({ ...of, measure: "at_risk" }, [stale]))[0]).toBe("stale_data");
    expect(gist(about({ ...of, measure: "at_risk" }, [row("a")]))[0]).toBe("insufficient_history");
  });
});

const trial = (name: string, trialEndsAt: string, stage = "trial") => row(name, { attributes: { trialEndsAt, stage } });

const came = (name: string, day: number) => row(name, { firstSeenAt: day * DAY_MS + 1 });

describe("§15.5 dates of accounts", () => {
  const ahead = { from: TODAY, to: TODAY + 14, phrase: "in the next 14 days" };

  it("§15.5 lists the trials that end in a time, the nearest first", () => {
    const accounts = [
      trial("c", "2026-11-30T10:00:00.000Z", "POC"),
      trial("b", "2026-11-22T10:00:00.000Z"),
      trial("late", "2026-12-06T00:00:00.000Z"),
      trial("past", "2026-11-20T23:59:59.999Z"),
      trial("won", "2026-11-29T00:00:00.000Z", "active"),
      row("none", { attributes: { stage: "trial" } }),
    ];
    expect(gist(about({ ...of, measure: "trials_ending", window: ahead }, accounts))).toEqual([
      `2 trials end from 21 Nov to 5 Dec 2026: "b" (on 22 Nov 2026), "c" (on 30 Nov 2026). ` +
        "1 account with such a date is not on trial.",
      [
        { id: "account:b", externalId: "b", trialEndsAt: "2026-11-22T10:00:00.000Z" },
        { id: "account:c", externalId: "c", trialEndsAt: "2026-11-30T10:00:00.000Z" },
      ],
    ]);
    const one = gist(
      about({ ...of, measure: "trials_ending", window: { ...ahead, phrase: null } }, accounts.slice(0, 1)),
    );
    expect(one[0]).toBe(
      `1 trial ends from 21 Nov to 5 Dec 2026 (the next 15 days, as no time was given): "c" (on 30 Nov 2026).`,
    );
    const sameDay = ["b", "a"].map((name) => trial(name, "2026-11-30T00:00:00Z"));
    expect(gist(about({ ...of, measure: "trials_ending", window: ahead }, sameDay))[0]).toMatch(/: "a" \(.*, "b" \(/);
    const past = { from: TODAY - 7, to: TODAY - 1, phrase: null };
    expect(
      gist(about({ ...of, measure: "trials_ending", window: past }, [trial("a", "2026-11-01T00:00:00Z", "x")])),
    ).toEqual(["No trial ended from 14 Nov to 20 Nov 2026 (the last 7 days, as no time was given).", []]);
    const others = [trial("a", "2026-11-30T00:00:00Z", "x"), trial("b", "2026-11-30T00:00:00Z", "lost")];
    expect(gist(about({ ...of, measure: "trials_ending", window: ahead }, others))[0]).toMatch(
      /^No trial ends .* 2 accounts with such a date are not on trial\.$/,
    );
  });

  it("§15.5 lists the accounts that were new in a time, the latest first", () => {
    const window = { from: TODAY - 6, to: TODAY, phrase: "last 7 days" };
    const accounts = [came("old", TODAY - 7), came("a", TODAY - 6), came("b", TODAY), came("later", TODAY + 1)];
    expect(gist(about({ ...of, measure: "new_accounts", window }, accounts))).toEqual([
      `2 accounts were new from 15 Nov to 21 Nov 2026: "b" (since 21 Nov 2026), "a" (since 15 Nov 2026).`,
      [
        { id: "account:b", externalId: "b", since: "2026-11-21T00:00:00.001Z" },
        { id: "account:a", externalId: "a", since: "2026-11-15T00:00:00.001Z" },
      ],
    ]);
  });
});

describe("§15.5 the inbox", () => {
  const items = Array.from({ length: 12 }, (_, index) => item(`i${index}`, { rank: 100 - index }));
  const inbox = (limit: number) => ask({ ...of, measure: "items", limit }, portfolioFacts({ items }));

  it("§15.5 is told in its order, cut where asked", () => {
    expect(gist(inbox(2))[0]).toBe(`12 inbox items are open: Usage at "acme" fell; Usage at "acme" fell, and 10 more.`);
    expect(inbox(2)).toMatchObject({ value: { length: 12 } });
    expect(evidenceOf(inbox(2))).toContain("more: 10");
  });

  it("§15.6 gives the numbers of a title as evidence", () => {
    const one = [item("i1", { evidence: [{ code: "user_days", value: 24, expected: 100.25 }] })];
    const answer = ask({ ...of, measure: "items", limit: 10 }, portfolioFacts({ items: one }));
    expect(gist(answer)[0]).toBe(
      `1 inbox item is open: Usage at "acme" fell to 24 user-days in two weeks (100.3 expected).`,
    );
    expect(evidenceOf(answer)).toEqual(expect.arrayContaining(["user_days: 24", "user_days.expected: 100.3"]));
  });

  it("§15.5 can be about the workspace as a whole", () => {
    const one = [item("i1", { kind: "tracking_stopped" }, { account: null })];
    const answer = ask({ ...of, measure: "items", limit: 10 }, portfolioFacts({ items: one }));
    expect(gist(answer)[0]).toBe("1 inbox item is open: The workspace has stopped receiving events.");
    expect(answer).toMatchObject({ value: [{ account: null, kind: "tracking_stopped" }] });
  });

  it("§15.5 can be empty", () => {
    expect(gist(ask({ ...of, measure: "items", limit: 10 }, portfolioFacts()))).toEqual(["No inbox item is open.", []]);
  });
});
