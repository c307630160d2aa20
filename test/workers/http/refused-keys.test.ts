/** Section 2: the responses to bad keys, and what the service does not do for them. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { insertKey } from "../../../src/db/workspaces/api-keys.ts";
import { generateKey } from "../../../src/services/workspaces/key-changes.ts";
import { asReceived, countedBody, repeated, unfinished } from "../support/bytes.ts";
import { D1_BROKEN, databaseWith, envWith, failing, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { capture, track, utf8 } from "../support/messages.ts";
import { type Answer, refusal, send } from "../support/send.ts";
import { answerTo } from "../support/unfinished-body.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

/** One operation of each kind, with the status for a key that has only its scope. */
const OPERATIONS: [scope: string, method: string, path: string, status: number][] = [
  ["ingest", "POST", "/api/v1/events", 200],
  ["ingest", "POST", "/api/v1/cdp", 200],
  ["ingest", "POST", "/v1/track", 200],
  ["read", "GET", "/api/v1/events", 200],
  ["read", "GET", "/api/v1/rejected", 200],
  ["read", "GET", "/api/v1/users/u1", 200],
  ["read", "GET", "/api/v1/accounts", 200],
  ["read", "GET", "/api/v1/accounts/u1", 200],
  ["read", "GET", "/api/v1/inbox", 200],
  ["inbox", "POST", "/api/v1/inbox/itm_1/dismiss", 415],
  ["inbox", "DELETE", "/api/v1/inbox/itm_1/dismiss", 404],
  // 415 is the response to a body without a JSON content type.
  ["inbox", "POST", "/api/v1/inbox/itm_1/snooze", 415],
  ["inbox", "DELETE", "/api/v1/inbox/itm_1/snooze", 404],
  ["ask", "POST", "/api/v1/ask", 415],
  ["identity", "POST", "/api/v1/identity", 415],
  ["identity", "DELETE", "/api/v1/users/nobody", 200],
];
const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
const sendThere = (method: string, path: string, key: string, body?: unknown) =>
  sendWith(envWith({}), method, path, body, bearer(key));
const unknownKey = async () => (await generateKey(env, {}, 0)).key;

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
  it.each(OPERATIONS)("§2 is the same for each reason: %s, %s %s", async (_scope, method, path) => {
    const revoked = await workspace.newKey();
    await workspace.revoke(revoked.keyId);
    const body = method === "GET" ? undefined : capture({ type: "track" });
    const answers: Answer[] = [await send(method, path, body)];
    for (const key of ["nonsense", await unknownKey(), revoked.key]) {
      answers.push(await send(method, path, body, bearer(key)));
    }
    const message = answers[0]?.body.error?.message;
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(answer.body.error).toEqual({ code: "unauthorized", message, requestId: expect.any(String) });
    }
  });

  it("§2 is the response to a key with one wrong character", async () => {
    const { key } = workspace;
    const last = key.endsWith("0") ? "1" : "0";
    for (const wrong of [key.slice(0, -1), `${key}0`, key.slice(0, -1) + last, key.toUpperCase(), `x${key}`]) {
      expect((await send("POST", "/api/v1/cdp", track(), bearer(wrong))).status).toBe(401);
    }
  });
});

describe("§2 403 forbidden", () => {
  it.each([...new Set(OPERATIONS.map(([scope]) => scope))])(
    "§2 is the response to a key with only the scope %s, except for the operations of this scope",
    async (own) => {
      await workspace.post("/api/v1/cdp", track());
      const { key } = await workspace.newKey([own]);
      for (const [scope, method, path, status] of OPERATIONS) {
        const answer = await send(method, path, method === "GET" ? undefined : capture({ type: "track" }), bearer(key));
        expect(answer.status, `${method} ${path}`).toBe(scope === own ? status : 403);
        if (answer.status !== 403) continue;
        expect(answer.body.error?.code).toBe("forbidden");
        expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer\b/);
      }
    },
  );

  it("§2 is the response to a writeKey in the body without the scope", async () => {
    const { key } = await workspace.newKey(["read"]);
    expect(await send("POST", "/api/v1/cdp", { ...track(), writeKey: key })).toMatchObject(refusal(403, "forbidden"));
  });
});

