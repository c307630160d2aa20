import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Message, Rejection } from "../../../src/core/ingest/message.ts";
import { markSides } from "../../../src/db/workspaces/erase-workspace.ts";
import { DatabaseUnavailable } from "../../../src/db/client/faults.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { databaseWith, D1_LOST, D1_OVERLOADED, envWith, failing } from "../support/faulty-env.ts";
import { failingAtTheEnd, type Fate, fated } from "./faulty-database.ts";
import { batchOf, messageWith, request } from "./message-arbitraries.ts";
import { NaiveIngest } from "./naive-ingest.ts";
import { newWorkspace, storedState } from "./stored-state.ts";
import { cases } from "../../thorough.ts";

const sent = (fields: Partial<Message>): Message => messageWith({ properties: { n: 1 }, ...fields });

const rejected = (messageId: string): Rejection => ({
  index: 1,
  automatic: false,
  messageId,
  code: "invalid_message",
  message: "No.",
  path: null,
  kept: { type: "track", messageId, userId: "u1", accountId: null, event: null, properties: null, traits: null },
});
const REJECTION = rejected("m2");

const store = (database: Env, workspace: Awaited<ReturnType<typeof newWorkspace>>, messages: Message[]) =>
  storeBatch(database, workspace, "key_1", batchOf(messages));

describe("§8 a transaction whose answer or request was lost", () => {
  it("stores and returns the same as without the fault", { timeout: 120_000 }, async () => {
    const fate = fc.constantFrom<Fate[]>("answered", "answer lost", "answer lost", "request lost");
    const faulty = fc.array(fc.tuple(request, fate), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(faulty, async (requests) => {
        const workspace = await newWorkspace();
        const naive = new NaiveIngest();
        for (const [batch, first] of requests) {
          const { source, messages, rejections } = batch;
          const stored = messages.filter((one) => naive.take(source, one)).length;
          for (const one of rejections) naive.reject(one);
          expect(await storeBatch(fated(first), workspace, "key_1", batch)).toMatchObject({
            outcome: "stored",
            stored,
            duplicates: messages.length - stored,
            ...naive.answerTo(source, messages),
          });
        }
        expect(await storedState(workspace)).toEqual(naive.snapshot());
      }),
      { numRuns: cases(50) },
    );
  });

  it("counts and keeps them once when another request comes before the retry", async () => {
    const workspace = await newWorkspace();
    const { DB } = databaseWith(async (run, trip) => {
      const committed = await run();
      if (trip > 1) return committed;
      await storeBatch(env, workspace, "key_1", batchOf([], [rejected("other")]));
      throw new Error(D1_LOST);
    });
    await storeBatch(envWith({ DB }), workspace, "key_1", batchOf([sent({})], [REJECTION]));
    const { rejections, rejected: counts } = await storedState(workspace);
    expect(rejections.map(({ messageId }) => messageId)).toEqual(["m2", "other"]);
    expect(counts).toEqual({ invalid_message: 2 });
  });

  it("§4.3.4 doesn't keep attributes pending again after the user's first account received them", async () => {
    const workspace = await newWorkspace();
    await store(fated("answer lost"), workspace, [
      sent({ type: "identify", event: null, properties: null, attributes: { plan: "pro" } }),
      sent({ type: "group", messageId: "m2", accountId: "acme", event: null, properties: null }),
    ]);
    await store(env, workspace, [sent({ messageId: "m3", accountId: "globex" })]);
    const { accounts, users } = await storedState(workspace);
    expect(accounts).toMatchObject({ "company:acme": { plan: ["pro", 1_000, 1] }, "company:globex": {} });
    expect(accounts["company:globex"]).toEqual({});
    expect(users["u1"]?.pending).toEqual({});
  });

  it("fails after the second attempt, and the same messages can be sent again", async () => {
    const workspace = await newWorkspace();
    const twice = store(fated("request lost", "answer lost"), workspace, [sent({})]);
    await expect(twice).rejects.toSatisfy((error) => error instanceof DatabaseUnavailable && !error.notApplied);
    expect(await store(env, workspace, [sent({})])).toMatchObject({ stored: 0, duplicates: 1 });
  });
});

describe("§8 a transaction that failed", () => {
  it("isn't retried on an overloaded database, and stores nothing", async () => {
    const workspace = await newWorkspace();
    const { DB, trips } = databaseWith(failing(D1_OVERLOADED));
    const refused = store(envWith({ DB }), workspace, [sent({})]);
    await expect(refused).rejects.toSatisfy((error) => error instanceof DatabaseUnavailable && error.notApplied);
    expect(trips()).toBe(1);
    expect((await storedState(workspace)).log).toEqual([]);
  });

  it("§4.4 stores nothing when its last statement fails, and the message can be sent again", async () => {
    const workspace = await newWorkspace();
    const messages = [
      sent({
        type: "group",
        accountId: "acme",
        event: null,
        properties: null,
        traits: { a: 1 },
        attributes: { plan: "pro" },
      }),
      sent({ messageId: "m2" }),
      sent({
        type: "identify",
        messageId: "m3",
        userId: "u2",
        event: null,
        properties: null,
        attributes: { seats: 3 },
      }),
    ];
    const failed = store(envWith({ DB: failingAtTheEnd(env.DB) }), workspace, messages);
    await expect(failed).rejects.toThrow("NOT NULL");
    expect(await storedState(workspace)).toEqual(new NaiveIngest().snapshot());

    const naive = new NaiveIngest();
    for (const one of messages) naive.take("cdp", one);
    expect(await store(env, workspace, messages)).toMatchObject({ stored: 3, duplicates: 0 });
    expect(await storedState(workspace)).toEqual(naive.snapshot());
  });

  it("§9 stores nothing, not even rejections, in a workspace whose erasure has begun", async () => {
    const workspace = await newWorkspace();
    await store(env, workspace, [sent({})]);
    const before = await storedState(workspace);
    await markSides(env, workspace);

    const late = [
      sent({ messageId: "m2" }),
      sent({ type: "identify", messageId: "m3", userId: "u2", traits: { a: 1 } }),
    ];
    const notLive = { kind: "not_live", notApplied: true };
    await expect(storeBatch(env, workspace, "key_1", batchOf(late, [REJECTION]))).rejects.toMatchObject(notLive);
    const group = sent({ type: "group", messageId: "m4", accountId: "acme", event: null, attributes: { plan: "pro" } });
    await expect(store(env, workspace, [group])).rejects.toMatchObject(notLive);
    expect(await storedState(workspace)).toEqual(before);
  });
});
