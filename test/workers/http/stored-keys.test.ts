/** Section 2: what is kept of a key, and what a key without a list of scopes opens. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { isWellFormedApiKey, SCOPES } from "../../../src/core/api-key.ts";
import { allRows, tablesWith } from "../support/database.ts";
import { batch, capture, track } from "../support/messages.ts";
import { send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const sha256 = async (text: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

const scopesIn = async (keyId: string) =>
  env.DB.prepare("SELECT scopes FROM api_keys WHERE id = ?").bind(keyId).first<string | null>("scopes");

describe("§2 what is stored of a key", () => {
  it("§2 keys look like bik_<random><checksum>, each another", async () => {
    const keys = [workspace.key, (await workspace.newKey()).key, (await workspace.newKey()).key];
    for (const key of keys) {
      expect(key).toMatch(/^bik_[0-9A-Za-z]{30}$/);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(3);
  });

  it("§2 only the SHA-256 of a key is stored, with its last four characters", async () => {
    const { key, keyId } = await workspace.newKey();
    const row = (await allRows())["api_keys"]?.find(({ id }) => id === keyId);
    expect(row).toMatchObject({ hash: await sha256(key), last_four: key.slice(-4) });
    expect(await tablesWith(key)).toEqual([]);
    expect(await tablesWith(key.slice(4, 28))).toEqual([]);
  });

  it("§2 a key is shown once: no later answer has it", async () => {
    const { key } = await workspace.newKey();
    for (const path of ["/workspaces", `/workspaces/${workspace.id}`]) {
      const { text } = await admin("GET", path);
      expect(text).not.toContain(key);
      expect(text).not.toContain(await sha256(key));
      expect(text).toContain(`"lastFour":"${key.slice(-4)}"`);
    }
  });

  it("§2 the body's writeKey is never stored, on any path and whatever becomes of the message", async () => {
    const { key: writeKey, post } = await newWorkspace({ writeLimit: 1_000 });
    const bodies: [path: string, body: Record<string, unknown>, status: number][] = [
      ["/api/v1/events", capture(), 200],
      ["/api/v1/events", capture({ event: "Not Valid" }), 400],
      ["/api/v1/cdp", track(), 200],
      ["/api/v1/cdp", { type: "identify", userId: "u1", traits: { a: 1 } }, 200],
      ["/api/v1/cdp", { type: "group", userId: "u1", groupId: "acme", traits: { a: 1 } }, 200],
      ["/api/v1/cdp", track({ event: null, properties: { a: 1 } }), 400],
      ["/api/v1/cdp", track({ timestamp: "soon" }), 400],
      ["/v1/page", { userId: "u1" }, 200],
      ["/v1/batch", batch([track(), track({ event: 5 }), track({ writeKey }), track({ event: 5, writeKey })]), 200],
    ];
    for (const [path, body, status] of bodies) {
      expect((await send("POST", path, { ...body, writeKey })).status, `${path} ${JSON.stringify(body)}`).toBe(status);
    }
    expect((await post("/api/v1/cdp", { ...track(), writeKey })).status).toBe(200);
    expect(await tablesWith(writeKey)).toEqual([]);
    expect(await tablesWith("writeKey")).toEqual([]);
  });
});

describe("§2 scopes", () => {
  it("§2 the first key, and one made without scopes, has all those that exist when it is used", async () => {
    const { keyId } = await workspace.newKey();
    for (const id of [workspace.keyId, keyId]) {
      // No list is kept, so that a scope that is added later is among them.
      expect(await scopesIn(id)).toBeNull();
      const { body } = await admin("GET", `/workspaces/${workspace.id}`);
      expect(body.workspace?.["keys"]).toContainEqual(expect.objectContaining({ id, scopes: [...SCOPES] }));
    }
  });

  it("§2 a key that was made with a list keeps to it, even if it named all of them", async () => {
    for (const scopes of [["ingest"], [...SCOPES]]) {
      const { keyId } = await workspace.newKey(scopes);
      expect(JSON.parse((await scopesIn(keyId)) ?? "null")).toEqual(scopes);
    }
  });

  it("§2 the scopes are ingest, identity, ask, read and inbox", () => {
    expect([...SCOPES].toSorted()).toEqual(["ask", "identity", "inbox", "ingest", "read"]);
  });
});
