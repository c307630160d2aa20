/** Which account and user a message belongs to: docs/wire/messages.md §4.3.1 to §4.3.3 and §4.3.7. */
import { describe, expect, it } from "vitest";

import { at, group, identify, newSender, track } from "./sender.ts";

describe("an explicit account", () => {
  it("§4.3.1 is used as given, and created if it is new", async () => {
    const sender = await newSender();
    const first = await sender.send(track({ messageId: "m1", properties: { accountId: "acme" } }));
    expect(first.account).toEqual({ id: expect.stringMatching(/^acc_/), externalId: "acme" });

    const second = await sender.send(track({ messageId: "m2", userId: "u2", accountId: "acme" }));
    expect(second.account).toEqual(first.account);
    expect(await sender.accountsOfEvents()).toEqual({ m1: "company:acme", m2: "company:acme" });
    expect(Object.keys((await sender.state()).accounts)).toEqual(["company:acme"]);
  });

  it("§4.3.1 wins over the account that the user was grouped into", async () => {
    const sender = await newSender();
    await sender.send(group("acme"), track({ messageId: "m1", accountId: "globex" }), track({ messageId: "m2" }));
    expect(await sender.accountsOfEvents()).toEqual({ m1: "company:globex", m2: "company:acme" });
  });

  it("§4.3.1 is another one with another case or inner spaces, but not with outer spaces", async () => {
    const sender = await newSender();
    await sender.send(track({ accountId: "Acme" }), track({ accountId: " acme " }), track({ accountId: "ac  me" }));
    expect(Object.keys((await sender.state()).accounts).toSorted()).toEqual([
      "company:Acme",
      "company:ac  me",
      "company:acme",
    ]);
  });
});

describe("groups", () => {
  it("§4.3.2 make the user a member of the account", async () => {
    const sender = await newSender();
    const answer = await sender.send(group("acme", { timestamp: at(3) }));
    const user = await sender.user();
    expect(user.account).toEqual({ ...answer.account, kind: "company", via: "group" });
    expect(user.memberships).toEqual([{ account: { ...answer.account, kind: "company" }, groupedAt: at(3) }]);
  });

  it("§4.3.2 move the user to the one with the latest occurredAt, in whatever order they arrive", async () => {
    const orders = [
      [1, 2, 3],
      [1, 3, 2],
      [2, 1, 3],
      [2, 3, 1],
      [3, 1, 2],
      [3, 2, 1],
    ];
    for (const order of orders) {
      const [batched, alone] = [await newSender(), await newSender()];
      const groups = order.map((minute) => group(`company ${minute}`, { timestamp: at(minute) }));
      await batched.send(...groups);
      for (const one of groups) await alone.send(one);
      expect(await batched.accountOf(), `sent as ${order.join()}`).toBe("company:company 3");
      expect(await alone.accountOf(), `sent as ${order.join()}`).toBe("company:company 3");
      expect((await alone.user()).memberships.map(({ account }) => account.externalId)).toEqual([
        "company 3",
        "company 2",
        "company 1",
      ]);
    }
  });

  it("§4.3.2 move the user to the later arrival of two with the same time", async () => {
    const sender = await newSender();
    await sender.send(group("acme"), group("globex"));
    expect(await sender.accountOf()).toBe("company:globex");
    await sender.send(group("initech"));
    expect(await sender.accountOf()).toBe("company:initech");
  });
});

describe("messages without an account", () => {
  it("§4.3.3 belong to the account that their user was most recently grouped into", async () => {
    const sender = await newSender();
    await sender.send(group("acme"));
    const answer = await sender.send(track({ messageId: "m1", properties: { accountPlan: "pro" } }));
    expect(answer.account?.externalId).toBe("acme");
    const identified = await sender.send(identify({ traits: { accountSeats: 7 } }));
    expect(identified.account).toEqual(answer.account);
    expect(await sender.accountsOfEvents()).toEqual({ m1: "company:acme" });
    expect(await sender.attributes()).toEqual({ plan: "pro", seats: 7 });
  });

  it("§4.3.3 belong to the account that the earlier messages of the batch leave", async () => {
    const sender = await newSender();
    await sender.send(group("acme", { timestamp: at(1) }));
    await sender.send(
      track({ messageId: "before", timestamp: at(9) }),
      group("globex", { timestamp: at(2) }),
      track({ messageId: "between" }),
      group("initech", { timestamp: at(3) }),
      track({ messageId: "after", timestamp: at(1) }),
      group("late", { timestamp: at(0) }),
      track({ messageId: "last" }),
    );
    expect(await sender.accountsOfEvents()).toEqual({
      before: "company:acme",
      between: "company:globex",
      after: "company:initech",
      last: "company:initech",
    });
  });

  it("§4.3.3 ignore a group of the batch that is older than the stored one", async () => {
    const sender = await newSender();
    await sender.send(group("acme", { timestamp: at(5) }));
    await sender.send(group("globex", { timestamp: at(4) }), track({ messageId: "m1" }));
    expect(await sender.accountsOfEvents()).toEqual({ m1: "company:acme" });
  });

  it("§4.3.3 prefer a group of the batch to a stored one with the same time", async () => {
    const sender = await newSender();
    await sender.send(group("acme", { timestamp: at(5) }));
    await sender.send(group("globex", { timestamp: at(5) }), track({ messageId: "m1" }));
    expect(await sender.accountsOfEvents()).toEqual({ m1: "company:globex" });
  });

  it("§4.3.6 belong to the first account that the batch names for a user without one", async () => {
    const sender = await newSender();
    await sender.send(track({ accountId: "acme" }), track({ accountId: "globex" }), track({ messageId: "m1" }));
    expect(await sender.accountsOfEvents()).toMatchObject({ m1: "company:acme" });
  });
});

describe("messages without a user", () => {
  it("§4.3.7 are valid with an account, and their `user` is null", async () => {
    const sender = await newSender();
    const messages = [
      { type: "track", event: "x", accountId: "acme", messageId: "m1", anonymousId: "nobody" },
      { type: "identify", accountId: "acme", traits: { size: "L" } },
      { type: "group", groupId: "acme" },
    ];
    for (const message of messages) {
      expect(await sender.send(message)).toMatchObject({ stored: 1, user: null, account: { externalId: "acme" } });
    }
    expect(await sender.events()).toMatchObject([{ messageId: "m1", user: null, account: { externalId: "acme" } }]);
    expect((await sender.state()).users).toEqual({});
  });

  it("§4.3.7 give the traits of an identify to the account", async () => {
    const sender = await newSender();
    await sender.send(
      identify({ userId: null, accountId: "acme", traits: { size: "L", region: "EU" } }),
      group("acme", { traits: { region: "US", sector: "rail" }, timestamp: at(1) }),
    );
    expect(await sender.traits("company:acme")).toEqual({ size: "L", region: "US", sector: "rail" });
    expect(await sender.traits("user:u1")).toEqual({});
  });

  it("§4.3.7 are invalid without an account, even with an anonymousId", async () => {
    const sender = await newSender();
    const answer = await sender.send(
      { type: "track", event: "x", anonymousId: "a1" },
      { type: "identify", traits: { a: 1 }, userId: "  " },
      track(),
    );
    expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual([
      [0, "invalid_message"],
      [1, "invalid_message"],
    ]);
    expect(answer.stored).toBe(1);
  });
});