describe("§2 bad header credentials", () => {
  it.each<[what: string, body: string, headers: Record<string, string>]>([
    ["is not JSON", "{", {}],
    ["is larger than any limit", "x".repeat(600_000), {}],
    ["has an unsupported encoding", "{}", { "Content-Encoding": "br" }],
  ])("§2 a body that %s is 401 with a bad key, and 403 with one of another scope", async (_what, body, headers) => {
    const { key } = await workspace.newKey(["read"]);
    for (const path of ["/api/v1/events", "/api/v1/cdp"]) {
      for (const [sent, status] of [
        ["junk", 401],
        [await unknownKey(), 401],
        [key, 403],
      ] as const) {
        expect((await send("POST", path, body, { headers: { ...headers, "X-Write-Key": sent } })).status).toBe(status);
      }
    }
  });

  it("§2 are refused whatever the body is, although its sender stops in the middle of it", async () => {
    for (const key of ["junk", await unknownKey()]) {
      for (const text of ["", "{", "no JSON"]) {
        const body = asReceived(unfinished(utf8(text)));
        const answer = await answerTo(() => sendWith(envWith({}), "POST", "/api/v1/cdp", body, bearer(key)));
        expect(answer.status).toBe(401);
      }
    }
  });

  it("§2 that are absent don't have a large body parsed", async () => {
    const body = countedBody(repeated(new Uint8Array(65_536), 30));
    expect((await sendWith(envWith({}), "POST", "/api/v1/cdp", asReceived(body.stream))).status).toBe(413);
  });
});

describe("§2 look-ups of keys", () => {
  it("§2 are not made for junk", async () => {
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

  it("§2 that find nothing are not cached: a new key works at once", async () => {
    const { key, record } = await generateKey(env, {}, Date.now());
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(401);
    await insertKey(env, workspace.id, record);
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(200);
  });
});

describe("§2 a revoked key", () => {
  it("§2 is refused on the next write and the next read", async () => {
    const { key, keyId } = await workspace.newKey();
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(200);
    await workspace.revoke(keyId);
    expect((await send("POST", "/api/v1/cdp", track(), bearer(key))).status).toBe(401);
    expect((await send("GET", "/api/v1/events", undefined, bearer(key))).status).toBe(401);
  });

  it("§2 is refused on the next write by another isolate that has it in its cache", async () => {
    const { key, keyId } = await workspace.newKey();
    expect((await sendThere("POST", "/api/v1/cdp", key, track())).status).toBe(200);
    await workspace.revoke(keyId);
    const { DB, trips } = databaseWith((run) => run());
    const late = await sendWith(envWith({ DB }), "POST", "/api/v1/events", capture({ event: "too.late" }), bearer(key));
    expect([late.status, trips()]).toEqual([401, 0]);
    expect((await workspace.get("/api/v1/events?limit=1")).body.events).not.toMatchObject([{ name: "too.late" }]);
  });

  it("§2 is refused on reads within 30 s by another isolate that has it in its cache", async () => {
    vi.setSystemTime(Date.now());
    const { key, keyId } = await workspace.newKey();
    expect((await sendThere("GET", "/api/v1/events", key)).status).toBe(200);
    vi.setSystemTime(Date.now() + 10_000);
    expect((await sendThere("GET", "/api/v1/events", key)).status).toBe(200);
    await admin("DELETE", `/workspaces/${workspace.id}/keys/${keyId}`);
    vi.setSystemTime(Date.now() + 30_000);
    expect((await sendThere("GET", "/api/v1/events", key)).status).toBe(401);
  });
});
