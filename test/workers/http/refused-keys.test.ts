/** Section 2: keys that are refused, how they are, and what is not done for them. */
import { env } from "cloudflare:workers";
import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { insertKey } from "../../../src/db/workspaces/api-keys.ts";
import { generateKey } from "../../../src/services/workspaces/generate-key.ts";
import { asReceived, countedBody, repeated } from "../support/bytes.ts";
import { D1_BROKEN, databaseWith, envWith, failing, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { capture, track } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATHS: [method: string, path: string][] = [
  ["POST", "/api/v1/events"],
  ["POST", "/api/v1/cdp"],
  ["POST", "/v1/track"],
  ["GET", "/api/v1/events"],
  ["GET", "/api/v1/rejected"],
  ["GET", "/api/v1/users/u1"],
  ["GET", "/api/v1/accounts"],
  ["GET", "/api/v1/accounts/u1"],
  ["GET", "/api/v1/inbox"],
  ["POST", "/api/v1/inbox/itm_1/dismiss"],
  ["DELETE", "/api/v1/inbox/itm_1/dismiss"],
  ["POST", "/api/v1/inbox/itm_1/snooze"],
  ["DELETE", "/api/v1/inbox/itm_1/snooze"],
  ["POST", "/api/v1/ask"],
  ["POST", "/api/v1/identity"],
  ["DELETE", "/api/v1/users/nobody"],
];
/**
 * What the three writes, the six reads, the four marks, a question, an identity call and an erasure answer. Without a
 * JSON body a snooze, a question and an identity call are 415.
 */
const statuses = (writes: number, reads: number, marks: number[], question = 403, identity = [403, 403]) => [
  ...Array.from({ length: 3 }, () => writes),
  ...Array.from({ length: 6 }, () => reads),
  ...marks,
  question,
  ...identity,
];
const NO_MARKS = [403, 403, 403, 403];
const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
const sendThere = (method: string, path: string, key: string, body?: unknown) =>
  sendWith(envWith({}), method, path, body, bearer(key));
const unknownKey = async () => (await generateKey(null, null, 0)).key;

let workspace: TestWorkspace;
beforeAll(async () => {
  splitIsolates();
  workspace = await newWorkspace({ writeLimit: 10_000 });
  await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("§2 401 unauthorized", () => {
  it.each(PATHS)("§2 %s %s never says which: missing, malformed, unknown or revoked", async (method, path) => {
    const revoked = await workspace.newKey();
    await workspace.revoke(revoked.keyId);
    const body = method === "GET" ? undefined : capture({ type: "track" });
    const answers: Answer[] = [await send(method, path, body)];
    for (const key of ["nonsense", `${workspace.key.slice(0, -1)}!`, await unknownKey(), revoked.key]) {
      answers.push(await send(method, path, body, bearer(key)));
    }
    for (const { status, headers, body: told } of answers) {
      expect(status).toBe(401);
      expect(headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(told.error).toEqual({
        code: "unauthorized",
        message: answers[0]?.body.error?.message,
        requestId: expect.any(String),
      });
    }
  });

  it("§2 a key that is one character off is refused", async () => {
    const { key } = workspace;
    const last = key.endsWith("0") ? "1" : "0";
    for (const wrong of [key.slice(0, -1), `${key}0`, key.slice(0, -1) + last, key.toUpperCase(), `x${key}`]) {
      expect((await send("POST", "/api/v1/cdp", track(), bearer(wrong))).status).toBe(401);
    }
  });
});

describe("§2 403 forbidden", () => {
  it.each([
    ["ingest", statuses(200, 403, NO_MARKS)],
    ["read", statuses(403, 200, NO_MARKS)],
    ["identity", statuses(403, 403, NO_MARKS, 403, [415, 200])],
    ["ask", statuses(403, 403, NO_MARKS, 415)],
    ["inbox", statuses(403, 403, [404, 404, 415, 404])],
  ])("§2 a key with the scope %s alone opens what has it, and nothing else", async (scope, expected) => {
    await workspace.post("/api/v1/cdp", track());
    const { key } = await workspace.newKey([scope]);
    for (const [place, [method, path]] of PATHS.entries()) {
      const answer = await send(method, path, method === "GET" ? undefined : capture({ type: "track" }), bearer(key));
      expect(answer.status, `${method} ${path}`).toBe(expected[place]);
      if (answer.status !== 403) continue;
      expect(answer.body.error?.code).toBe("forbidden");
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer\b/);
    }
  });

  it("§2 a writeKey in the body needs the scope too", async () => {
    const { key } = await workspace.newKey(["read"]);
    expect(await send("POST", "/api/v1/cdp", { ...track(), writeKey: key })).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden" } },
    });
  });
});

describe("§2 no body is parsed or read for bad header credentials", () => {
  const CASES: [what: string, body: string, headers: Record<string, string>][] = [
    ["is not JSON", "{", {}],
    ["is larger than any limit", "x".repeat(600_000), {}],
    ["has an encoding that is not supported", "{}", { "Content-Encoding": "br" }],
    ["is not gzip as it says", "{}", { "Content-Encoding": "gzip" }],
    ["is empty", "", {}],
  ];

  it.each(CASES)(
    "§2 a body that %s is 401 with a bad key, and 403 with one of another scope",
    async (_what, body, headers) => {
      const { key } = await workspace.newKey(["read"]);
      for (const path of ["/api/v1/events", "/api/v1/cdp"]) {
        for (const bad of ["junk", await unknownKey()]) {
          expect((await send("POST", path, body, { headers: { ...headers, ...bearer(bad).headers } })).status).toBe(
            401,
          );
          expect((await send("POST", path, body, { headers: { ...headers, "X-Write-Key": bad } })).status).toBe(401);
        }
        expect((await send("POST", path, body, { headers: { ...headers, ...bearer(key).headers } })).status).toBe(403);
      }
    },
  );

  it("§2 of a body with a bad key not one chunk is read", async () => {
    for (const key of ["junk", await unknownKey()]) {
      const body = countedBody(repeated(new Uint8Array(65_536), 3_000));
      expect((await sendWith(envWith({}), "POST", "/api/v1/cdp", body.stream, bearer(key))).status).toBe(401);
      expect(body.pulled()).toBe(0);
    }
  });

  it("§2 of a body with no header credentials no more is read than its size limit", async () => {
    const body = countedBody(repeated(new Uint8Array(65_536), 3_000));
    expect((await sendWith(envWith({}), "POST", "/api/v1/cdp", asReceived(body.stream))).status).toBe(413);
    expect(body.pulled()).toBeLessThanOrEqual(10);
  });
});

describe("§2 look-ups", () => {
  it("§2 junk is refused with no look-up", async () => {
    const { DB, trips } = databaseWith(failing(D1_BROKEN));
    const junk = [
      "",
      "x",
      "bik_",
      `bik_${"0".repeat(30)}`,
      `${workspace.key}x`,
      workspace.key.slice(0, -1),
      "a".repeat(10_000),
    ];
    for (const key of junk) {
      expect((await sendWith(envWith({ DB }), "POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(401);
      expect((await sendWith(envWith({ DB }), "GET", "/api/v1/events", undefined, bearer(key))).status).toBe(401);
    }
    expect(trips()).toBe(0);
  });

  it("§2 a key that was not found is never cached: it works as soon as it is made", async () => {
    const { key, record } = await generateKey(null, null, Date.now());
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(401);
    await insertKey(env, workspace.id, record);
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(200);
  });
});

describe("§2 revocation", () => {
  it("§2 a revoked key is refused on the very next write, and read", async () => {
    const { key, keyId } = await workspace.newKey();
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(200);
    await workspace.revoke(keyId);
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(401);
    expect((await send("GET", "/api/v1/events", undefined, bearer(key))).status).toBe(401);
  });

  it("§2 another isolate that knows the key refuses its very next write, and stores nothing of it", async () => {
    const { key, keyId } = await workspace.newKey();
    expect((await sendThere("POST", "/api/v1/cdp", key, track())).status).toBe(200);
    await workspace.revoke(keyId);
    const { DB, trips } = databaseWith((run) => run());
    const late = await sendWith(envWith({ DB }), "POST", "/api/v1/events", capture({ event: "too.late" }), bearer(key));
    expect([late.status, trips()]).toEqual([401, 0]);
    expect((await workspace.get("/api/v1/events?limit=1")).body.events).not.toMatchObject([{ name: "too.late" }]);
  });

  it("§2 it still does when the workspace's object has been restarted", async () => {
    const { key, keyId } = await workspace.newKey();
    expect((await sendThere("POST", "/api/v1/cdp", key, track())).status).toBe(200);
    await workspace.revoke(keyId);
    await abortAllDurableObjects();
    expect((await sendThere("POST", "/api/v1/cdp", key, track())).status).toBe(401);
  });

  it("§2 another isolate that knows the key refuses its reads within 30 s", async () => {
    vi.setSystemTime(Date.now());
    const { key, keyId } = await workspace.newKey();
    expect((await sendThere("GET", "/api/v1/events", key)).status).toBe(200);
    vi.setSystemTime(Date.now() + 10_000);
    expect((await sendThere("GET", "/api/v1/events", key)).status).toBe(200);
    await admin("DELETE", `/workspaces/${workspace.id}/keys/${keyId}`);
    vi.setSystemTime(Date.now() + 30_000);
    expect((await sendThere("GET", "/api/v1/events", key)).status).toBe(401);
  });

  it("§2 the other keys of the workspace go on", async () => {
    const [one, other] = [await workspace.newKey(), await workspace.newKey()];
    await workspace.revoke(one.keyId);
    expect((await other.post("/api/v1/cdp", track())).status).toBe(200);
    expect((await other.get("/api/v1/events")).status).toBe(200);
  });
});
