import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import { ingestRows } from "../../../src/db/ingest/message-rows.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { batchOf, message } from "./message-arbitraries.ts";
import { NaiveIngest } from "./naive-ingest.ts";
import { newWorkspace, storedState } from "./stored-state.ts";

const D1_MAX_VALUE_BYTES = 2_000_000;

/** Makes the rows of a message large, in the log or in the traits. */
function padded(one: Message, text: string): Message {
  if (text === "") return one;
  return one.type === "track"
    ? { ...one, properties: { ...one.properties, text } }
    : { ...one, traits: { ...one.traits, text } };
}

describe("a batch that is too large for one value", () => {
  it("stores the same in parts as in one", { timeout: 120_000 }, async () => {
    // "é" takes two bytes and "\0" six, or seven in a trait, which is JSON within JSON.
    const text = fc.constantFrom("", "x".repeat(300_000), "é".repeat(400_000), "\0".repeat(60_000));
    const stream = fc.array(fc.tuple(message, text), { minLength: 8, maxLength: 14 });
    let inParts = 0;
    await fc.assert(
      fc.asyncProperty(stream, async (pairs) => {
        const messages = pairs.map(([one, pad]) => padded(one, pad));
        const parts = ingestRows(distinct(messages));
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
      { numRuns: 15 },
    );
    expect(inParts).toBeGreaterThan(3);
  });
});

const bytes = (text: string): number => new TextEncoder().encode(text).byteLength;

function distinct(messages: Message[]): Message[] {
  return [...new Map(messages.toReversed().map((one) => [one.messageId, one])).values()].toReversed();
}
