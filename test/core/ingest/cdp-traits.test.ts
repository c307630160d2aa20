/** Traits in places that client libraries choose: docs/wire.md §4.2. */
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

  it.each([undefined, null, {}, []])("§4.2 are read in identify and group, beside traits %j", (traits) => {
    expect(identify({ traits, context })).toMatchObject(read);
    expect(group({ traits, context })).toMatchObject(read);
  });
  it("§4.2 are not read in a track", () => {
    expect(track({ context })).toMatchObject({ traits: null, attributes: null, redacted: [] });
    expect(track({ context: { traits: { accountId: "acme" } } }).accountId).toBeNull();
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
  it("§4.2 may have the bare names of attributes in a group", () => {
    expect(group({ context: { traits: { plan: "pro", seats: "12" } } })).toMatchObject({
      attributes: { plan: "pro", seats: 12 },
      traits: null,
    });
    expect(identify({ context: { traits: { plan: "pro" } } })).toMatchObject({
      attributes: null,
      traits: { plan: "pro" },
    });
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
    expect(group({ groupId: "c9", traits: { size: 1, company } })).toMatchObject({ ...read, traits: { size: 1 } });
    expect(track({ traits: { company } })).toMatchObject({ ...read, traits: null, accountTraits: null });
    expect(identify({ userId: null, traits: { company } })).toMatchObject(read);
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
