import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AccountAttributes, Message } from "../../../src/core/ingest/message.ts";
import { storeBatch } from "../../../src/db/ingest-store.ts";
import { NaiveIngest } from "./naive-ingest.ts";
import { newWorkspace, storedState } from "./stored-state.ts";

const RUNS = 250;

/** Few names, few ids and few moments, so that messages meet, repeat and tie. */
const externalId = fc.constantFrom("1", "é", "o'brien");
const key = fc.constantFrom("a", "b", "$.x", 'say "hi"', "__proto__", "size");
const value = fc.constantFrom<[unknown]>([1], [0.1], ["x"], [null], [true], [{ deep: ["'", 1e300] }], ["\u0000"]);
const attributes = fc
  .record(
    { stage: fc.constantFrom("trial", "paid", null), seats: fc.constantFrom(1, 5, null), mrr: fc.constantFrom(0, 99.5, null) },
    { requiredKeys: [] },
  )
  .map((some): AccountAttributes | null => (Object.keys(some).length === 0 ? null : some));
const traits = fc
  .dictionary(key, value, { maxKeys: 3, noNullPrototype: true })
  .map((some) => (Object.keys(some).length === 0 ? null : Object.fromEntries(Object.entries(some).map(([name, [one]]) => [name, one]))));

const message = fc
  .record({
    type: fc.constantFrom("track", "track", "track", "identify", "identify", "group"),
    messageId: fc.integer({ min: 1, max: 40 }).map((id) => `m${id}`),
    userId: fc.option(externalId, { freq: 9 }),
    accountId: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: externalId, weight: 1 }),
    attributes: fc.option(attributes, { freq: 1 }),
    traits: fc.option(traits, { freq: 1 }),
    occurredAt: fc.integer({ min: 1_000, max: 1_003 }),
  })
  .map(
    (some) =>
      ({
        ...some,
        index: 0,
        accountId: some.accountId ?? (some.type === "group" || some.userId === null ? "1" : null),
        event: some.type === "track" ? "report.exported" : null,
        properties: some.type === "track" ? { n: 1 } : null,
        traits: some.type === "track" ? null : some.traits,
      }) as Message,
  );

/** A stream cut into requests anywhere, and sent again in parts. */
const requests = fc.array(fc.array(message, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });

describe("the ingest transaction against a naive model", () => {
  it("stores the same accounts, users, memberships, traits and events, with duplicates anywhere", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (batches) => {
        const workspace = await newWorkspace();
        const naive = new NaiveIngest();
        for (const messages of batches) {
          const expected = messages.filter((one) => naive.take("cdp", one)).length;
          const outcome = await storeBatch(env, workspace, "key_1", { source: "cdp", receivedAt: 9_000, messages, rejections: [] });
          expect(outcome).toMatchObject({ outcome: "stored", stored: expected, duplicates: messages.length - expected });
        }
        expect(await storedState(workspace)).toEqual(naive.snapshot());
      }),
      { numRuns: RUNS },
    );
  });

  it("stores the same however a stream is split into batches", { timeout: 120_000 }, async () => {
    const stream = fc.array(message, { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(stream, fc.infiniteStream(fc.integer({ min: 1, max: 10 })), async (messages, sizes) => {
        const [whole, split] = [await newWorkspace(), await newWorkspace()];
        const store = (workspace: typeof whole, part: Message[]) =>
          storeBatch(env, workspace, "key_1", { source: "cdp", receivedAt: 9_000, messages: part, rejections: [] });
        await store(whole, messages);
        for (let from = 0; from < messages.length; ) {
          const size = sizes.next().value ?? 1;
          await store(split, messages.slice(from, from + size));
          from += size;
        }
        expect(await storedState(split)).toEqual(await storedState(whole));
      }),
      { numRuns: RUNS },
    );
  });

  it("ends in the same memberships and traits whatever order groups and traits arrive in", { timeout: 120_000 }, async () => {
    // Distinct moments, for ties go by arrival. Groups alone move users, for among implied accounts the first to arrive
    // counts; and an identify without an account brings no attributes, for they go where its user is just then.
    const distinct = fc
      .array(message, { minLength: 2, maxLength: 20 })
      .map((messages) =>
        messages.map((one, place): Message => ({
          ...one,
          ...(one.type === "identify" && one.userId !== null
            ? { accountId: null, attributes: null }
            : { type: one.type === "track" ? "group" : one.type, accountId: one.accountId ?? "1" }),
          messageId: `g${place}`,
          occurredAt: 1_000 + place,
        })),
      );
    await fc.assert(
      fc.asyncProperty(distinct.chain((messages) => fc.tuple(fc.constant(messages), fc.shuffledSubarray(messages, { minLength: messages.length }))), async (orders) => {
        const ends = [];
        for (const order of orders) {
          const workspace = await newWorkspace();
          for (let from = 0; from < order.length; from += 7) {
            await storeBatch(env, workspace, "key_1", { source: "cdp", receivedAt: 9_000, messages: order.slice(from, from + 7), rejections: [] });
          }
          const { accounts, users, memberships, traits: kept } = await storedState(workspace);
          const decided = (entries: Record<string, [unknown, number, number]>) =>
            Object.fromEntries(Object.entries(entries).map(([name, [decision, at]]) => [name, [decision, at]]));
          ends.push({
            accounts: Object.fromEntries(Object.entries(accounts).map(([name, own]) => [name, decided(own)])),
            users: Object.fromEntries(Object.entries(users).map(([name, { account }]) => [name, account])),
            memberships: Object.fromEntries(Object.entries(memberships).map(([name, [at]]) => [name, at])),
            traits: decided(kept),
          });
        }
        expect(ends[1]).toEqual(ends[0]);
      }),
      { numRuns: RUNS },
    );
  });
});
