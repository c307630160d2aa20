/** The short path for a track of a known user: it stores and returns what the full transaction would. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import { markSides } from "../../../src/db/workspaces/erase-workspace.ts";
import { APPEND_FOR_KNOWN_USER } from "../../../src/db/ingest/known-users.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { newMeter } from "../costs/meter.ts";
import { sqlOf } from "../support/sql-of.ts";
import { batchOf, message, messageWith } from "./message-arbitraries.ts";
import { NaiveIngest } from "./naive-ingest.ts";
import { newWorkspace, storedState } from "./stored-state.ts";

const APPEND = sqlOf(APPEND_FOR_KNOWN_USER);

const track = (messageId: string, fields: Partial<Message> = {}): Message =>
  messageWith({ messageId, accountId: "acme", properties: { n: 1 }, ...fields });
const group = (messageId: string, accountId: string) =>
  track(messageId, { type: "group", accountId, event: null, properties: null });

/** Stores messages, one request each, in a metered workspace, and compares each step with the naive model. */
async function stored(messages: Message[]) {
  const { env: metered, take } = await newMeter();
  const workspace = await newWorkspace();
  const naive = new NaiveIngest();
  const send = async (one: Message, database = metered) => {
    take();
    const isNew = naive.take("cdp", one);
    const outcome = await storeBatch(database, workspace, "key_1", batchOf([one]));
    expect(outcome).toMatchObject({
      stored: isNew ? 1 : 0,
      duplicates: isNew ? 0 : 1,
      ...naive.answerTo("cdp", [one]),
    });
    expect(await storedState(workspace)).toEqual(naive.snapshot());
    return take();
  };
  for (const one of messages) await send(one);
  return { workspace, metered, take, send };
}

describe("a track of a known user", () => {
  it("is stored by one statement", async () => {
    const { send } = await stored([track("m1")]);
    const { trips, statements } = await send(track("m2"));
    expect(trips).toBe(1);
    expect(statements.map(({ sql }) => sql)).toEqual([APPEND]);
  });

  it("§4.3.3 goes to its user's current account when it names none", async () => {
    const { send } = await stored([track("m1", { accountId: null })]);
    for (const accountId of ["acme", "globex"]) {
      await send(group(`to ${accountId}`, accountId));
      const moved = await send(track(`first of ${accountId}`, { accountId: null }));
      expect(moved.statements.map(({ sql }) => sql === APPEND)).toEqual([true, ...Array(7).fill(false)]);
      const { trips, statements } = await send(track(`second of ${accountId}`, { accountId: null }));
      expect({ trips, statements: statements.length }).toEqual({ trips: 1, statements: 1 });
    }
  });

  it("§4.3.6 takes the full transaction when it moves its user out of a personal account", async () => {
    const { send } = await stored([track("m1", { accountId: null }), track("m2", { userId: "u2" })]);
    const moving = await send(track("m3"));
    expect(moving).toMatchObject({ trips: 1 });
    expect(moving.statements.length).toBeGreaterThan(1);
  });

  it("§6.2 creates a new user when the known one was erased", async () => {
    const { post, request, workspace } = await newMeter();
    for (const messageId of ["m1", "m2"]) await post("/v1/track", { messageId, userId: "u1", event: "x" });
    expect(await request("DELETE", "/api/v1/users/u1")).toMatchObject({ status: 200 });
    await post("/v1/track", { messageId: "m3", userId: "u1", event: "x" });
    const { events } = (await workspace.get("/api/v1/events")).body;
    expect(events).toMatchObject([{ user: { externalId: "u1" } }, { user: { externalId: null } }, { messageId: "m1" }]);
  });

  it("§9 is not stored once its workspace is being erased", async () => {
    const { workspace } = await stored([track("m1")]);
    await markSides(env, workspace);
    const late = storeBatch(env, workspace, "key_1", batchOf([track("m2")]));
    await expect(late).rejects.toMatchObject({ kind: "not_live", notApplied: true });
    expect((await storedState(workspace)).log).toHaveLength(1);
  });
});

it("§4.3 stores and returns the same as a naive model, whatever comes in between", { timeout: 120_000 }, async () => {
  const runs = 40;
  let shortPaths = 0;
  // One user, and mostly tracks that bring no attributes.
  const ofOneUser = message.map((one): Message => ({ ...one, userId: "1", attributes: one.traits && one.attributes }));
  await fc.assert(
    fc.asyncProperty(fc.array(ofOneUser, { minLength: 5, maxLength: 20 }), async (messages) => {
      const { send } = await stored([]);
      for (const one of messages) {
        const { statements } = await send(one);
        shortPaths += statements.some(({ sql }) => sql === APPEND) ? 1 : 0;
      }
    }),
    { numRuns: runs },
  );
  // Otherwise the property was never tested.
  expect(shortPaths).toBeGreaterThan(runs);
});
