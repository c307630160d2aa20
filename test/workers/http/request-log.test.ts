/** Section 8: the log has one JSON line per request, without data of the sender. Faults in every operation are tested in security/logs. */
import { Hono } from "hono";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import type { AppEnv } from "../../../src/edge/app-context.ts";
import { requestLog } from "../../../src/edge/request-log.ts";
import { D1_BROKEN, D1_OVERLOADED, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { logged } from "../support/logged.ts";
import { batch, capture, track } from "../support/messages.ts";
import { admin, ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 1_000 });
  // An earlier file in the same runtime may have flooded the log, which then skips lines for a second.
  await scheduler.wait(1_000);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const bearer = () => ({ headers: { Authorization: `Bearer ${workspace.key}` } });
const direct = (method: string, path: string, body?: unknown, changes: Partial<Env> = {}, init = bearer()) =>
  sendWith(envWith(changes), method, path, body, init);

describe("§8 the log line of a request", () => {
  it("§8 §9 has no fault for a read with a cached key of an erased workspace, and the 401 no Retry-After", async () => {
    const erased = await newWorkspace();
    const init = { headers: { Authorization: `Bearer ${erased.key}` } };
    const read = () => direct("GET", NATIVE, undefined, {}, init);
    expect((await read()).status).toBe(200);
    expect((await admin("DELETE", `/workspaces/${erased.id}`)).status).toBe(200);
    const { answer, line } = await logged(read);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([401, null]);
    expect(line).toMatchObject({ status: 401, workspace: erased.id });
    expect(line).not.toHaveProperty("fault");
  });

  it("§8 has the request id, workspace, operation, counts, status and times of a batch", async () => {
    await workspace.post(CDP, track({ messageId: "old" }));
    const messages = [track(), track({ messageId: "old" }), track({ event: null }), track()];
    const { answer, lines, line } = await logged(() => direct("POST", CDP, batch(messages)));
    expect(lines).toHaveLength(1);
    expect(line).toMatchObject({
      requestId: answer.headers.get("X-Request-Id"),
      workspace: workspace.id,
      keyId: workspace.keyId,
      operation: "ingest_cdp",
      method: "POST",
      status: 200,
      messages: 4,
      stored: 2,
      duplicates: 1,
      rejected: 1,
      ms: expect.any(Number),
      limiterMs: expect.any(Number),
      databaseMs: expect.any(Number),
    });
  });

  it.each([
    ["POST", NATIVE, "capture_event", { messages: 1, stored: 1 }],
    ["POST", "/api/events", "capture_event", { messages: 1, stored: 1 }],
    ["GET", NATIVE, "list_events", {}],
    ["GET", "/api/v1/users/u1", "read_user", {}],
    ["GET", "/api/v1/rejected", "list_rejected", {}],
  ])("§8 has the operation of %s %s: %s", async (method, path, operation, counts) => {
    const { line } = await logged(() => direct(method, path, method === "POST" ? capture() : undefined));
    expect(line).toMatchObject({ operation, status: 200, workspace: workspace.id, ...counts });
  });

  it.each([
    ["POST", CDP, "{", 400],
    ["POST", CDP, " ".repeat(524_289), 413],
    ["GET", "/nothing/secret-path", undefined, 404],
    ["DELETE", CDP, undefined, 405],
    ["OPTIONS", CDP, undefined, 204],
    ["GET", "/healthz", undefined, 200],
  ])("§8 has the status of %s %s %.10s", async (method, path, body, status) => {
    const { lines, line } = await logged(() => direct(method, path, body));
    expect(lines).toHaveLength(1);
    expect(line).toMatchObject({ requestId: expect.any(String), method, status });
  });

  it("§8 is dropped for all but ten equal requests a second, and the next line counts the dropped ones", async () => {
    const sender = await newWorkspace();
    vi.useFakeTimers({ toFake: ["Date"] });
    const flood = (path: string, requests: number) =>
      logged(async () => {
        const headers = { Authorization: `Bearer ${sender.key}` };
        let answer = await direct("POST", path, track(), {}, { headers });
        for (let sent = 1; sent < requests; sent += 1) answer = await direct("POST", path, track(), {}, { headers });
        return answer;
      });
    try {
      expect((await flood(CDP, 12)).lines).toHaveLength(10);
      expect((await flood("/api/v1/events", 1)).lines).toHaveLength(1);
      vi.setSystemTime(Date.now() + 1_000);
      const next = await flood(CDP, 2);
      expect(next.lines.map((line) => JSON.parse(line).requests)).toEqual([3, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["a success that is drawn, as twenty", 200, {}, 0.049, 20],
    ["no other success", 200, {}, 0.05, undefined],
    ["every success with a fault", 200, { fault: "The directory is down." }, 0.99, 1],
    ["every redirect", 302, {}, 0.99, 1],
    ["every refusal", 429, {}, 0.99, 1],
    ["every fault", 500, { fault: "broken" }, 0.99, 1],
  ])("§8 has, at a sampling rate of 0.05, %s", async (_, status, fields, drawn, requests) => {
    const app = new Hono<AppEnv>().use(requestLog).get("/", (c) => {
      Object.assign(c.get("logFields"), fields, { workspace: crypto.randomUUID() });
      return new Response(null, { status });
    });
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
    vi.spyOn(console, "error").mockImplementation((line) => void lines.push(line));
    vi.spyOn(Math, "random").mockReturnValue(drawn);
    await app.request("/", {}, envWith({ SUCCESS_SAMPLING_RATE: "0.05" }));
    expect(lines.map((line) => JSON.parse(line).requests)).toEqual(requests === undefined ? [] : [requests]);
  });

  it("§8 counts every request by status during floods, also with more workspaces than it remembers", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = new Hono<AppEnv>().use(requestLog).get("/:status/:workspace", (c) => {
      c.get("logFields").workspace = c.req.param("workspace");
      return new Response(null, { status: Number(c.req.param("status")) });
    });
    const sent = [
      [200, 500],
      [429, 40],
      [507, 50],
      [503, 30],
    ] as const;
    const lines: { status: number; requests: number }[] = [];
    for (const level of ["log", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)));
    const flood = async (share: number) => {
      for (const [status, count] of sent)
        for (let n = 0; n < count * share; n += 1) await app.request(`/${status}/ws_flood`, {}, envWith({}));
    };
    try {
      await flood(1);
      expect(lines.filter(({ status }) => status !== 503)).toHaveLength(30);
      for (let other = 0; other < 1_500; other += 1) await app.request(`/204/ws_${other}`, {}, envWith({}));
      vi.setSystemTime(Date.now() + 1_000);
      await flood(0.1);
    } finally {
      vi.useRealTimers();
    }
    const counted = (asked: number) =>
      lines.reduce((sum, { status, requests }) => sum + (status === asked ? requests : 0), 0);
    expect([429, 507, 503].map(counted)).toEqual([44, 55, 33]);
    // The last second's share comes with the next line.
    expect(counted(200)).toBe(510);
  });

  it("§8 has the detail of a fault, and the request id of the response", async () => {
    const { DB } = databaseWith(failing(D1_BROKEN));
    const { answer, lines, line } = await logged(() => direct("POST", CDP, track(), { DB }));
    expect([answer.status, lines.length]).toEqual([500, 1]);
    expect(line).toMatchObject({ requestId: answer.body.error?.requestId, status: 500, workspace: workspace.id });
    expect(line["fault"]).toContain("ambiguous column name");
  });

  it("§8 has the cause of a 503", async () => {
    const { DB } = databaseWith(failing(D1_OVERLOADED));
    const { line } = await logged(() => direct("POST", NATIVE, capture(), { DB }));
    expect(line).toMatchObject({ status: 503, fault: expect.stringContaining("overloaded") });
  });
});

describe("§8 §5 the log line has no data of the sender", () => {
  const SECRET = "Sekret7";
  const secrets = { [`${SECRET}Key`]: `${SECRET}Value`, email: `${SECRET}@example.com` };
  const fields = { userId: `${SECRET}User`, accountId: `${SECRET}Account`, properties: secrets };

  it.each<[what: string, method: string, path: string, body: unknown]>([
    ["a refused message", "POST", CDP, track({ ...fields, timestamp: SECRET })],
    ["bad JSON", "POST", CDP, `{"${SECRET}": ${SECRET}`],
    ["an unknown path", "GET", `/api/v1/${SECRET}`, undefined],
    ["a query", "GET", `${NATIVE}?cursor=${SECRET}`, undefined],
  ])("§8 after %s", async (_what, method, path, body) => {
    const { lines } = await logged(() => direct(method, path, body));
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(SECRET);
    expect(lines.join()).not.toContain(workspace.key);
  });

  it("§8 and no key, good or bad, wherever the request has it", async () => {
    const { key } = workspace;
    const bad = `${key.slice(0, -1)}_`;
    const sent = [
      () => direct("POST", CDP, { ...track(), writeKey: key }, {}, { headers: { Authorization: "" } }),
      () => direct("POST", CDP, track(), {}, { headers: { Authorization: `Basic ${btoa(`${key}:`)}` } }),
      () => direct("POST", CDP, track(), {}, { headers: { Authorization: `Bearer ${bad}` } }),
      () => direct("GET", "/admin/workspaces", undefined, {}, { headers: ADMIN_HEADERS }),
    ];
    for (const make of sent) {
      const { lines } = await logged(make);
      for (const secret of [key, bad, btoa(`${key}:`), key.slice(4, 28), ADMIN_HEADERS.Authorization.slice(7)]) {
        expect(lines.join()).not.toContain(secret);
      }
    }
  });

  it("§8 and no hash of a key when D1 fails at its look-up", async () => {
    const { key } = await workspace.newKey();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
    const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const { DB } = databaseWith(failing(D1_BROKEN));
    const { lines } = await logged(() =>
      direct("POST", CDP, track(), { DB }, { headers: { Authorization: `Bearer ${key}` } }),
    );
    expect(lines.join()).not.toContain(hash);
  });
});
