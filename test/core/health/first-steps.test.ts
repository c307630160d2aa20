import { describe, expect, it } from "vitest";

import { daysStuck, type FirstDays, firstSteps, isReached } from "../../../src/core/health/first-steps.ts";

const TODAY = 1_000;

const newAccount = (fields: Partial<FirstDays> = {}): FirstDays => ({
  kind: "company",
  stage: "active",
  seats: 10,
  firstDay: TODAY - 30,
  firstEventDay: TODAY - 30,
  userDays: [TODAY - 30],
  featureDays: [TODAY - 29],
  coreFeatures: 3,
  activeUsers: 1,
  ...fields,
});

const stepsOf = (fields: Partial<FirstDays>) =>
  firstSteps(newAccount(fields), TODAY).map(({ step, observed, expected }) => `${step} ${observed}/${expected}`);

describe("§11.16 the first steps of an account", () => {
  it("are its first event, its second user, core features and seats", () => {
    expect(stepsOf({})).toEqual(["first_event 1/1", "second_user 1/2", "core_features 1/3", "seats 1/3"]);
    expect(stepsOf({ firstEventDay: null, userDays: [], featureDays: [], activeUsers: 0 })).toEqual([
      "first_event 0/1",
      "second_user 0/2",
      "core_features 0/3",
      "seats 0/3",
    ]);
  });

  it("leave out what can't be expected", () => {
    expect(stepsOf({ kind: "solo", seats: null, coreFeatures: 1 })).toEqual(["first_event 1/1"]);
    expect(stepsOf({ seats: 1 })).toEqual(["first_event 1/1", "core_features 1/3", "seats 1/1"]);
    expect(stepsOf({ seats: 0, coreFeatures: 9 })).toEqual(["first_event 1/1", "second_user 1/2", "core_features 1/4"]);
  });

  it("expect more seats of an account of 60 days", () => {
    expect(stepsOf({ firstDay: TODAY - 60 }).at(-1)).toBe("seats 1/5");
  });

  it("have the days on which they were reached", () => {
    const account = newAccount({ userDays: [970, 980, 990], featureDays: [971, 981, 991] });
    expect(firstSteps(account, TODAY).map(({ day }) => day)).toEqual([970, 980, 991, null]);
  });
});

describe("§11.16 an account is stuck", () => {
  it("after 14 days without a new user or a new core feature", () => {
    expect(daysStuck(newAccount(), TODAY)).toBe(29);
    expect(daysStuck(newAccount({ featureDays: [TODAY - 14] }), TODAY)).toBe(14);
    expect(daysStuck(newAccount({ featureDays: [TODAY - 13] }), TODAY)).toBeNull();
    expect(daysStuck(newAccount({ userDays: [TODAY - 30, TODAY - 3] }), TODAY)).toBeNull();
  });

  it("counts from its first message without an event", () => {
    const silent = { firstEventDay: null, userDays: [], featureDays: [], activeUsers: 0 };
    expect(daysStuck(newAccount({ ...silent, firstDay: TODAY - 14 }), TODAY)).toBe(14);
    expect(daysStuck(newAccount({ ...silent, firstDay: TODAY - 13 }), TODAY)).toBeNull();
  });

  it("by seats or features only while it uses less than half of what is expected", () => {
    const features = (featureDays: number[]) => newAccount({ userDays: [970, 971], activeUsers: 3, featureDays });
    expect(daysStuck(features([970]), TODAY)).toBe(29);
    expect(daysStuck(features([970, 970]), TODAY)).toBeNull();
    const started = { userDays: [970, 971], featureDays: [970, 970, 970] };
    expect(daysStuck(newAccount({ ...started, activeUsers: 1 }), TODAY)).toBe(29);
    expect(daysStuck(newAccount({ ...started, activeUsers: 2 }), TODAY)).toBeNull();
  });

  it("neither once it has reached everything, nor after it churned", () => {
    const done = newAccount({ userDays: [970, 971, 972], featureDays: [970, 970, 970], activeUsers: 3 });
    expect(firstSteps(done, TODAY).every(isReached)).toBe(true);
    expect(daysStuck(done, TODAY)).toBeNull();
    expect(daysStuck(newAccount({ stage: "churned" }), TODAY)).toBeNull();
  });
});
