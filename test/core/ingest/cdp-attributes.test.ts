import { describe, expect, it } from "vitest";

import { accept, parse } from "./support.ts";

const identify = (fields: object) => accept({ type: "identify", userId: "u", ...fields });
const group = (fields: object) => accept({ type: "group", groupId: "g", ...fields });
const track = (fields: object) => accept({ type: "track", userId: "u", event: "e", ...fields });

const CAMEL = {
  accountStage: "trial",
  trialEndsAt: "2026-03-01T00:00:00Z",
  accountPlan: "pro",
  accountSeats: 12,
  accountMrr: 99.5,
  accountCurrency: "eur",
  accountContractEndsAt: "2027-01-31T00:00:00+01:00",
};
const SNAKE = {
  account_stage: "trial",
  trial_ends_at: "2026-03-01T00:00:00Z",
  account_plan: "pro",
  account_seats: 12,
  account_mrr: 99.5,
  account_currency: "eur",
  account_contract_ends_at: "2027-01-30T23:00:00Z",
};
const READ = {
  stage: "trial",
  trialEndsAt: "2026-03-01T00:00:00.000Z",
  plan: "pro",
  seats: 12,
  mrr: 99.5,
  currency: "EUR",
  contractEndsAt: "2027-01-30T23:00:00.000Z",
};

