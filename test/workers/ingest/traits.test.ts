/** Traits and account attributes: docs/wire/messages.md §4.2 and §4.3.8. */
import { describe, expect, it } from "vitest";

import { at, group, identify, newSender, track } from "./sender.ts";

/** Sends messages in every order, one by one and as a batch. */
async function inEveryOrder(
  messages: Record<string, unknown>[],
  check: (sender: Awaited<ReturnType<typeof newSender>>, order: string) => Promise<void>,
) {
  for (const order of permutations(messages)) {
    const [alone, together] = [await newSender(), await newSender()];
    for (const message of order) await alone.send(message);
    await together.send(...order);
    const name = JSON.stringify(order.map(({ timestamp }) => timestamp));
    await check(alone, `${name}, one by one`);
    await check(together, `${name}, as a batch`);
  }
}

const permutations = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, place) => permutations(items.toSpliced(place, 1)).map((rest) => [item, ...rest]));

const join = (userId: string, minute: number, traits: object) =>
  group("acme", { userId, timestamp: at(minute), context: { traits } });

describe("traits", () => {
  it("§4.3.8 have the value with the latest occurredAt, in whatever order values arrive", async () => {
    const versions = [1, 2, 3].map((minute) =>
      identify({ traits: { version: minute, [`v${minute}`]: true }, timestamp: at(minute) }),
    );
    await inEveryOrder(versions, async (sender, order) => {
      expect((await sender.user()).traits, order).toEqual({ version: 3, v1: true, v2: true, v3: true });
    });
  });

  it("§4.3.8 are removed by null, and an older value doesn't bring them back", async () => {
    const story = [
      identify({ traits: { role: "first" }, timestamp: at(1) }),
      identify({ traits: { role: "older" }, timestamp: at(2) }),
      identify({ traits: { role: null }, timestamp: at(3) }),
    ];
    await inEveryOrder(story, async (sender, order) => {
      expect((await sender.user()).traits, order).toEqual({});
      await sender.send(identify({ traits: { role: "newer" }, timestamp: at(4) }));
      expect((await sender.user()).traits, order).toEqual({ role: "newer" });
    });
  });

  it("§4.3.8 of a user and an account with the same id are separate", async () => {
    const sender = await newSender();
    await sender.send(
      identify({ userId: "7", traits: { a: "user" } }),
      group("7", { userId: "7", traits: { a: "account" } }),
      identify({ userId: "8", traits: { a: "other" } }),
    );
    expect(await sender.traits("user:7")).toEqual({ a: "user" });
    expect(await sender.traits("user:8")).toEqual({ a: "other" });
    expect(await sender.traits("company:7")).toEqual({ a: "account" });
  });

  it("§4.2 are stored exactly as sent, whatever their keys and values", async () => {
    const sender = await newSender();
    const traits = JSON.parse(
      '{"__proto__":{"a":1},"$.x[0]":1e300,"say \\"hi\\"":"\\u0000\'","ключ":[null,-0.5,[]],"":0,"constructor":"c","n":-1234567890123456}',
    );
    await sender.send(identify({ traits }));
    const kept = (await sender.user()).traits;
    const keys = Object.keys(traits).toSorted();
    expect(Object.keys(kept).toSorted()).toEqual(keys);
    for (const key of keys) expect(JSON.stringify(kept[key]), key).toBe(JSON.stringify(traits[key]));
  });

  it("§4.2 of two accounts keep large integers that differ in the last digit", async () => {
    const sender = await newSender();
    await sender.post(`[
      {"type":"group","groupId":"a","traits":{"crm_id":1524831183200260097}},
      {"type":"group","groupId":"b","traits":{"crm_id":1524831183200260098}}
    ]`);
    expect(await sender.traits("company:a")).toEqual({ crm_id: "1524831183200260097" });
    expect(await sender.traits("company:b")).toEqual({ crm_id: "1524831183200260098" });
  });

  it("§4.2 of a company in an identify belong to the account, and the others to the user", async () => {
    const company = { id: "c9", name: "Acme Ltd", plan: "pro", industry: "mining", employee_count: 40 };
    for (const place of [{ traits: { role: "admin", company } }, { context: { traits: { role: "admin", company } } }]) {
      const sender = await newSender();
      await sender.send(identify(place), identify({ userId: "u2", traits: { company: { id: "c9", industry: null } } }));
      expect(await sender.accountOf()).toBe("company:c9");
      expect((await sender.user()).traits).toEqual({ role: "admin" });
      expect(await sender.traits("company:c9")).toEqual({ employee_count: 40 });
      expect(await sender.attributes("company:c9")).toEqual({ plan: "pro" });
    }
  });

  it("§4.2 in the context of a group are its user's, so that people who join don't change the account", async () => {
    const sender = await newSender();
    await sender.send(group("acme", { userId: null, traits: { plan: "enterprise", seats: 500, industry: "rail" } }));
    await sender.send(
      join("u1", 1, { plan: "free", seats: 1, industry: "arts", role: "admin", company: { id: "acme", size: 9 } }),
      join("u2", 2, { plan: "team", role: "guest", account_stage: "trial" }),
    );
    expect(await sender.attributes()).toEqual({ plan: "enterprise", seats: 500, stage: "trial" });
    expect(await sender.traits("company:acme")).toEqual({ industry: "rail", size: 9 });
    expect(await sender.traits("user:u1")).toEqual({ plan: "free", seats: 1, industry: "arts", role: "admin" });
    expect(await sender.traits("user:u2")).toEqual({ plan: "team", role: "guest" });
    await sender.send(identify({ userId: "u1", traits: { plan: "older" }, timestamp: at(0) }));
    expect(await sender.traits("user:u1")).toMatchObject({ plan: "free" });
  });

  it("§4.2 in the context of an identify keep attributes pending until the user has an account", async () => {
    const sender = await newSender();
    const context = { traits: { role: "admin", accountStage: "trial" } };
    await sender.send({ type: "identify", userId: "u1", context });
    expect((await sender.user()).traits).toEqual({ role: "admin" });
    await sender.send(track({ accountId: "acme" }));
    expect(await sender.attributes()).toEqual({ stage: "trial" });
  });
});

