/** Deduplication: docs/wire/batches.md §4.4, and docs/wire/capture.md §3 for native captures. */
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
  it("§4.4 apply nothing of a duplicate, whatever it contains", async () => {
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

  it("§4.4 return the account and user that a duplicate had the first time", async () => {
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

  it("§4.4 store the first of two messages with one id in a batch", async () => {
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

  it("§4.4 leave the id of an invalid message free", async () => {
    const sender = await newSender();
    const answer = await sender.send(track({ messageId: "m1", event: "" }), track({ messageId: "m1" }));
    expect(answer).toMatchObject({ stored: 1, duplicates: 0, rejected: [{ index: 0, messageId: "m1" }] });
  });

  it("§4.2 are never duplicates without a messageId", async () => {
    const sender = await newSender();
    const same = track({ messageId: null });
    expect(await sender.send(same, same)).toMatchObject({ stored: 2, duplicates: 0 });
    expect(await sender.send(same)).toMatchObject({ stored: 1, duplicates: 0 });
    expect(new Set((await sender.events()).map(({ messageId }) => messageId)).size).toBe(3);
  });

  it("§4.4 are known for at least 90 days", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    const then = Date.now() + 90 * DAY_MS;
    // The run at midnight has the most to do.
    await runScheduled(env, then - (then % DAY_MS));
    vi.setSystemTime(then);
    expect(await sender.send(track({ messageId: "m1" }))).toMatchObject({ stored: 0, duplicates: 1, deduped: true });
  });

  it("§4.4 can be sent again after a failed request, which leaves nothing behind", async () => {
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
  it("§3 store nothing for a repeated Idempotency-Key, and return the account and user of the first time", async () => {
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

  it("§3 are never deduped without a key, and are stored as `native`", async () => {
    const sender = await newSender();
    const answers = [await sender.capture({}), await sender.capture({})];
    expect(answers.map(({ deduped }) => deduped)).toEqual([false, false]);
    expect((await sender.events()).map(({ source }) => source)).toEqual(["native", "native"]);
  });

  it("§3 have Idempotency-Keys in another name space than message ids", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "same" }));
    expect((await sender.capture({}, "same")).deduped).toBe(false);
    expect((await sender.capture({}, "same")).deduped).toBe(true);
    expect(await sender.send(track({ messageId: "same" }))).toMatchObject({ stored: 0, duplicates: 1 });
    expect((await sender.events()).map(({ source }) => source)).toEqual(["cdp", "native"]);
  });

  it("§3 leave the Idempotency-Key of an invalid capture free", async () => {
    const sender = await newSender();
    const headers = { headers: { "Idempotency-Key": "key-1" } };
    const refused = await sender.workspace.post("/api/v1/events", { accountId: "acme", event: "x" }, headers);
    expect(refused.status).toBe(400);
    expect((await sender.capture({}, "key-1")).deduped).toBe(false);
  });
});
