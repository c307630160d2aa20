/** Section 8: the responses when D1 fails. The faults are the platform's; the database behind them is real. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import {
  D1_BROKEN,
  D1_FREE_PLAN,
  D1_FULL,
  D1_LOST,
  D1_NO_BUDGET,
  D1_OVERLOADED,
  D1_QUEUE_FULL,
  databaseWith,
  envWith,
  failing,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { type Answer, refusal, send } from "../support/send.ts";
import { ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";

let workspace: TestWorkspace;
/** The key is cached, so that the write is the only round trip; one of 100 places is used. */
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

/** Commits, and loses the first response. */
const lostAfterwards: Trip = async (run, number) => {
  const done = await run();
  if (number === 1) throw new Error(D1_LOST);
  return done;
};
const lostBefore: Trip = (run, number) => (number === 1 ? Promise.reject(new Error(D1_LOST)) : run());

/** Sends with a key that no isolate has in its cache. */
const unwarmed = async (trip: Trip, method: string, path: string) => {
  const { key } = await workspace.newKey();
  const { DB } = databaseWith(trip);
  return sendWith(envWith({ DB }), method, path, method === "GET" ? undefined : track(), {
    headers: { Authorization: `Bearer ${key}` },
  });
};

describe("§8 503 unavailable", () => {
  it.each([
    ["is overloaded", D1_OVERLOADED, "1"],
    ["has its queue full", D1_QUEUE_FULL, "1"],
    ["takes no more statements of this request", D1_NO_BUDGET, "1"],
    ["has reached the free plan's limit of the day", D1_FREE_PLAN, "1"],
    ["has no room", D1_FULL, "60"],
    ["has no room, as SQLite says it", "D1_ERROR: database or disk is full: SQLITE_FULL", "60"],
    ["is in an account without room", "D1_ERROR: Your account has exceeded D1's maximum account storage limit", "60"],
  ])("§8 of a D1 that %s comes after one round trip, and the charge is refunded", async (_what, message, seconds) => {
    const answer = await postWith(failing(message), CDP, batch(tracks(10)));
    expect(answer).toMatchObject({ status: 503, trips: 1, body: { ok: false, error: { code: "unavailable" } } });
    expect(answer.headers.get("Retry-After")).toBe(seconds);
    expect(answer.body.error?.message).not.toMatch(/D1|overload|queue|SQL/i);
    expect(await storedIds()).toEqual(["warm"]);
    expect(left(await workspace.post(CDP, track()))).toBe(98);
  });
});

describe("§8 one retry after a lost connection", () => {
  it("§4.5 §8 counts and keeps rejected messages once, without any valid one beside them", async () => {
    expect(await postWith(lostAfterwards, CDP, batch([track({ event: null })]))).toMatchObject({
      status: 200,
      body: { stored: 0 },
    });
    expect((await workspace.get("/api/v1/rejected")).body).toMatchObject({ rejected: [{}], counts: [{ count: 1 }] });
  });

  it.each([
    "Network connection lost.",
    "D1_ERROR: storage caused object to be reset.",
    "D1_ERROR: reset because its code was updated.",
    "Cannot resolve D1 DB due to transient issue on remote node.",
    "D1_ERROR: Can't read from request stream because client disconnected.",
  ])("§8 follows the error %s", async (message) => {
    const trip: Trip = (run, number) => (number === 1 ? Promise.reject(new Error(message)) : run());
    expect(await postWith(trip, CDP, track({ messageId: "m1" }))).toMatchObject({
      status: 200,
      trips: 2,
      body: { stored: 1 },
    });
  });
});

describe("§8 500 internal", () => {
  it("§7 §8 of any other fault has a fixed message, comes without a retry, and keeps the charge", async () => {
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

describe("§8 D1 fails outside of ingest", () => {
  it.each([D1_OVERLOADED, D1_LOST])("§8 at the look-up of a key: 503 without a charge (%s)", async (message) => {
    const answer = await unwarmed(failing(message), "POST", CDP);
    expect(answer).toMatchObject(refusal(503, "unavailable"));
    expect([answer.headers.get("RateLimit"), answer.headers.get("Retry-After")]).toEqual([
      null,
      expect.stringMatching(/^[1-9]\d*$/),
    ]);
    expect(left(await workspace.post(CDP, track()))).toBe(98);
  });

  it("§8 at the look-up of a key: one retry after a lost connection", async () => {
    expect((await unwarmed(lostBefore, "POST", CDP)).status).toBe(200);
    expect((await unwarmed(lostBefore, "GET", NATIVE)).status).toBe(200);
  });

  it.each([NATIVE, "/api/v1/users/u1"])(
    "§8 at GET %s: 503 on an overload, and 200 after one lost connection",
    async (path) => {
      const overloaded = databaseWith(failing(D1_OVERLOADED));
      const answer = await sendWith(envWith({ DB: overloaded.DB }), "GET", path, undefined, bearer());
      expect(answer).toMatchObject(refusal(503, "unavailable"));
      expect(overloaded.trips()).toBe(1);
      expect(
        (await sendWith(envWith({ DB: databaseWith(lostBefore).DB }), "GET", path, undefined, bearer())).status,
      ).toBe(200);
    },
  );

  it("§1 at readiness: 503, while liveness stays 200", async () => {
    const { DB: DB_1 } = databaseWith(failing(D1_LOST), env.DB_1);
    expect(await sendWith(envWith({ DB_1 }), "GET", "/readyz")).toMatchObject(refusal(503, "unavailable"));
    for (const message of [D1_OVERLOADED, D1_LOST, D1_BROKEN]) {
      const broken = envWith({ DB: databaseWith(failing(message)).DB });
      const ready = await sendWith(broken, "GET", "/readyz");
      expect(ready).toMatchObject(refusal(503, "unavailable"));
      expect(ready.text).not.toMatch(/D1|SQL|secret/);
      expect((await sendWith(broken, "GET", "/healthz")).status).toBe(200);
    }
    expect((await send("GET", "/readyz")).status).toBe(200);
  });

  it.each([
    ["POST", "/admin/workspaces", { name: "x" }, 1],
    ["GET", "/admin/workspaces/ID", undefined, 2],
    ["POST", "/admin/workspaces/ID/keys", {}, 2],
    ["DELETE", "/admin/workspaces/ID/keys/KEY", undefined, 2],
    ["DELETE", "/admin/workspaces/ID/dpa", undefined, 2],
    ["DELETE", "/admin/workspaces/ID", undefined, 2],
  ])("§8 §9 at %s %s %j: 503 when round trip %i meets an overload", async (method, path, body, at) => {
    const target = path.replace("ID", workspace.id).replace("KEY", workspace.keyId);
    const { DB } = databaseWith((run, number) => (number === at ? Promise.reject(new Error(D1_OVERLOADED)) : run()));
    const answer = await sendWith(envWith({ DB }), method, target, body, { headers: ADMIN_HEADERS });
    expect(answer).toMatchObject(refusal(503, "unavailable"));
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  });
});
