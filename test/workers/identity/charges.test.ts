/** docs/wire/write-limit.md §7, docs/wire/README.md §8 for the identity operation: charges, and faults of D1. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { insertKey } from "../../../src/db/workspaces/api-keys.ts";
import { generateKey } from "../../../src/services/workspaces/key-changes.ts";
import { D1_LOST, D1_OVERLOADED, databaseWith, envWith, failing, sendWith, type Trip } from "../support/faulty-env.ts";
import { type Answer, send } from "../support/send.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { IDENTITY, jsonBearer, newIdentifiedWorkspace, storedTraits } from "./identified-workspace.ts";

const BODY = { userId: "u1", traits: { name: "Jo Doe" } };
const STORED = ["user name Jo Doe"];

let workspace: TestWorkspace;
/** One message of ten is charged, and the key is cached. */
beforeEach(async () => {
  vi.setSystemTime(Date.UTC(2100, 0, 1));
  workspace = await newIdentifiedWorkspace({ writeLimit: 10 });
  await sendWith(envWith({}), "GET", "/api/v1/users/u1", undefined, jsonBearer(workspace.key));
});
afterEach(() => {
  vi.useRealTimers();
});

const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
const attachWith = async (trip: Trip) => {
  const { DB, trips } = databaseWith(trip);
  const answer = await sendWith(envWith({ DB }), "POST", IDENTITY, BODY, jsonBearer(workspace.key));
  return { ...answer, trips: trips() };
};

const at =
  (place: number, message: string): Trip =>
  (run, number) =>
    number === place ? failing(message)(run, number) : run();

describe("§7 the write limit", () => {
  it("§7 counts 1 for an identity call and returns the room left", async () => {
    const answer = await workspace.attach(BODY);
    expect([answer.headers.get("RateLimit-Policy"), left(answer)]).toEqual(['"writes";q=10;w=10', 8]);
    expect(left(await workspace.attach(BODY))).toBe(7);
  });

  it("§7 charges a parsed call, whatever follows", async () => {
    expect(left(await workspace.attach({}))).toBe(8);
    expect(left(await workspace.attach(5))).toBe(7);
    expect(left(await workspace.attach({ userId: "nobody", traits: { name: "x" } }))).toBe(6);
  });

  it("§7 does not charge a call that is refused before parsing", async () => {
    for (const body of ["{", " ".repeat(16_385)])
      expect((await workspace.attach(body)).headers.get("RateLimit")).toBeNull();
    const init = { headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "text/plain" } };
    expect((await send("POST", IDENTITY, BODY, init)).headers.get("RateLimit")).toBeNull();
    const { key } = await workspace.newKey(["ingest", "read", "ask", "inbox"]);
    expect((await send("POST", IDENTITY, BODY, jsonBearer(key))).status).toBe(403);
    expect(left(await workspace.attach(BODY))).toBe(8);
  });

  it("§7 returns 429 above the limit and attaches nothing", async () => {
    for (let count = 0; count < 9; count += 1) await workspace.attach({ userId: "u1", traits: { name: null } });
    const refused = await workspace.attach(BODY);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
    expect([refused.headers.get("Retry-After"), refused.headers.get("X-RateLimit-Reset")]).toEqual(["10", "10"]);
    expect((await storedTraits(workspace)).traits).toEqual([]);
  });

  it("§2 refuses a revoked key that an isolate has cached", async () => {
    const { key, record } = await generateKey(env, {}, Date.now());
    await insertKey(env, workspace.id, record);
    await env.WRITE_LIMITER.getByName(workspace.id).revokeKey(record.id);
    expect((await send("POST", IDENTITY, BODY, jsonBearer(key))).status).toBe(401);
    expect((await storedTraits(workspace)).traits).toEqual([]);
  });
});

describe("§8 a fault of D1", () => {
  it.each([1, 2, 3])(
    "§8 returns 503, attaches nothing and charges nothing if D1 is overloaded at round trip %i",
    async (place) => {
      const answer = await attachWith(at(place, D1_OVERLOADED));
      expect(answer).toMatchObject({ status: 503, trips: place, body: { error: { code: "unavailable" } } });
      expect((await storedTraits(workspace)).traits).toEqual([]);
      expect(left(await workspace.attach(BODY))).toBe(8);
    },
  );

  it.each([1, 2, 3])("§8 retries round trip %i once after a lost connection", async (place) => {
    expect(await attachWith(at(place, D1_LOST))).toMatchObject({ status: 200, trips: 4 });
    expect((await storedTraits(workspace)).traits).toEqual(STORED);
  });

  it.each([1, 2])("§8 charges nothing if the lookup of round trip %i is lost twice", async (place) => {
    const answer = await attachWith((run, number) => (number < place ? run() : failing(D1_LOST)(run, number)));
    expect(answer).toMatchObject({ status: 503, trips: place + 1 });
    expect(left(await workspace.attach(BODY))).toBe(8);
  });
});
