/** Traits in places that client libraries choose: docs/wire/messages.md §4.2. */
import { describe, expect, it } from "vitest";

import { accept, reject } from "./support.ts";

const identify = (fields: object) => accept({ type: "identify", userId: "u", ...fields });
const group = (fields: object) => accept({ type: "group", groupId: "g", ...fields });
const track = (fields: object) => accept({ type: "track", userId: "u", event: "e", ...fields });

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

describe("traits in the context", () => {
  const context = { traits: { role: "admin", accountStage: "trial", email: "x", deep: { ip: "1.2.3.4", a: 1 } } };
  const read = {
    traits: { role: "admin", deep: { a: 1 } },
    attributes: { stage: "trial" },
    redacted: ["context.traits.email", "context.traits.deep.ip"],
  };

  it.each([undefined, null, {}, []])("§4.2 are the user's in identify and group, beside traits %j", (traits) => {
    for (const send of [identify, group]) {
      expect(send({ userId: "u", traits, context })).toMatchObject({ ...read, accountTraits: null });
    }
  });
  it("§4.2 only name the account in a track", () => {
    expect(track({ context })).toMatchObject({ traits: null, accountTraits: null, attributes: null, redacted: [] });
    const more = { traits: { ...context.traits, account_id: "acme" } };
    expect(track({ context: more })).toMatchObject({ accountId: "acme", traits: null, attributes: null, redacted: [] });
  });
  it("§4.2 of a group never change the account's traits, whatever the keys", () => {
    const mine = { plan: "free", seats: 1, mrr: 0, stage: "lead", currency: "usd", industry: "arts", accountPlan: "b" };
    const message = group({
      userId: "u",
      traits: { plan: "pro", seats: 9, industry: "mining", email: "x" },
      context: { traits: { ...mine, email: "y" } },
    });
    const { accountPlan: _, ...traits } = mine;
    expect(message).toMatchObject({
      traits,
      accountTraits: { industry: "mining" },
      redacted: ["traits.email", "context.traits.email"],
    });
    expect(message.attributes).toEqual({ plan: "pro", seats: 9 });
  });
  it("§4.2 of a group lose to attributes of the same name in traits, also to null", () => {
    const more = { account_plan: "pro", accountSeats: 5 };
    expect(group({ userId: "u", traits: { accountPlan: null, seats: 2 }, context: { traits: more } })).toMatchObject({
      attributes: { plan: null, seats: 2 },
      traits: null,
      accountTraits: null,
    });
  });
  it("§4.3.7 belong to the account without a user, after traits", () => {
    const fields = { traits: { a: null, b: 2 }, context: { traits: { a: 1, c: 3, plan: "free" } } };
    const accountTraits = { a: null, b: 2, c: 3, plan: "free" };
    expect(group(fields)).toMatchObject({ traits: null, accountTraits, attributes: null });
    const unknown = identify({ userId: null, accountId: "g", ...fields });
    expect(unknown).toMatchObject({ traits: null, accountTraits, attributes: null });
  });
  it("§4.2 lose to the same keys in traits, also to null and to unusable values", () => {
    const traits = { role: "owner", accountPlan: null, accountSeats: "many", team: null };
    const more = { role: "admin", accountPlan: "pro", accountSeats: 5, team: "red", size: 7, email: "x" };
    expect(identify({ traits: { ...traits, email: "y" }, context: { traits: more } })).toMatchObject({
      traits: { role: "owner", accountSeats: "many", team: null, size: 7 },
      attributes: { plan: null },
      redacted: ["traits.email"],
    });
  });
  it("§4.2 are read before properties and the message", () => {
    const others = { properties: { accountPlan: "b", accountSeats: 2 }, accountPlan: "c", accountMrr: 3 };
    expect(identify({ context: { traits: { account_plan: "a" } }, ...others }).attributes).toEqual({
      plan: "a",
      seats: 2,
      mrr: 3,
    });
  });
  it("§4.2 have no bare names of attributes", () => {
    for (const send of [identify, group]) {
      expect(send({ userId: "u", context: { traits: { plan: "pro" } } })).toMatchObject({
        attributes: null,
        traits: { plan: "pro" },
      });
    }
  });
  it.each([null, "x", 1, [], [{}]])("§4.2 are ignored if they are %j", (traits) => {
    expect(identify({ traits: { a: 1 }, context: { traits } }).traits).toEqual({ a: 1 });
  });
  it("§4.5 of a rejected message are kept", () => {
    const message = { type: "group", groupId: "g", timestamp: 1, traits: { a: 1 } };
    expect(reject({ ...message, context: { traits: { a: 2, b: 3, email: "x" } } }).kept?.traits).toEqual({
      a: 1,
      b: 3,
    });
    expect(reject({ ...message, traits: null, context: { traits: { a: 2 } } }).kept?.traits).toEqual({ a: 2 });
    expect(reject({ ...message, type: "track", userId: "u", context: { traits: { b: 3 } } }).kept?.traits).toEqual({
      a: 1,
    });
  });
});

