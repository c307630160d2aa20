/** Sections 7 and 8 for the identity operation: what is charged, and what happens when D1 fails. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { insertKey } from "../../../src/db/workspaces/api-keys.ts";
import { generateKey } from "../../../src/services/workspaces/generate-key.ts";
import {
  D1_BROKEN,
  D1_LOST,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  failing,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { type Answer, send } from "../support/send.ts";
import {
  type IdentifiedWorkspace,
  IDENTITY,
  jsonBearer,
  newIdentifiedWorkspace,
  storedTraits,
} from "./identified-workspace.ts";

const BODY = { userId: "u1", traits: { name: "Jo Doe" } };
const STORED = ["user name Jo Doe"];

let workspace: IdentifiedWorkspace;
/** With one place of ten used, and a key that is known. */
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
/** From the third round trip on, the write, work is done and its answer lost. */
const alwaysLost: Trip = async (run, number) => {
  const result = await run();
  if (number < 3) return result;
  throw new Error(D1_LOST);
};

describe("§7 the write limit", () => {
  it("§7 an identity call counts 1, and says what is left", async () => {
    const answer = await workspace.attach(BODY);
    expect([answer.headers.get("RateLimit-Policy"), left(answer)]).toEqual(['"writes";q=10;w=10', 8]);
    expect(left(await workspace.attach(BODY))).toBe(7);
  });

  it("§7 is charged once it was parsed, whatever follows", async () => {
    expect(left(await workspace.attach({}))).toBe(8);
    expect(left(await workspace.attach(5))).toBe(7);
    expect(left(await workspace.attach({ userId: "nobody", traits: { name: "x" } }))).toBe(6);
  });

  it("§7 is not charged when it is refused before", async () => {
    for (const body of ["{", " ".repeat(16_385)])
      expect((await workspace.attach(body)).headers.get("RateLimit")).toBeNull();
    const init = { headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "text/plain" } };
    expect((await send("POST", IDENTITY, BODY, init)).headers.get("RateLimit")).toBeNull();
    const { key } = await workspace.newKey(["ingest", "read", "ask", "inbox"]);
    expect((await send("POST", IDENTITY, BODY, jsonBearer(key))).status).toBe(403);
    expect(left(await workspace.attach(BODY))).toBe(8);
  });

  it("§7 beyond it 429, and nothing is attached", async () => {
    for (let count = 0; count < 9; count += 1) await workspace.attach({ userId: "u1", traits: { name: null } });
    const refused = await workspace.attach(BODY);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
    expect([refused.headers.get("Retry-After"), refused.headers.get("X-RateLimit-Reset")]).toEqual(["10", "10"]);
    expect((await storedTraits(workspace)).traits).toEqual([]);
  });

  it("§2 a key that was revoked is refused, though another isolate knows it", async () => {
    const { key, record } = await generateKey(null, null, Date.now());
    await insertKey(env, workspace.id, record);
    await env.WRITE_LIMITER.getByName(workspace.id).revokeKey(record.id);
    expect((await send("POST", IDENTITY, BODY, jsonBearer(key))).status).toBe(401);
    expect((await storedTraits(workspace)).traits).toEqual([]);
  });
});

describe("§8 D1 fails", () => {
  it.each([1, 2, 3])(
    "§8 overloaded at round trip %i: 503, nothing is attached, and nothing is charged",
    async (place) => {
      const answer = await attachWith(at(place, D1_OVERLOADED));
      expect(answer).toMatchObject({ status: 503, trips: place, body: { error: { code: "unavailable" } } });
      expect((await storedTraits(workspace)).traits).toEqual([]);
      expect(left(await workspace.attach(BODY))).toBe(8);
    },
  );

  it.each([1, 2, 3])("§8 lost at round trip %i, it is asked once more", async (place) => {
    expect(await attachWith(at(place, D1_LOST))).toMatchObject({ status: 200, trips: 4 });
    expect((await storedTraits(workspace)).traits).toEqual(STORED);
  });

  it("§8 an answer that was lost is asked for again, and the charge of one that stays lost stands", async () => {
    let done = 0;
    const lostAfterwards: Trip = async (run, number) => {
      const result = await run();
      if (number !== 3) return result;
      done += 1;
      throw new Error(D1_LOST);
    };
    expect(await attachWith(lostAfterwards)).toMatchObject({ status: 200, trips: 4 });
    expect(await attachWith(alwaysLost)).toMatchObject({ status: 503, trips: 4 });
    expect(done).toBe(1);
    expect(await storedTraits(workspace)).toEqual({ traits: STORED, names: STORED });
    expect(left(await workspace.attach(BODY))).toBe(6);
  });

  it.each([1, 2])("§8 nothing is charged where the look-up of round trip %i stays lost", async (place) => {
    const answer = await attachWith((run, number) => (number < place ? run() : failing(D1_LOST)(run, number)));
    expect(answer).toMatchObject({ status: 503, trips: place + 1 });
    expect(left(await workspace.attach(BODY))).toBe(8);
  });

  it("§8 any other fault is a 500 with nothing of what was sent", async () => {
    const answer = await attachWith(at(3, D1_BROKEN));
    expect([answer.status, answer.body.error?.code]).toEqual([500, "internal"]);
    expect(answer.text).not.toMatch(/Jo Doe|table/);
  });
});
