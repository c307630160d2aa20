import { describe, expect, it } from "vitest";
import { type InboxItem, ITEM_KINDS, type ItemEvidence, type ItemKind } from "../../../src/core/inbox/model.ts";
import { describeItem } from "../../../src/core/inbox/texts.ts";
import { DAY_MS, openItem } from "./support.ts";

/** 12 November 2026. */
const DAY = Date.UTC(2026, 10, 12) / DAY_MS;
const WINDOW = { from: DAY - 13, to: DAY };
const END = String(Date.UTC(2026, 10, 15, 9, 30));

const words = (kind: ItemKind, evidence: readonly ItemEvidence[], subject = "", name?: string) =>
  describeItem(openItem(kind, { subject, evidence }), {
    account: "Acme",
    ...(name === undefined ? {} : { subject: name }),
  });
const titleOf = (kind: ItemKind, subject = "", name?: string): string => words(kind, [], subject, name).title;
const whyOf = (kind: ItemKind, ...evidence: ItemEvidence[]): string => words(kind, evidence).why;

describe("the title of an item", () => {
  it("§12.6 names the account and what has happened to it", () => {
    expect(titleOf("trial_ending_low_activity", END)).toBe(
      "The trial of Acme ends on 15 Nov 2026 with little activity",
    );
    expect(titleOf("trial_ending_ready", END)).toBe("The trial of Acme ends on 15 Nov 2026 and goes well");
    expect(titleOf("trial_expired", END)).toBe("The trial of Acme ended on 15 Nov 2026 and is undecided");
    expect(titleOf("never_activated")).toBe("Acme has not started");
    expect(titleOf("usage_drop")).toBe("Use by Acme has dropped");
    expect(titleOf("slow_decline")).toBe("Use by Acme has declined far below its best");
    expect(titleOf("gone_silent")).toBe("Acme has gone silent");
    expect(titleOf("seats_nearly_full", "10")).toBe("Acme is running out of seats");
    expect(titleOf("usage_growth")).toBe("Use by Acme is growing");
    expect(titleOf("contraction", "seats")).toBe("Acme has cut its seats");
    expect(titleOf("contraction", "mrr")).toBe("Acme has cut its MRR");
    expect(titleOf("health_dropped")).toBe("The health of Acme has dropped");
    expect(titleOf("tracking_stopped")).toBe("Acme receives no events any more");
  });
  it("§12.6 names the user and the feature where they are known", () => {
    expect(titleOf("key_user_quiet", "7", "ada")).toBe("ada of Acme has gone quiet");
    expect(titleOf("key_user_quiet", "7")).toBe("A key user of Acme has gone quiet");
    expect(titleOf("feature_dropped", "3", "report.exported")).toBe("Acme has stopped using report.exported");
    expect(titleOf("feature_dropped", "3")).toBe("Acme has stopped using a core feature");
  });
  it("§12.6 names stand as they are given", () => {
    const item = openItem("gone_silent");
    const account = '<b>O\'Brien & "Söhne"</b> ${x}';
    expect(describeItem(item, { account }).title).toBe(`${account} has gone silent`);
  });
});

