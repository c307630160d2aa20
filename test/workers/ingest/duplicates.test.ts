/** Deduplication: docs/wire.md §4.4, and §3 for native captures. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";

import { runScheduled } from "../../../src/scheduled.ts";
import { failingAtTheEnd } from "../db/faulty-database.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { at, group, identify, newSender, track } from "./sender.ts";

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

describe("compatibility messages", () => {
  it("§4.4 a message whose messageId is stored is a duplicate: nothing of it is applied, whatever it says now", async () => {
    const sender = await newSender();
    await sender.send(
      track({ messageId: "t" }),
      identify({ messageId: "i", userId: "u2", traits: { role: "admin", accountPlan: "pro" } }),
      group("acme", { messageId: "g", userId: "u3", traits: { sector: "rail" } }),
    );
    const before = await sender.state();
    const later = { timestamp: at(99) };
    const answer = await sender.send(
      track({ messageId: "t", userId: "new", event: "other", ...later }),
      identify({ messageId: "i", userId: "u2", traits: { role: null, accountPlan: "max", more: 1 }, ...later }),
      group("globex", { messageId: "g", userId: "u3", traits: { sector: "air", plan: "max" }, ...later }),
      group("initech", { messageId: "t", userId: "u1", ...later }),
    );
    expect(answer).toMatchObject({ stored: 0, duplicates: 4, deduped: true });
    expect(await sender.state()).toEqual(before);
  });

  it("§4.4 the answer to a duplicate names the account and user stored the first time", async () => {
    const sender = await newSender();
    const first = await sender.send(track({ messageId: "m1" }));
    await sender.send(group("acme"));
    const again = await sender.send(track({ messageId: "m1", userId: "u9", accountId: "globex" }));
    expect(again).toMatchObject({ account: first.account, user: first.user, deduped: true, stored: 0, duplicates: 1 });

    const nobody = await sender.send(identify({ messageId: "m2", userId: "u2" }));
    await sender.send(group("acme", { userId: "u2" }));
    const repeated = await sender.send(identify({ messageId: "m2", userId: "u2" }));
    expect([nobody.account, repeated.account]).toEqual([null, null]);
    expect(repeated.user).toEqual(nobody.user);
  });

  it("§4.4 of a messageId that comes twice in a batch the first is stored", async () => {
    const sender = await newSender();
    const answer = await sender.send(
      identify({ messageId: "m1", traits: { role: "first" } }),
      identify({ messageId: "m1", traits: { role: "second" }, timestamp: at(9) }),
      track({ messageId: "m1", userId: "u2" }),
    );
    expect(answer).toMatchObject({
      stored: 1,
      duplicates: 2,
      deduped: false,
      user: { externalId: "u1" },
      account: null,
    });
    expect((await sender.user()).traits).toEqual({ role: "first" });
    expect(await sender.events()).toEqual([]);
  });

  it("§4.4 an invalid message does not claim its messageId", async () => {
    const sender = await newSender();
    const answer = await sender.send(track({ messageId: "m1", event: "" }), track({ messageId: "m1" }));
    expect(answer).toMatchObject({ stored: 1, duplicates: 0, rejected: [{ index: 0, messageId: "m1" }] });
  });

  it("§4.2 messages without a messageId are never duplicates", async () => {
    const sender = await newSender();
    const same = track({ messageId: null });
    expect(await sender.send(same, same)).toMatchObject({ stored: 2, duplicates: 0 });
    expect(await sender.send(same)).toMatchObject({ stored: 1, duplicates: 0 });
    expect(new Set((await sender.events()).map(({ messageId }) => messageId)).size).toBe(3);
  });

  it("§4.4 a messageId is a duplicate in its own workspace only", async () => {
    const [one, other] = [await newSender(), await newSender()];
    await one.send(track({ messageId: "m1" }));
    expect(await other.send(track({ messageId: "m1" }))).toMatchObject({ stored: 1, duplicates: 0 });
  });

  it("§4.4 a message is known for at least 90 days", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    const then = Date.now() + 90 * DAY_MS;
    // The run of the day that has the most to do.
    await runScheduled(env, then - (then % DAY_MS));
    vi.setSystemTime(then);
    expect(await sender.send(track({ messageId: "m1" }))).toMatchObject({ stored: 0, duplicates: 1, deduped: true });
  });

  it("§4.4 a message that was not stored can be sent again: a request that failed left nothing behind", async () => {
    const sender = await newSender();
    const batch = { batch: [group("acme", { messageId: "g" }), track({ messageId: "m1" }), track({ event: "!" })] };
    const headers = { Authorization: `Bearer ${sender.workspace.key}` };
    const broken = envWith({ DB: failingAtTheEnd(env.DB) });
    const failed = await sendWith(broken, "POST", "/api/v1/cdp", batch, { headers });
    expect(failed.status).toBe(500);
    expect(await sender.state()).toMatchObject({ log: [], accounts: {}, users: {}, rejections: [], rejected: {} });
    expect(await sender.post(batch)).toMatchObject({ stored: 2, duplicates: 0 });
  });
});

describe("native captures", () => {
  it("§3 the same Idempotency-Key again is deduped, with the account and user of the first time, and stores nothing", async () => {
    const sender = await newSender();
    const first = await sender.capture({ accountPlan: "pro" }, "key-1");
    expect(first.deduped).toBe(false);
    const before = await sender.state();
    const again = await sender.capture(
      { accountId: "globex", userId: "u2", event: "other", accountPlan: "max" },
      "key-1",
    );
    expect(again).toMatchObject({ deduped: true, account: first.account, user: first.user });
    expect(await sender.state()).toEqual(before);
  });

  it("§3 captures without a key are never deduped, and are stored as `native`", async () => {
    const sender = await newSender();
    const answers = [await sender.capture({}), await sender.capture({})];
    expect(answers.map(({ deduped }) => deduped)).toEqual([false, false]);
    expect((await sender.events()).map(({ source }) => source)).toEqual(["native", "native"]);
  });

  it("§3 Idempotency-Keys and message ids are separate name spaces", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "same" }));
    expect((await sender.capture({}, "same")).deduped).toBe(false);
    expect((await sender.capture({}, "same")).deduped).toBe(true);
    expect(await sender.send(track({ messageId: "same" }))).toMatchObject({ stored: 0, duplicates: 1 });
    expect((await sender.events()).map(({ source }) => source)).toEqual(["cdp", "native"]);
  });

  it("§3 an invalid capture does not claim its Idempotency-Key", async () => {
    const sender = await newSender();
    const headers = { headers: { "Idempotency-Key": "key-1" } };
    const refused = await sender.workspace.post("/api/v1/events", { accountId: "acme", event: "x" }, headers);
    expect(refused.status).toBe(400);
    expect((await sender.capture({}, "key-1")).deduped).toBe(false);
  });
});
