/**
 * docs/wire/erasure.md §6.2, docs/wire/README.md §8: faults of D1 during the erasure of a user, which charges nothing.
 */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { jsonBearer, rowsOf } from "../identity/identified-workspace.ts";
import { tablesWith } from "../support/database.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import {
  D1_BROKEN,
  D1_TIMED_OUT,
  D1_LOST,
  D1_OVERLOADED,
  D1_RESET,
  databaseWith,
  envWith,
  limiterWith,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { ADMIN_HEADERS, type TestWorkspace } from "../support/workspace.ts";
import { charged, newFaultyWorkspace, unharmed } from "./attempt.ts";

/** The check of the key, the search, the mark, a step through the log, and what ends it. */
const TRIPS = 5;

let workspace: TestWorkspace;
/** Part of all texts about the person. */
let mark: string;
beforeEach(async () => {
  workspace = await newFaultyWorkspace();
  mark = `qq${(await workspace.ref()).number}qq`;
  const track = { type: "track", messageId: "m1", userId: mark, event: "a", properties: { text: mark } };
  const identify = { type: "identify", messageId: "m2", userId: mark, traits: { role: mark } };
  await workspace.post("/v1/batch", [track, identify]);
  await workspace.attach({ userId: mark, traits: { name: mark } });
});

async function erase(trip: Trip) {
  const { DB, trips } = databaseWith(trip);
  const { WRITE_LIMITER, calls } = limiterWith(unharmed);
  const changed = envWith({ DB, WRITE_LIMITER });
  const answer = await sendWith(changed, "DELETE", `/api/v1/users/${mark}`, undefined, jsonBearer(workspace.key));
  return { ...answer, trips: trips(), calls: calls() };
}

const isKnown = async () => (await workspace.get(`/api/v1/users/${mark}`)).status === 200;
const pending = async () => rowsOf("SELECT * FROM user_erasures WHERE workspace = ?", (await workspace.ref()).number);

const FAULTS: [what: string, when: "before" | "after", messages: string[], status: number][] = [
  ["is reset before it", "before", [D1_RESET], 200],
  ["is reset after it", "after", [D1_RESET], 200],
  ["is lost before it, twice", "before", [D1_LOST, D1_LOST], 503],
  ["is lost after it, twice", "after", [D1_LOST, D1_LOST], 503],
  ["is lost after it, and the retry times out", "after", [D1_LOST, D1_TIMED_OUT], 503],
  ["is overloaded", "before", [D1_OVERLOADED], 503],
  ["times out after it", "after", [D1_TIMED_OUT], 503],
  ["is broken", "before", [D1_BROKEN], 500],
];

describe.each([1, 2, 3, 4, 5])("§6.2 §8 at round trip %i of an erasure", (at) => {
  it.each(FAULTS)("§6.2 §8 when D1 %s", async (_what, when, messages, status) => {
    const used = await charged(workspace);
    const met = await erase(async (run, number) => {
      const message = messages[number - at];
      if (message === undefined) return run();
      if (when === "after") await run();
      throw new Error(message);
    });

    expect(met).toMatchObject({ status, calls: 0, body: { ok: status === 200 } });
    expect(met.headers.get("Retry-After")).toBe(status === 503 ? "1" : null);
    expect(met.headers.get("RateLimit")).toBeNull();
    expect(met.trips).toBe(status === 200 ? TRIPS + 1 : at + messages.length - 1);
    // From the mark on the user is unknown, whatever happens to the rest.
    const isMarked = at > 3 || (at === 3 && when === "after");
    expect(await isKnown()).toBe(status !== 200 && !isMarked);
    expect(await charged(workspace)).toBe(used);

    expect((await erase(unharmed)).status).toBe(200);
    expect([await isKnown(), await tablesWith(mark), await pending()]).toEqual([false, [], []]);
    const track = { type: "track", messageId: "m1", userId: "u1", event: "a" };
    expect((await workspace.post("/v1/batch", [track])).body).toMatchObject({ stored: 0, duplicates: 1 });
  });
});

const countObjects = async () => (await env.ARCHIVE.list({ prefix: "journal/workspaces/" })).objects.length;

it("§6.2 records each person and each unknown id once, and a repetition as an unknown id", async () => {
  const before = await countObjects();
  await workspace.post("/v1/batch", [{ type: "track", userId: "rejected", event: "" }]);
  const eraseAgain = async (id: string) => {
    for (let time = 0; time < 2; time += 1) {
      const path = `/api/v1/users/${id}`;
      expect((await sendWith(env, "DELETE", path, undefined, jsonBearer(workspace.key))).status).toBe(200);
    }
  };
  for (let count = 0; count < 10; count += 1) await eraseAgain(`nobody-${count}`);
  expect(await countObjects()).toBe(before + 10);
  await eraseAgain("rejected");
  await eraseAgain(mark);
  expect(await countObjects()).toBe(before + 10 + 2 * 2);
});

it("§6.2 §8 erases nothing while the journal can't be written", async () => {
  const down = envWith({ ARCHIVE: faultyBucket(env.ARCHIVE, () => Promise.reject(new Error("R2 is down"))) });
  const refused = () => sendWith(down, "DELETE", `/api/v1/users/${mark}`, undefined, jsonBearer(workspace.key));
  expect((await refused()).status).toBe(503);
  expect(await isKnown()).toBe(true);
  const dpa = `/admin/workspaces/${workspace.id}/dpa`;
  expect((await sendWith(down, "DELETE", dpa, undefined, { headers: ADMIN_HEADERS })).status).toBe(503);
  expect(await tablesWith(mark)).toContain("identity_traits");
});
