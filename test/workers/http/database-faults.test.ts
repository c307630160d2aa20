/** Section 8: what happens when D1 fails. The faults are the platform's; the database behind them is the real one. */
import { beforeEach, describe, expect, it } from "vitest";

import {
  D1_BROKEN,
  D1_LOST,
  D1_OVERLOADED,
  D1_QUEUE_FULL,
  databaseWith,
  envWith,
  failing,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";

let workspace: TestWorkspace;
/** With a key that is known, so that the only round trip is that of the write; and one place of 100 used. */
beforeEach(async () => {
  workspace = await newWorkspace();
  await sendWith(envWith({}), "POST", CDP, track({ messageId: "warm" }), bearer());
});
const bearer = () => ({ headers: { Authorization: `Bearer ${workspace.key}` } });

async function postWith(trip: Trip, path: string, body: unknown): Promise<Answer & { trips: number }> {
  const { DB, trips } = databaseWith(trip);
  const answer = await sendWith(envWith({ DB }), "POST", path, body, bearer());
  return { ...answer, trips: trips() };
}

const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
const storedIds = async () =>
  (await workspace.get(`${NATIVE}?limit=200`)).body.events?.map(({ messageId }) => messageId).toReversed();

/** Its work is done, and its answer lost. */
const lostAfterwards: Trip = async (run, number) => {
  const done = await run();
  if (number === 1) throw new Error(D1_LOST);
  return done;
};
/** The same, however often it is asked. */
const alwaysLostAfterwards: Trip = async (run) => {
  await run();
  throw new Error(D1_LOST);
};
const lostThenOverloaded: Trip = (_run, number) => Promise.reject(new Error(number === 1 ? D1_LOST : D1_OVERLOADED));
const lostBefore: Trip = (run, number) => (number === 1 ? Promise.reject(new Error(D1_LOST)) : run());

/** With a key that no isolate has looked up yet. */
const unwarmed = async (trip: Trip, method: string, path: string) => {
  const { key } = await workspace.newKey();
  const { DB } = databaseWith(trip);
  return sendWith(envWith({ DB }), method, path, method === "GET" ? undefined : track(), {
    headers: { Authorization: `Bearer ${key}` },
  });
};

describe("§8 503 unavailable", () => {
  it.each([
    ["is overloaded", D1_OVERLOADED],
    ["has its queue full", D1_QUEUE_FULL],
  ])("§8 a D1 that %s is asked once, and the charge is given back", async (_what, message) => {
    const answer = await postWith(failing(message), CDP, batch(tracks(10)));
    expect(answer).toMatchObject({ status: 503, trips: 1, body: { ok: false, error: { code: "unavailable" } } });
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(answer.body.error?.message).not.toMatch(/D1|overload|queue|SQL/i);
    expect(await storedIds()).toEqual(["warm"]);
    expect(left(await workspace.post(CDP, track()))).toBe(98);
  });

  it("§8 a connection that is lost twice is asked no third time, and the charge stands: something may be stored", async () => {
    const answer = await postWith(failing(D1_LOST), CDP, batch(tracks(10)));
    expect(answer).toMatchObject({ status: 503, trips: 2, body: { error: { code: "unavailable" } } });
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(left(await workspace.post(CDP, track()))).toBe(88);
  });

  it("§7 §8 an overload on the repeat is not certain to have stored nothing: the charge stands", async () => {
    expect(await postWith(lostThenOverloaded, CDP, batch(tracks(10)))).toMatchObject({ status: 503, trips: 2 });
    expect(left(await workspace.post(CDP, track()))).toBe(88);
  });

  it("§7 §8 the RateLimit headers stand on it, since the limiter was asked", async () => {
    const { headers } = await postWith(failing(D1_LOST), NATIVE, capture());
    expect(headers.get("RateLimit")).toMatch(/^"writes";r=98;t=\d+$/);
    expect(headers.get("RateLimit-Policy")).toBe('"writes";q=100;w=10');
  });

  it("§8 what was stored though the answer was lost deduplicates on the retry", async () => {
    expect((await postWith(alwaysLostAfterwards, CDP, batch(tracks(3)))).status).toBe(503);
    expect(await workspace.post(CDP, batch(tracks(3)))).toMatchObject({
      status: 200,
      body: { deduped: true, stored: 0, duplicates: 3 },
    });
    expect(await storedIds()).toEqual(["warm", "m0", "m1", "m2"]);
  });
});

describe("§8 one retry after a lost connection", () => {
  it.each<[when: string, trip: Trip]>([
    ["before the first run", lostBefore],
    ["after the first run was committed", lostAfterwards],
  ])("§8 lost %s: the answer is as if nothing had happened, and everything is stored once", async (_when, trip) => {
    const messages = [
      ...tracks(3),
      track({ messageId: "m0" }),
      track({ messageId: "warm" }),
      track({ event: null }),
      { type: "page" },
    ];
    const answer = await postWith(trip, CDP, batch(messages));
    expect(answer).toMatchObject({ status: 200, trips: 2, body: { deduped: false, stored: 3, duplicates: 2 } });
    expect(answer.body.account).toMatchObject({ externalId: "u1" });
    expect(await storedIds()).toEqual(["warm", "m0", "m1", "m2"]);
    const { body } = await workspace.get("/api/v1/rejected");
    expect(body.rejected).toHaveLength(1);
    expect(body["counts"]).toMatchObject([
      { code: "invalid_message", count: 1 },
      { code: "unsupported_type", count: 1 },
    ]);
  });

  it.each<[when: string, trip: Trip]>([
    ["before", lostBefore],
    ["after", lostAfterwards],
  ])(
    "§8 a capture with an Idempotency-Key, lost %s it was committed, is not deduped and stored once",
    async (_when, trip) => {
      const { DB } = databaseWith(trip);
      const headers = { ...bearer().headers, "Idempotency-Key": "k1" };
      const answer = await sendWith(envWith({ DB }), "POST", NATIVE, capture(), { headers });
      expect(answer).toMatchObject({ status: 200, body: { deduped: false, account: { externalId: "acme" } } });
      expect(await storedIds()).toEqual(["warm", "k1"]);
    },
  );

  it("§8 messages without an id are stored once too", async () => {
    const anonymous = [
      { type: "track", userId: "u1", event: "a" },
      { type: "track", userId: "u1", event: "b" },
    ];
    expect(await postWith(lostAfterwards, CDP, batch(anonymous))).toMatchObject({
      status: 200,
      body: { stored: 2, duplicates: 0 },
    });
    expect(await storedIds()).toHaveLength(3);
  });

  it("§4.5 §8 rejected messages are counted and kept once, when no valid one came with them", async () => {
    expect(await postWith(lostAfterwards, CDP, batch([track({ event: null })]))).toMatchObject({
      status: 200,
      body: { stored: 0 },
    });
    expect((await workspace.get("/api/v1/rejected")).body).toMatchObject({ rejected: [{}], counts: [{ count: 1 }] });
    expect((await workspace.get("/api/v1/rejected")).body.rejected).toHaveLength(1);
  });

  it.each([
    "Network connection lost.",
    "D1_ERROR: storage caused object to be reset.",
    "D1_ERROR: reset because its code was updated.",
    "Cannot resolve D1 DB due to transient issue on remote node.",
  ])("§8 %s may be repeated", async (message) => {
    const trip: Trip = (run, number) => (number === 1 ? Promise.reject(new Error(message)) : run());
    expect(await postWith(trip, CDP, track({ messageId: "m1" }))).toMatchObject({
      status: 200,
      trips: 2,
      body: { stored: 1 },
    });
  });
});

describe("§8 500 internal", () => {
  it("§8 any other fault is a fixed message with no exception's text, is not repeated, and stays charged", async () => {
    const answer = await postWith(failing(D1_BROKEN), CDP, batch(tracks(10)));
    const other = await postWith(failing("TypeError: x is not a function"), NATIVE, capture());
    for (const { status, body, text, trips } of [answer, other]) {
      expect([status, body.error?.code, trips]).toEqual([500, "internal", 1]);
      expect(body.error?.message).toBe(answer.body.error?.message);
      expect(text).not.toMatch(/secret|SQL|D1|TypeError|function|\bat /);
      expect(Object.keys(body.error ?? {})).toEqual(["code", "message", "requestId"]);
    }
    expect(left(await workspace.post(CDP, track()))).toBe(87);
  });
});

describe("§8 D1 fails where a key is looked up, and on reads", () => {
  it.each([D1_OVERLOADED, D1_LOST])("§8 the look-up of a key: 503, neither charged nor 401 (%s)", async (message) => {
    const answer = await unwarmed(failing(message), "POST", CDP);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect([answer.headers.get("RateLimit"), answer.headers.get("Retry-After")]).toEqual([
      null,
      expect.stringMatching(/^[1-9]\d*$/),
    ]);
    expect(left(await workspace.post(CDP, track()))).toBe(98);
  });

  it("§8 the look-up is repeated once after a lost connection", async () => {
    expect((await unwarmed(lostBefore, "POST", CDP)).status).toBe(200);
    expect((await unwarmed(lostBefore, "GET", NATIVE)).status).toBe(200);
  });

  it.each([NATIVE, "/api/v1/rejected", "/api/v1/users/u1"])(
    "§8 GET %s is 503 on an overload, and 200 after one lost connection",
    async (path) => {
      const overloaded = databaseWith(failing(D1_OVERLOADED));
      const answer = await sendWith(envWith({ DB: overloaded.DB }), "GET", path, undefined, bearer());
      expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
      expect(overloaded.trips()).toBe(1);
      expect(
        (await sendWith(envWith({ DB: databaseWith(lostBefore).DB }), "GET", path, undefined, bearer())).status,
      ).toBe(200);
    },
  );

  it("§1 readiness is 503 when D1 does not answer; liveness stays", async () => {
    for (const message of [D1_OVERLOADED, D1_LOST, D1_BROKEN]) {
      const broken = envWith({ DB: databaseWith(failing(message)).DB });
      const ready = await sendWith(broken, "GET", "/readyz");
      expect(ready).toMatchObject({ status: 503, body: { ok: false, error: { code: "unavailable" } } });
      expect(ready.text).not.toMatch(/D1|SQL|secret/);
      expect((await sendWith(broken, "GET", "/healthz")).status).toBe(200);
    }
    expect((await send("GET", "/readyz")).status).toBe(200);
  });

  it.each([
    ["POST", "/admin/workspaces", { name: "x" }, 1],
    ["GET", "/admin/workspaces", undefined, 1],
    ["GET", "/admin/workspaces/ID", undefined, 1],
    ["GET", "/admin/workspaces/ID", undefined, 2],
    ["PATCH", "/admin/workspaces/ID", { name: "x" }, 2],
    ["POST", "/admin/workspaces/ID/keys", {}, 2],
    ["DELETE", "/admin/workspaces/ID/keys/KEY", undefined, 2],
    ["PUT", "/admin/workspaces/ID/dpa", { acceptedBy: "x", version: "1" }, 2],
    ["DELETE", "/admin/workspaces/ID/dpa", undefined, 2],
    ["DELETE", "/admin/workspaces/ID", undefined, 2],
  ])("§8 §9 %s %s %j is 503 when round trip %i meets an overload", async (method, path, body, at) => {
    const target = path.replace("ID", workspace.id).replace("KEY", workspace.keyId);
    const { DB } = databaseWith((run, number) => (number === at ? Promise.reject(new Error(D1_OVERLOADED)) : run()));
    const answer = await sendWith(envWith({ DB }), method, target, body, { headers: ADMIN_HEADERS });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  });
});