describe("account attributes of a message", () => {
  for (const [form, fields] of Object.entries({ "camel case": CAMEL, "snake case": SNAKE })) {
    it(`§4.2 are read in ${form} from traits, properties and the message, of any type`, () => {
      for (const send of [identify, group, track]) {
        expect(send({ traits: fields }).attributes).toEqual(READ);
        expect(send({ properties: fields }).attributes).toEqual(READ);
        expect(send(fields).attributes).toEqual(READ);
      }
    });
  }
  it("§4.2 are null if there are none", () => {
    expect(identify({ traits: { role: "x" } }).attributes).toBeNull();
    expect(identify({}).attributes).toBeNull();
  });
  it("§4.2 are read from traits before properties before the message", () => {
    const fields = {
      properties: { accountPlan: "b", account_seats: 2 },
      accountPlan: "c",
      accountSeats: 3,
      accountMrr: 3,
    };
    expect(identify({ traits: { account_plan: "a" }, ...fields }).attributes).toEqual({ plan: "a", seats: 2, mrr: 3 });
  });
  it("§4.2 are read in camel case before snake case before the bare form, whatever their order", () => {
    const traits = { plan: "c", account_plan: "b", accountPlan: "a", seats: 3, account_seats: 2 };
    expect(group({ traits }).attributes).toEqual({ plan: "a", seats: 2 });
  });
  it("§4.2 are the first usable value", () => {
    const message = { traits: { accountSeats: "many", account_seats: -1 }, properties: { accountSeats: 5 } };
    expect(identify(message).attributes).toEqual({ seats: 5 });
  });
  it("§4.2 may be null, which clears", () => {
    expect(identify({ traits: { accountPlan: null }, accountPlan: "x" }).attributes).toEqual({ plan: null });
  });
  it("§4.2 may have a bare name only in the traits of a group", () => {
    const bare = { stage: "trial", plan: "pro", seats: "12", mrr: 5, currency: "usd" };
    expect(group({ traits: bare })).toMatchObject({
      attributes: { stage: "trial", plan: "pro", seats: 12, mrr: 5, currency: "USD" },
      accountTraits: null,
    });
    expect(group({ properties: bare }).attributes).toBeNull();
    expect(group(bare).attributes).toBeNull();
    expect(identify({ traits: bare })).toMatchObject({ attributes: null, traits: bare });
    expect(track({ properties: bare })).toMatchObject({ attributes: null, properties: bare });
  });
  it.each([
    ["contractEndsAt", "contract_ends_at", "contractEndsOn", "contract_ends_on", "contract_end_date"],
    ["renewsAt", "renews_on", "renewalDate", "renewal_date"],
  ])("§4.2 name the end of a contract as %s, %s, %s or %s in the traits of a group", (...keys) => {
    for (const key of keys) {
      const named = { [key]: "2027-01-31" };
      const read = { attributes: { contractEndsAt: "2027-01-31T00:00:00.000Z" }, traits: null, accountTraits: null };
      expect(group({ traits: named }), key).toMatchObject(read);
      expect(group({ traits: { ...named, accountContractEndsAt: "2028-01-31" } }), key).toMatchObject({
        attributes: { contractEndsAt: "2028-01-31T00:00:00.000Z" },
      });
      expect(identify({ traits: named }), key).toMatchObject({ attributes: null, traits: named });
      expect(track({ properties: named }), key).toMatchObject({ attributes: null, properties: named });
      expect(group({ traits: { [key]: "soon" } }), key).toMatchObject({
        attributes: null,
        accountTraits: { [key]: "soon" },
      });
      expect(group({ traits: { [key]: null } }), key).toMatchObject({ attributes: { contractEndsAt: null } });
    }
  });
  it("§4.2 are removed from the free-form traits, in every spelling", () => {
    const traits = { role: "x", accountPlan: "pro", account_plan: "old", accountSeats: "12", accountMrr: null };
    expect(identify({ traits })).toMatchObject({
      traits: { role: "x" },
      attributes: { plan: "pro", seats: 12, mrr: null },
    });
  });
  it("§4.2 stay free-form traits if they are unusable", () => {
    const traits = {
      accountSeats: "many",
      accountCurrency: "shells",
      trialEndsAt: "soon",
      accountStage: "s".repeat(65),
    };
    expect(identify({ traits })).toMatchObject({ traits, attributes: null });
    const plan = { plan: { id: 1 } };
    expect(group({ traits: plan })).toMatchObject({ accountTraits: plan, attributes: null });
  });
  it.each(["0001-01-01T00:00:00Z", "1970-01-01", "0000-00-00 00:00:00", "-0001-11-30T00:00:00+00:00", "1999-12-31"])(
    "§4.2 are as if absent if trialEndsAt is %s: no time",
    (unknown) => {
      expect(identify({ traits: { trialEndsAt: unknown, role: "x" } })).toMatchObject({
        attributes: null,
        traits: { role: "x" },
      });
      expect(group({ traits: { trial_ends_at: unknown } })).toMatchObject({ attributes: null, accountTraits: null });
      const later = { trial_ends_at: unknown, properties: { trialEndsAt: "2026-03-01" } };
      expect(track({ traits: { trialEndsAt: unknown }, ...later }).attributes).toEqual({
        trialEndsAt: READ.trialEndsAt,
      });
      expect(track({ properties: { trialEndsAt: unknown } })).toMatchObject({
        attributes: null,
        properties: { trialEndsAt: unknown },
      });
    },
  );
  it.each(["", "  ", "\t\n"])("§4.2 are as if absent if they are the blank text %j", (blank) => {
    const names = Object.keys(CAMEL);
    const blanks = Object.fromEntries(names.map((name) => [name, blank]));
    const bare = { plan: blank, stage: blank, seats: blank, mrr: blank, currency: blank, renewalDate: blank };
    expect(group({ traits: { ...blanks, ...bare } })).toMatchObject({ attributes: null, accountTraits: null });
    expect(identify({ traits: { ...blanks, role: blank } })).toMatchObject({
      attributes: null,
      traits: { role: blank },
    });
    expect(track({ traits: blanks, properties: CAMEL }).attributes).toEqual(READ);
  });
  it("§4.2 stay in the properties of a track", () => {
    expect(track({ properties: { accountPlan: "pro" } })).toMatchObject({
      properties: { accountPlan: "pro" },
      attributes: { plan: "pro" },
    });
  });
  it("§5 lose their e-mail addresses", () => {
    const message = identify({ traits: { accountPlan: "of jane@example.com" }, accountStage: "bob@example.com" });
    expect(message.attributes).toEqual({ plan: "of [redacted]", stage: "[redacted]" });
    expect(message.redacted).toEqual(["traits.accountPlan", "accountStage"]);
  });
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

describe("free-form traits", () => {
  it("§4.2 are kept of identify and group, not of track", () => {
    const traits = { role: "x", gone: null };
    expect(identify({ traits }).traits).toEqual(traits);
    expect(group({ traits }).accountTraits).toEqual(traits);
    expect(track({ traits })).toMatchObject({ traits: null, accountTraits: null });
  });
  it("§4.2 are null if none is left", () => {
    expect(identify({ traits: {} }).traits).toBeNull();
    expect(identify({ traits: { email: "x", accountPlan: "y" } }).traits).toBeNull();
  });
  it("§4.2 are the first 256 keys, not counting attributes and personal data", () => {
    expect(identify({ traits: many(256) }).traits).toEqual(many(256));
    expect(identify({ traits: many(257) }).traits).toEqual(many(256));
    expect(identify({ traits: { email: "x", accountPlan: "y", ...many(256) } }).traits).toEqual(many(256));
  });
  it("§4.2 may have an own key __proto__", () => {
    const message = parse('{"type":"identify","userId":"u","traits":{"__proto__":{"a":1},"accountPlan":"p"}}');
    expect(JSON.stringify(accept(message).traits)).toBe('{"__proto__":{"a":1}}');
  });
});