const plan = (name: string, minute: number) => group("acme", { traits: { plan: name }, timestamp: at(minute) });

describe("account attributes", () => {
  it("§4.3.8 have the value with the latest occurredAt, in whatever order, including null and native values", async () => {
    type Send = (sender: Awaited<ReturnType<typeof newSender>>) => Promise<unknown>;
    const story: Send[] = [
      (sender) => sender.send(group("acme", { traits: { plan: "basic", seats: 1, mrr: 1 }, timestamp: at(1) })),
      (sender) => sender.capture({ accountPlan: "pro", accountSeats: null, timestamp: at(2) }),
      (sender) => sender.send(track({ accountId: "acme", properties: { accountPlan: "max" }, timestamp: at(3) })),
      (sender) => sender.capture({ accountMrr: 7, accountPlan: null, timestamp: at(4) }),
    ];
    for (const order of permutations(story)) {
      const sender = await newSender();
      for (const step of order) await step(sender);
      expect(await sender.attributes(), `order ${order.map((step) => story.indexOf(step)).join()}`).toEqual({
        plan: null,
        seats: null,
        mrr: 7,
      });
    }
  });

  it("§4.3.8 advance their time with an equal value, and have the later arrival of two with the same time", async () => {
    const sender = await newSender();
    await sender.send(plan("pro", 1));
    await sender.send(plan("pro", 3));
    await sender.send(plan("basic", 2));
    expect(await sender.attributes()).toEqual({ plan: "pro" });
    await sender.send(plan("max", 3));
    expect(await sender.attributes()).toEqual({ plan: "max" });
  });

  it("§3 stay as they are if they are absent", async () => {
    const sender = await newSender();
    await sender.capture({ accountStage: "trial", accountPlan: "pro", accountCurrency: "usd", timestamp: at(1) });
    await sender.capture({ accountPlan: "max", timestamp: at(2) });
    await sender.capture({ timestamp: at(3) });
    expect(await sender.attributes()).toEqual({ stage: "trial", plan: "max", currency: "USD" });
  });
});
