/** Users without a company and their personal accounts: docs/wire/messages.md §4.3.4 to §4.3.6. */
import { describe, expect, it } from "vitest";

import { at, group, identify, type IngestSender, newSender, track } from "./sender.ts";

/** How messages other than a group name an account. */
const NAMING = [
  { type: "track", name: (sender: IngestSender, accountId: string) => sender.send(track({ accountId })) },
  { type: "identify", name: (sender: IngestSender, accountId: string) => sender.send(identify({ accountId })) },
  { type: "native capture", name: (sender: IngestSender, accountId: string) => sender.capture({ accountId }) },
];

describe("an identify of a user without an account", () => {
  it("§4.3.4 creates no account, and returns null as `account`", async () => {
    const sender = await newSender();
    const answer = await sender.send(identify({ traits: { role: "admin", accountPlan: "pro" } }));
    expect(answer).toMatchObject({ stored: 1, account: null, user: { externalId: "u1" } });
    expect((await sender.state()).accounts).toEqual({});
    expect((await sender.user()).account).toBeNull();
  });

  it("§4.3.4 keeps the traits on the user, even after an account comes", async () => {
    const sender = await newSender();
    await sender.send(identify({ traits: { role: "admin" } }));
    expect((await sender.user()).traits).toEqual({ role: "admin" });
    await sender.send(group("acme"));
    expect((await sender.user()).traits).toEqual({ role: "admin" });
    expect(await sender.traits("company:acme")).toEqual({});
  });

  it.each([
    ["a group", group("acme"), "company:acme"],
    ["a track that names one", track({ accountId: "acme" }), "company:acme"],
    ["an identify that names one", identify({ accountId: "acme" }), "company:acme"],
    ["a track that names none", track(), "solo:u1"],
  ])("§4.3.4 leaves account attributes pending until %s gives the user an account", async (_, message, account) => {
    for (const together of [false, true]) {
      const sender = await newSender();
      const waiting = identify({ traits: { accountPlan: "pro", accountSeats: "12", accountStage: null } });
      await (together ? sender.send(waiting, message) : sender.send(waiting).then(() => sender.send(message)));
      expect(await sender.attributes(account)).toEqual({ plan: "pro", seats: 12, stage: null });
    }
  });

  it("§4.3.4 leaves them with their own times: they replace older values of the account, not newer ones", async () => {
    const sender = await newSender();
    await sender.send(
      identify({ traits: { accountPlan: "waited", accountSeats: 5 }, timestamp: at(5) }),
      group("acme", { userId: "u2", traits: { plan: "newer", seats: 4 }, timestamp: at(4) }),
      group("acme", { userId: "u2", traits: { plan: "newest" }, timestamp: at(6) }),
    );
    await sender.send(group("acme", { timestamp: at(9) }));
    expect(await sender.attributes()).toEqual({ plan: "newest", seats: 5 });
    // A pending attribute keeps its own time after it is applied.
    await sender.send(group("acme", { userId: "u2", traits: { seats: 6 }, timestamp: at(7) }));
    expect(await sender.attributes()).toEqual({ plan: "newest", seats: 6 });
  });

  it("§4.3.4 leaves them to the first account only", async () => {
    const sender = await newSender();
    await sender.send(identify({ traits: { accountPlan: "pro" } }));
    await sender.send(track({ accountId: "acme" }));
    await sender.send(group("globex"), track({ accountId: "initech" }));
    expect(await sender.attributes("company:acme")).toEqual({ plan: "pro" });
    expect(await sender.attributes("company:globex")).toEqual({});
    expect(await sender.attributes("company:initech")).toEqual({});
  });
});