describe("a company among the traits", () => {
  const company = { id: "c9", name: "Acme Ltd", plan: "pro", industry: "mining", employee_count: 40 };
  const read = {
    accountId: "c9",
    attributes: { plan: "pro" },
    accountTraits: { industry: "mining", employee_count: 40 },
  };

  it("§4.2 has attributes and free-form traits of its account, without personal data", () => {
    const message = identify({ traits: { role: "admin", company } });
    expect(message).toMatchObject({ ...read, traits: { role: "admin" }, redacted: ["traits.company.name"] });
    expect(identify({ context: { traits: { role: "admin", company } } })).toMatchObject({
      ...read,
      traits: { role: "admin" },
      redacted: ["context.traits.company.name"],
    });
    const size = { accountTraits: { ...read.accountTraits, size: 1 }, traits: null };
    expect(group({ groupId: "c9", traits: { size: 1, company } })).toMatchObject({ ...read, ...size });
    expect(group({ groupId: "c9", userId: "u", context: { traits: { size: 1, company } } })).toMatchObject({
      ...read,
      traits: { size: 1 },
    });
    expect(track({ traits: { company } })).toMatchObject({ ...read, traits: null, accountTraits: null });
    expect(identify({ userId: null, traits: { company } })).toMatchObject(read);
  });
  it("§4.2 loses to the traits of its account around it", () => {
    const traits = { industry: null, size: 1, company };
    const accountTraits = { industry: null, size: 1, employee_count: 40 };
    expect(group({ groupId: "c9", traits })).toMatchObject({ accountTraits });
    expect(identify({ userId: null, traits })).toMatchObject({ accountTraits });
  });
  it("§4.2 loses to the attributes in the traits around it", () => {
    expect(identify({ traits: { accountPlan: "basic", company: { ...company, seats: "7" } } }).attributes).toEqual({
      plan: "basic",
      seats: 7,
    });
  });
  it("§4.2 may have no id if another field names the account", () => {
    const { id: _, ...unnamed } = company;
    expect(identify({ accountId: "c9", traits: { company: unnamed } })).toMatchObject(read);
    expect(identify({ accountId: "c9", traits: { company: { ...unnamed, id: " " } } })).toMatchObject(read);
  });
  it.each<[string, object]>([
    ["another account's", { accountId: "other", traits: { company } }],
    ["nobody's", { traits: { company: { plan: "pro", industry: "mining" } } }],
    ["a text", { traits: { company: "Acme Ltd" } }],
    ["a list", { traits: { company: [company] } }],
  ])("§5 is removed if it is %s", (_, fields) => {
    expect(identify(fields)).toMatchObject({
      attributes: null,
      traits: null,
      accountTraits: null,
      redacted: ["traits.company"],
    });
  });
  it("§4.2 shares the 256 traits of its message", () => {
    const message = identify({ traits: { company: { id: "c9", ...many(200) }, ...many(100) } });
    expect(message).toMatchObject({ traits: many(100), accountTraits: many(156) });
  });
});
