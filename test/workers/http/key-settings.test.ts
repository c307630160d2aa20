/** Section 22: what a key may be limited to, how it is changed and rotated, and its last use. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../src/core/durations.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { type Answer, refusal, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NOW = Date.UTC(2100, 4, 6, 7);
const iso = (ms: number) => new Date(NOW + ms).toISOString();

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Made {
  id: string;
  key: string;
  signingSecret?: string;
}

const madeBy = ({ body, text }: Answer): Made => {
  if (body.key === undefined) throw new Error(`no key was made: ${text}`);
  return body.key;
};
const make = async (settings: object) => madeBy(await admin("POST", `/workspaces/${workspace.id}/keys`, settings));
const pathOf = (keyId: string) => `/workspaces/${workspace.id}/keys/${keyId}`;
const change = (keyId: string, body: unknown) => admin("PATCH", pathOf(keyId), body);
const rotate = (keyId: string, body?: unknown) => admin("POST", `${pathOf(keyId)}/rotate`, body);
const stored = async (keyId: string) => {
  const { body } = await admin("GET", `/workspaces/${workspace.id}`);
  const keys = body.workspace?.["keys"];
  return Array.isArray(keys) ? keys.find((one: { id: string }) => one.id === keyId) : undefined;
};
const write = ({ key }: Made, body: unknown = track()) =>
  send("POST", CDP, body, { headers: { Authorization: `Bearer ${key}` } });

describe("§22.1 a new key", () => {
  it("§22.1 with origins only ingests, and administrators always see its text", async () => {
    const made = await make({ origins: ["https://App.example.com:443", "https://*.example.com"], writeLimit: 7 });
    const origins = ["https://app.example.com", "https://*.example.com"];
    expect(made).toMatchObject({ scopes: ["ingest"], origins, writeLimit: 7 });
    expect(await stored(made.id)).toMatchObject({ key: made.key, scopes: ["ingest"], origins });
  });

  it("§22.1 that is signed only ingests, and shows its secret once", async () => {
    const made = await make({ signed: true, segmentBatches: true });
    expect(made).toMatchObject({ scopes: ["ingest"], signed: true, segmentBatches: true });
    expect(made.signingSecret).toMatch(/^whsec_.{44}$/);
    const row = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?").bind(made.id).first();
    expect(JSON.stringify([row, await stored(made.id)])).not.toContain(made.signingSecret);
    expect(JSON.stringify(row)).not.toContain(made.key);
  });

  it.each([
    [{ origins: [] }, "origins", "must have 1 to 20 entries"],
    [
      { origins: Array.from({ length: 21 }, (_, index) => `https://a${index}.example`) },
      "origins",
      "must have 1 to 20 entries",
    ],
    [{ origins: ["https://app.example.com", "http://app.example.com"] }, "origins.1"],
    [{ origins: ["https://app.example.com"], scopes: ["ingest", "read"] }, "scopes"],
    [{ origins: ["https://app.example.com"], signed: true }, "signed"],
    [{ signed: true, scopes: ["read"] }, "scopes"],
    [{ segmentBatches: true }, "segmentBatches"],
    [{ writeLimit: 0 }, "writeLimit", "must be a whole number from 1 to 100000"],
    [{ writeLimit: 1.5 }, "writeLimit", "must be a whole number from 1 to 100000"],
    [{ writeLimit: 100_001 }, "writeLimit", "must be a whole number from 1 to 100000"],
    [{ expiresAt: "2099-12-31T00:00:00Z" }, "expiresAt"],
    [{ expiresAt: "2100-12-31" }, "expiresAt"],
  ])("§22.1 of %j is 400 naming %s", async (settings, path, message = expect.any(String)) => {
    const answer = await admin("POST", `/workspaces/${workspace.id}/keys`, settings);
    expect(answer).toMatchObject(refusal(400, "invalid_request"));
    expect(answer.body.error?.issues).toEqual([{ path, message }]);
  });
});

describe("§22.1 a key that expires", () => {
  it("§22.1 is unknown from that moment on, also where it is cached", async () => {
    const made = await make({ expiresAt: iso(5_000) });
    expect((await write(made)).status).toBe(200);
    vi.setSystemTime(NOW + 4_999);
    expect((await write(made)).status).toBe(200);
    vi.setSystemTime(NOW + 5_000);
    expect(await write(made)).toMatchObject(refusal(401, "unauthorized"));
    expect((await change(made.id, { expiresAt: iso(9_000) })).status).toBe(200);
    expect((await write(made)).status).toBe(200);
  });
});

describe("§22.1 PATCH of a key", () => {
  it("§22.1 changes what is given", async () => {
    const made = await make({ name: "Shop", origins: ["https://a.example"] });
    const { status, body } = await change(made.id, { origins: ["https://b.example"], writeLimit: 3 });
    expect(status).toBe(200);
    expect(body.key).toMatchObject({ name: "Shop", origins: ["https://b.example"], writeLimit: 3, expiresAt: null });
    expect(body.key).toEqual(await stored(made.id));
    await change(made.id, { name: null, writeLimit: null });
    expect(await stored(made.id)).toMatchObject({ name: null, origins: ["https://b.example"], writeLimit: null });
  });

  it("§22.1 gives no origins to a key whose text is secret, and takes none away", async () => {
    const secret = await make({});
    const page = await make({ origins: ["https://a.example"] });
    for (const [id, origins] of [
      [secret.id, ["https://a.example"]],
      [page.id, []],
      [page.id, null],
    ] as const) {
      expect(await change(id, { origins })).toMatchObject(refusal(400, "invalid_request"));
    }
  });

  it("§22.1 and rotating an unknown or revoked key, or another workspace's, are 404", async () => {
    const other = await newWorkspace();
    await workspace.revoke(workspace.keyId);
    for (const keyId of ["key_000000000000000000000000", other.keyId, workspace.keyId]) {
      expect(await change(keyId, { name: "x" })).toMatchObject(refusal(404, "not_found"));
      expect(await rotate(keyId)).toMatchObject(refusal(404, "not_found"));
    }
    expect((await other.post(CDP, track())).status).toBe(200);
  });
});

describe("§22.1 rotating a key", () => {
  it("§22.1 makes a key with the same settings and as much time, and ends the old one after the grace period", async () => {
    const old = await make({
      name: "Shop",
      signed: true,
      segmentBatches: true,
      writeLimit: 9,
      expiresAt: iso(90 * DAY_MS),
    });
    vi.setSystemTime(NOW + DAY_MS);
    const answer = await rotate(old.id);
    expect(answer.status).toBe(201);
    const { id, key, signingSecret, ...settings } = madeBy(answer);
    expect(settings).toEqual({
      name: "Shop",
      scopes: ["ingest"],
      origins: null,
      writeLimit: 9,
      signed: true,
      segmentBatches: true,
      expiresAt: iso(91 * DAY_MS),
    });
    expect([id, key, signingSecret]).not.toEqual(expect.arrayContaining([old.id, old.key, old.signingSecret]));
    expect(await stored(old.id)).toMatchObject({ expiresAt: iso(2 * DAY_MS), revokedAt: null });
  });

  it("§22.1 without a grace period refuses the old key's next write, also where it is cached", async () => {
    const old = await make({});
    await write(old);
    const successor = madeBy(await rotate(old.id, { graceHours: 0 }));
    expect((await write(old)).status).toBe(401);
    expect((await write(successor)).status).toBe(200);
    expect(await change(old.id, { expiresAt: null })).toMatchObject(refusal(404, "not_found"));
  });

  it("§22.1 makes one successor, also when calls overtake each other", async () => {
    const old = await make({});
    const answers = await Promise.all([rotate(old.id), rotate(old.id), rotate(old.id)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const again = await rotate(old.id);
    expect(again).toMatchObject(refusal(400, "invalid_request"));
    const successor = answers.flatMap(({ body }) => body.key?.id ?? [])[0] ?? "";
    expect(again.body.error?.message).toContain(successor);
    expect((await rotate(successor)).status).toBe(201);
  });

  it("§22.1 never lengthens the time of the old key", async () => {
    const old = await make({ expiresAt: iso(HOUR_MS) });
    await rotate(old.id, { graceHours: 48 });
    expect(await stored(old.id)).toMatchObject({ expiresAt: iso(HOUR_MS) });
  });
});

describe("§22.1 the last use of a key", () => {
  it("§22.1 is the day of its last request", async () => {
    const made = await make({});
    expect(await stored(made.id)).toMatchObject({ lastUsedOn: null });
    await write(made);
    await expect.poll(() => stored(made.id)).toMatchObject({ lastUsedOn: "2100-05-06" });
    vi.setSystemTime(NOW + DAY_MS);
    await write(made);
    await expect.poll(() => stored(made.id)).toMatchObject({ lastUsedOn: "2100-05-07" });
  });
});

describe("§7 a key's own write limit", () => {
  it("§7 refuses the key, and leaves the rest of the workspace's to others", async () => {
    const made = await make({ writeLimit: 30 });
    expect((await write(made, batch(tracks(30, "a")))).headers.get("RateLimit")).toBe('"writes";r=0;t=10');
    const refused = await write(made, track());
    expect(refused).toMatchObject(refusal(429, "rate_limited"));
    expect(refused.headers.get("RateLimit-Policy")).toBe('"writes";q=30;w=10');
    expect((await workspace.post(CDP, batch(tracks(70, "b")))).status).toBe(200);
    vi.setSystemTime(NOW + 10_000);
    expect((await write(made, batch(tracks(30, "c")))).status).toBe(200);
  });

  it("§7 is half of the workspace's for a browser key, and is not charged by what the workspace's limit refuses", async () => {
    const made = await make({ origins: ["https://a.example"] });
    const fromPage = (body: unknown) =>
      send("POST", CDP, body, { headers: { Authorization: `Bearer ${made.key}`, Origin: "https://a.example" } });
    await workspace.post(CDP, batch(tracks(60, "a")));
    expect((await fromPage(batch(tracks(41, "b")))).headers.get("RateLimit-Policy")).toBe('"writes";q=100;w=10');
    vi.setSystemTime(NOW + 10_000);
    expect((await fromPage(batch(tracks(50, "c")))).status).toBe(200);
    expect((await fromPage(track())).headers.get("RateLimit-Policy")).toBe('"writes";q=50;w=10');
  });

  it("§7 charges a batch above it at the key's pace, and leaves the rest of each window to others", async () => {
    const made = await make({ writeLimit: 30 });
    expect((await write(made, batch(tracks(90, "a")))).status).toBe(200);
    for (const at of [0, 10_000, 20_000]) {
      vi.setSystemTime(NOW + at);
      expect((await workspace.post(CDP, batch(tracks(70, `b${at}`)))).status).toBe(200);
      expect((await workspace.post(CDP, track())).status).toBe(429);
      expect((await write(made, track())).status).toBe(429);
    }
    vi.setSystemTime(NOW + 30_000);
    expect((await workspace.post(CDP, batch(tracks(100, "c")))).status).toBe(200);
  });

  it("§7 is one half for all browser keys without a limit", async () => {
    const keys = [await make({ origins: ["https://a.example"] }), await make({ origins: ["https://a.example"] })];
    const statuses: number[] = [];
    for (const { key } of keys) {
      const headers = { Authorization: `Bearer ${key}`, Origin: "https://a.example" };
      statuses.push((await send("POST", CDP, batch(tracks(30, key)), { headers })).status);
    }
    expect(statuses).toEqual([200, 429]);
  });
});