describe("why an item is there", () => {
  it("§12.6 a trial with low activity: active days, core features, or both", () => {
    const active = { code: "active_days", value: 1, expected: 2 };
    const features = { code: "core_features", value: 1, expected: 3, window: WINDOW };
    expect(whyOf("trial_ending_low_activity", active)).toBe(
      "1 active day of the last 7, where 2 or more are expected.",
    );
    expect(whyOf("trial_ending_low_activity", active, features)).toBe(
      "1 active day of the last 7, where 2 or more are expected. " +
        "1 core feature in use from 30 Oct 2026 to 12 Nov 2026, where 3 are expected by now.",
    );
  });
  it("§12.6 a trial that goes well: the score and the users", () => {
    expect(
      whyOf("trial_ending_ready", { code: "score", value: 82.46, expected: 70 }, { code: "active_users", value: 5 }),
    ).toBe("A health score of 82.5, where 70 or more are a good trial. 5 active users in 28 days.");
  });
  it("§12.6 a trial that is over", () => {
    expect(whyOf("trial_expired", { code: "days_since_trial_end", value: 2, expected: 0 })).toBe(
      "Still a trial 2 days after its end, where 0 are expected.",
    );
  });
  it("§12.6 an account that has not started", () => {
    const evidence = [
      { code: "active_days", value: 0, expected: 3 },
      { code: "age_days", value: 9 },
    ];
    expect(whyOf("never_activated", ...evidence)).toBe(
      "0 active days so far, where 3 or more are a start. The account has been here for 9 days.",
    );
  });
  it("§12.6 a drop, a decline and growth: user-days with their dates", () => {
    const userDays = { code: "user_days", value: 24, expected: 1240.25, window: WINDOW };
    expect(whyOf("usage_drop", userDays, { code: "z", value: -4 })).toBe(
      "24 user-days from 30 Oct 2026 to 12 Nov 2026, where 1,240.3 were expected.",
    );
    expect(whyOf("slow_decline", userDays)).toBe(
      "24 user-days from 30 Oct 2026 to 12 Nov 2026, where 1,240.3 are the best of its last 26 weeks.",
    );
    expect(whyOf("usage_growth", userDays, { code: "new_users", value: 2 })).toBe(
      "24 user-days from 30 Oct 2026 to 12 Nov 2026, where 1,240.3 were expected. " +
        "2 users of these 28 days had not been seen before.",
    );
  });
  it("§12.6 silence of an account, a user and a sender: the gap, and what would be too long", () => {
    const gap = { code: "gap_business_days", value: 9, expected: 6 };
    const lastDay = { code: "last_day", value: DAY - 12 };
    const silent = "No activity for 9 business days, where 6 count as silence. Last active on 31 Oct 2026.";
    expect(whyOf("gone_silent", gap, lastDay)).toBe(silent);
    expect(whyOf("key_user_quiet", gap, lastDay, { code: "share", value: 0.447 })).toBe(
      `${silent} This user stands for 45% of the account's use in 56 days.`,
    );
    expect(whyOf("tracking_stopped", { ...gap, value: 1, expected: 1 }, lastDay)).toBe(
      "No event for 1 business day, where 1 are beyond the normal. " +
        "The last one was of 31 Oct 2026. Until they flow again, no absence is told of.",
    );
  });
  it("§12.6 seats that run out", () => {
    expect(whyOf("seats_nearly_full", { code: "active_users", value: 9, expected: 10 })).toBe(
      "9 active users in 28 days, where 10 seats are there.",
    );
  });
  it("§12.6 a feature that is used no more", () => {
    const evidence = [
      { code: "active_days", value: 12 },
      { code: "users", value: 4 },
      { code: "last_day", value: DAY - 30 },
    ];
    expect(whyOf("feature_dropped", ...evidence)).toBe(
      "Used on 0 of the last 21 days, where it was on 12 of the 56 before. 4 users used it then. Last used on 13 Oct 2026.",
    );
  });
  it("§12.6 a contract that shrinks: the highest value, and when it fell", () => {
    const window = { from: DAY - 3, to: DAY - 1 };
    expect(whyOf("contraction", { code: "seats", value: 1, expected: 12, window })).toBe(
      "1 seat, where 12 was the highest of 30 days (last on 9 Nov 2026; it fell on 11 Nov 2026).",
    );
    expect(whyOf("contraction", { code: "mrr", value: 0, expected: 1500.5 })).toBe(
      "An MRR of 0, where 1,500.5 was the highest of 30 days.",
    );
  });
  it("§12.6 health that dropped: the score, what would do, and the score before", () => {
    expect(
      whyOf("health_dropped", { code: "score", value: 35, expected: 45 }, { code: "score_before", value: 58 }),
    ).toBe("A health score of 35, where 45 or more are out of risk. It was 58 14 days before.");
    expect(whyOf("health_dropped", { code: "score", value: 60 })).toBe("A health score of 60.");
  });
  it("§12.6 a code that has no words is for machines", () => {
    expect(whyOf("usage_drop", { code: "z", value: -4 })).toBe("");
  });
});

describe("what to do about an item", () => {
  it.each(ITEM_KINDS)("§12.6 %s has an action and says when it closes, in whole sentences", (kind) => {
    const item: InboxItem = openItem(kind, { subject: END });
    const { suggestedAction, closesWhen } = describeItem(item, { account: "Acme" });
    expect(suggestedAction).toMatch(/^[A-Z].{20,}\.$/);
    expect(closesWhen).toMatch(/^[A-Z].{10,}\.$/);
  });
});
