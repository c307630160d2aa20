/** The ingest transaction, compared with a naive model, and what a stream stores in any split and order. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import { ingestRows } from "../../../src/db/ingest/message-rows.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { batchOf, message, request } from "./message-arbitraries.ts";
import { NaiveIngest } from "./naive-ingest.ts";
import { newWorkspace, storedState } from "./stored-state.ts";
import { cases } from "../../thorough.ts";

const RUNS = cases(200);

/** Returns 1 if there are entries, else 0. */
const some = (entries: object): number => Math.sign(Object.keys(entries).length);

describe("§4.3 the ingest transaction against a naive model", () => {
  it("stores and returns the same, with duplicates anywhere", { timeout: 120_000 }, async () => {
    // A stream cut into requests anywhere, and sent again in parts.
    const requests = fc.array(request, { minLength: 1, maxLength: 6 });
    const reached = { traits: 0, attributes: 0, pending: 0, solo: 0, implied: 0, group: 0, rejections: 0 };
    await fc.assert(
      fc.asyncProperty(requests, async (batches) => {
        const workspace = await newWorkspace();
        const naive = new NaiveIngest();
        for (const batch of batches) {
          const { source, messages, rejections } = batch;
          const stored = messages.filter((one) => naive.take(source, one)).length;
          for (const one of rejections) naive.reject(one);
          const outcome = await storeBatch(env, workspace, "key_1", batch);
          expect(outcome).toMatchObject({
            outcome: "stored",
            stored,
            duplicates: messages.length - stored,
            ...naive.answerTo(source, messages),
          });
        }
        const expected = naive.snapshot();
        expect(await storedState(workspace)).toEqual(expected);

        const users = Object.values(expected.users);
        reached.traits += some(expected.traits);
        reached.attributes += some(Object.values(expected.accounts).filter((own) => some(own) > 0));
        reached.pending += some(users.filter(({ pending }) => some(pending) > 0));
        for (const via of ["solo", "implied", "group"] as const) {
          reached[via] += some(users.filter((user) => user.via === via));
        }
        reached.rejections += some(expected.rejections);
      }),
      { numRuns: RUNS },
    );
    // Otherwise the property would prove nothing.
    expect(Math.min(...Object.values(reached)), JSON.stringify(reached)).toBeGreaterThan(RUNS / 20);
  });

  it("stores the same for any split of a stream into batches", { timeout: 120_000 }, async () => {
    const stream = fc.array(message, { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(stream, fc.infiniteStream(fc.integer({ min: 1, max: 10 })), async (messages, sizes) => {
        const [whole, split] = [await newWorkspace(), await newWorkspace()];
        await storeBatch(env, whole, "key_1", batchOf(messages));
        for (let from = 0; from < messages.length;) {
          const size = sizes.next().value ?? 1;
          await storeBatch(env, split, "key_1", batchOf(messages.slice(from, from + size)));
          from += size;
        }
        expect(await storedState(split)).toEqual(await storedState(whole));
      }),
      { numRuns: RUNS },
    );
  });

  it(
    "ends in the same memberships and traits whatever order groups and traits arrive in",
    {
      timeout: 120_000,
    },
    async () => {
      // Times are distinct, because ties are decided by arrival. Only groups move users, because the first implied account
      // to arrive wins. An identify without an account has no attributes, because they go to the user's current account.
      const distinct = fc.array(message, { minLength: 2, maxLength: 20 }).map((messages) =>
        messages.map((one, place): Message => ({
          ...one,
          ...(one.type === "identify" && one.userId !== null
            ? { accountId: null, attributes: null }
            : { type: one.type === "track" ? "group" : one.type, accountId: one.accountId ?? "1", event: null }),
          properties: null,
          messageId: `g${place}`,
          occurredAt: 1_000 + place,
        })),
      );
      const orders = distinct.chain((messages) =>
        fc.tuple(fc.constant(messages), fc.shuffledSubarray(messages, { minLength: messages.length })),
      );
      await fc.assert(
        fc.asyncProperty(orders, async ([sent, shuffled]) => {
          expect(await endOf(shuffled)).toEqual(await endOf(sent));
        }),
        { numRuns: RUNS },
      );
    },
  );
});

/** Keeps values and times, without the number of the message. */
const decided = (entries: Record<string, [unknown, number, number]>) =>
  Object.fromEntries(Object.entries(entries).map(([name, [decision, at]]) => [name, [decision, at]]));

/** Stores a stream and reads the result, without the order of arrival. */
async function endOf(messages: Message[]) {
  const workspace = await newWorkspace();
  for (let from = 0; from < messages.length; from += 7) {
    await storeBatch(env, workspace, "key_1", batchOf(messages.slice(from, from + 7)));
  }
  const { accounts, users, memberships, traits } = await storedState(workspace);
  return {
    accounts: Object.fromEntries(Object.entries(accounts).map(([name, own]) => [name, decided(own)])),
    users: Object.fromEntries(Object.entries(users).map(([name, { account }]) => [name, account])),
    memberships: Object.fromEntries(Object.entries(memberships).map(([name, [at]]) => [name, at])),
    traits: decided(traits),
  };
}

const D1_MAX_VALUE_BYTES = 2_000_000;

/** Makes the rows of a message large, in the log or in the traits. */
function padded(one: Message, text: string): Message {
  if (text === "") return one;
  if (one.type === "track") return { ...one, properties: { ...one.properties, text } };
  return one.userId === null
    ? { ...one, accountTraits: { ...one.accountTraits, text } }
    : { ...one, traits: { ...one.traits, text } };
}

describe("§4.3 a batch that is too large for one value", () => {
  it("stores the same in parts as in one", { timeout: 120_000 }, async () => {
    // "é" takes two bytes and "\0" six, or seven in a trait, which is JSON within JSON.
    const text = fc.constantFrom("", "x".repeat(300_000), "é".repeat(400_000), "\0".repeat(60_000));
    const stream = fc.array(fc.tuple(message, text), { minLength: 8, maxLength: 14 });
    let inParts = 0;
    await fc.assert(
      fc.asyncProperty(stream, async (pairs) => {
        const messages = pairs.map(([one, pad]) => padded(one, pad));
        const parts = ingestRows(firstOfEachId(messages));
        if (parts.length > 1) inParts += 1;
        const values = parts.flatMap((part) => Object.values(part)).filter((value) => typeof value === "string");
        for (const value of values) expect(bytes(value)).toBeLessThanOrEqual(D1_MAX_VALUE_BYTES);

        const workspace = await newWorkspace();
        const naive = new NaiveIngest();
        const stored = messages.filter((one) => naive.take("cdp", one)).length;
        const outcome = await storeBatch(env, workspace, "key_1", batchOf(messages));
        expect(outcome).toMatchObject({ outcome: "stored", stored, duplicates: messages.length - stored });
        expect(await storedState(workspace)).toEqual(naive.snapshot());
      }),
      { numRuns: cases(15) },
    );
    expect(inParts).toBeGreaterThan(0);
  });
});

const bytes = (text: string): number => new TextEncoder().encode(text).byteLength;

function firstOfEachId(messages: Message[]): Message[] {
  return [...new Map(messages.toReversed().map((one) => [one.messageId, one])).values()].toReversed();
}