describe("a track of a user without an account", () => {
  it("§4.3.5 creates a personal account, named like the user", async () => {
    const sender = await newSender();
    const answer = await sender.send(track({ messageId: "m1" }));
    expect(answer).toMatchObject({ account: { externalId: "u1" }, user: { externalId: "u1" } });
    expect((await sender.user()).account).toEqual({ ...answer.account, kind: "solo", via: "solo" });
    expect((await sender.user()).memberships).toEqual([]);
    const again = await sender.send(track({ messageId: "m2" }), identify());
    expect(again.account).toEqual(answer.account);
    expect(await sender.accountsOfEvents()).toEqual({ m1: "solo:u1", m2: "solo:u1" });
  });

  it("§4.3.5 never uses the company account with the same id, whichever came first", async () => {
    for (const companyFirst of [true, false]) {
      const sender = await newSender();
      const company = track({ messageId: "c", userId: "other", accountId: "7" });
      const one = track({ messageId: "s", userId: "7" });
      const answers = [];
      for (const message of companyFirst ? [company, one] : [one, company]) answers.push(await sender.send(message));
      expect(answers[0]?.account?.id).not.toBe(answers[1]?.account?.id);
      expect(answers.map(({ account }) => account?.externalId)).toEqual(["7", "7"]);
      expect(await sender.accountsOfEvents()).toEqual({ c: "company:7", s: "solo:7" });
    }
  });
});

describe("leaving a personal or an implied account", () => {
  it.each(NAMING)(
    "§4.3.6 an explicit account on a $type becomes the user's account if the user has none",
    async ({ name }) => {
      const sender = await newSender();
      await name(sender, "acme");
      expect((await sender.user()).account).toMatchObject({ externalId: "acme", kind: "company", via: "implied" });
      expect((await sender.user()).memberships).toEqual([]);
      await sender.send(track({ messageId: "m1" }));
      expect(await sender.accountsOfEvents()).toMatchObject({ m1: "company:acme" });
    },
  );

  it.each(NAMING)("§4.3.6 an explicit account on a $type replaces a personal account", async ({ name }) => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    await name(sender, "acme");
    await sender.send(track({ messageId: "m2" }));
    expect(await sender.accountOf()).toBe("company:acme");
    expect(await sender.accountsOfEvents()).toMatchObject({ m1: "solo:u1", m2: "company:acme" });
  });

  it.each(NAMING)("§4.3.6 an explicit account on a $type doesn't replace a company", async ({ name }) => {
    const sender = await newSender();
    await sender.send(track({ accountId: "acme" }));
    await name(sender, "globex");
    expect(await sender.accountOf()).toBe("company:acme");
    await sender.send(group("initech"));
    await name(sender, "globex");
    expect(await sender.accountOf()).toBe("company:initech");
  });

  it("§4.3.6 any later group replaces a personal or an implied account, whatever its time", async () => {
    const sender = await newSender();
    await sender.send(track({ timestamp: at(9) }), track({ userId: "u2", accountId: "acme", timestamp: at(9) }));
    const old = { timestamp: "2001-01-01T00:00:00Z" };
    await sender.send(group("globex", old), group("globex", { ...old, userId: "u2" }));
    expect([await sender.accountOf("u1"), await sender.accountOf("u2")]).toEqual(["company:globex", "company:globex"]);
  });

  it("§4.3.6 the same holds within a batch", async () => {
    const sender = await newSender();
    const old = { timestamp: "2001-01-01T00:00:00Z" };
    await sender.send(
      track({ messageId: "m1" }),
      track({ messageId: "m2", accountId: "acme" }),
      track({ messageId: "m3" }),
      track({ messageId: "m4", accountId: "globex" }),
      track({ messageId: "m5" }),
      group("initech", old),
      track({ messageId: "m6" }),
    );
    expect(await sender.accountsOfEvents()).toEqual({
      m1: "solo:u1",
      m2: "company:acme",
      m3: "company:acme",
      m4: "company:globex",
      m5: "company:acme",
      m6: "company:initech",
    });
    expect(await sender.accountOf()).toBe("company:initech");
  });

  it("§4.3.6 events stay with the account they were stored under", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    await sender.send(track({ messageId: "m2", accountId: "acme" }));
    await sender.send(group("globex"));
    await sender.send(group("initech", { timestamp: at(1) }));
    expect(await sender.accountsOfEvents()).toEqual({ m1: "solo:u1", m2: "company:acme" });
  });
});
