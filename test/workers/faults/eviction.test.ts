/** The workspace's Durable Object is evicted or aborted, between two requests or during one. */
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { insertKey } from "../../../src/db/workspaces/api-keys.ts";
import { generateKey } from "../../../src/services/workspaces/key-changes.ts";
import { D1_OVERLOADED, databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const T0 = Date.UTC(2100, 0, 1);
const at = (ms: number) => vi.setSystemTime(T0 + ms);
const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

let workspace: TestWorkspace;
const newAt0 = async () => {
  at(0);
  workspace = await newWorkspace();
};
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a key that the edge has cached, and revokes it only at the object. */
async function revokedKey(): Promise<string> {
  const { key, record } = await generateKey(env, {}, Date.now());
  await insertKey(env, workspace.id, record);
  expect((await sendWith(envWith({}), "POST", NATIVE, capture(), bearer(key))).status).toBe(200);
  await env.WRITE_LIMITER.getByName(workspace.id).revokeKey(record.id);
  return key;
}

it("§2 §7 §9 an evicted object keeps its limit, its revoked keys and its future charges", async () => {
  workspace = await newWorkspace();
  const key = await revokedKey();
  await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 11 });
  expect((await workspace.post(CDP, batch(tracks(1_000)))).status).toBe(200);

  const object = env.WRITE_LIMITER.getByName(workspace.id);
  // The alarm comes five seconds after the first count; the platform evicts after ten idle seconds.
  expect(await runDurableObjectAlarm(object)).toBe(true);
  await evictDurableObject(object);

  expect(await object.usage()).toMatchObject({ admitted: 1_001, refused: 0 });
  expect((await sendWith(envWith({}), "POST", NATIVE, capture(), bearer(key))).status).toBe(401);
  const refused = await workspace.post(NATIVE, capture());
  expect([refused.status, refused.headers.get("RateLimit-Policy")]).toEqual([429, '"writes";q=11;w=10']);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(600);
});

/** Posts through a D1 that aborts the object before each round trip. */
const postWith = async (then: Trip, body: unknown) => {
  await sendWith(envWith({}), "POST", CDP, [], bearer(workspace.key));
  const { DB, trips } = databaseWith(async (run, number) => {
    await abortAllDurableObjects();
    return then(run, number);
  });
  const { WRITE_LIMITER, calls } = limiterWith((run) => run());
  const answer = await sendWith(envWith({ DB, WRITE_LIMITER }), "POST", CDP, body, bearer(workspace.key));
  return { ...answer, trips: trips(), calls: calls() };
};
const overloaded: Trip = () => Promise.reject(new Error(D1_OVERLOADED));

describe("an object that crashes after it admitted a request", () => {
  beforeEach(newAt0);

  it("§7 keeps the future charges of the stored request", async () => {
    const answer = await postWith((run) => run(), batch(tracks(250)));
    expect(answer).toMatchObject({ status: 200, trips: 1, calls: 1, body: { stored: 250, duplicates: 0 } });
    expect((await workspace.post(NATIVE, capture())).headers.get("Retry-After")).toBe("20");
  });

  it("§7 refunds future charges, also across another crash", async () => {
    expect(await postWith(overloaded, batch(tracks(250)))).toMatchObject({ status: 503, trips: 1, calls: 2 });
    await abortAllDurableObjects();
    expect((await workspace.post(CDP, batch(tracks(99)))).headers.get("RateLimit")).toBe('"writes";r=1;t=10');
  });

  it("§7 does not refund a forgotten charge to another request", async () => {
    const meanwhile: Trip = async () => {
      at(1);
      await workspace.post(CDP, track());
      throw new Error(D1_OVERLOADED);
    };
    expect(await postWith(meanwhile, batch(tracks(30)))).toMatchObject({ status: 503, trips: 1, calls: 2 });
    expect((await workspace.post(NATIVE, capture())).headers.get("RateLimit")).toBe('"writes";r=98;t=10');
  });
});
