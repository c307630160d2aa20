/** Section 2: where a request may have its key, what is stored of a key, and its scopes. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { isWellFormedApiKey, SCOPES } from "../../../src/core/api-key.ts";
import { hex } from "../../../src/core/hex.ts";
import { allRows, tablesWith } from "../support/database.ts";
import { batch, capture, type Fields, track } from "../support/messages.ts";
import { refusal, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Credentials = { headers: Record<string, string>; fields: Fields };

const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` });
const inHeaders = (headers: Record<string, string>): Credentials => ({ headers, fields: {} });

/** In the order in which the service looks for them. */
const PLACES = {
  "Authorization: Bearer": (key: string) => inHeaders({ Authorization: `Bearer ${key}` }),
  "Authorization: Basic": (key: string) => inHeaders(basic(`${key}:`)),
  "X-Write-Key": (key: string) => inHeaders({ "X-Write-Key": key }),
  "the body's writeKey": (key: string): Credentials => ({ headers: {}, fields: { writeKey: key } }),
};
const REFUSED = refusal(401, "unauthorized");

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 10_000 });
});

/** Sends a message with one or two credentials. */
const sendTrack = (one: Credentials, other: Credentials = { headers: {}, fields: {} }) =>
  send(
    "POST",
    "/api/v1/cdp",
    { ...track(), ...one.fields, ...other.fields },
    { headers: { ...one.headers, ...other.headers } },
  );

describe("§2 a key", () => {
  it.each(Object.entries(PLACES))("§2 is accepted as %s on every ingest path", async (_place, put) => {
    const { headers, fields } = put(workspace.key);
    for (const [path, body] of [
      ["/api/v1/events", capture()],
      ["/api/cdp", batch([track()])],
      ["/v1/t", { userId: "u1", event: "x" }],
    ] as const) {
      expect((await send("POST", path, { ...body, ...fields }, { headers })).status).toBe(200);
    }
    for (const wrong of ["", "x", "bik_000000000000000000000000000000"]) {
      expect(await sendTrack(put(wrong))).toMatchObject(REFUSED);
    }
  });

  it.each<[what: string, headers: (key: string) => Record<string, string>]>([
    ["a lower-case scheme", (key) => ({ Authorization: `bearer ${key}` })],
    ["blanks around it", (key) => ({ "X-Write-Key": ` ${key} ` })],
  ])("§2 is accepted with %s", async (_what, headers) => {
    expect((await sendTrack(inHeaders(headers(workspace.key)))).status).toBe(200);
  });

  it.each<[what: string, put: (key: string) => Credentials]>([
    ["without a scheme", (key) => inHeaders({ Authorization: key })],
    ["with another scheme", (key) => inHeaders({ Authorization: `Token ${key}` })],
    ["twice in a header", (key) => inHeaders({ Authorization: `Bearer ${key} ${key}` })],
    ["as Basic without base64", (key) => inHeaders({ Authorization: `Basic ${key}:` })],
    ["as the password of Basic", (key) => inHeaders(basic(`:${key}`))],
    ["in a writeKey that is an array", (key) => ({ headers: {}, fields: { writeKey: [key] } })],
    ["below the top level of the body", (key) => ({ headers: {}, fields: { properties: { writeKey: key } } })],
  ])("§2 is not accepted %s", async (_what, put) => {
    expect(await sendTrack(put(workspace.key))).toMatchObject(REFUSED);
  });

  it("§2 is not accepted in a message of a batch", async () => {
    const message = track({ writeKey: workspace.key });
    for (const body of [batch([message]), [message]])
      expect(await send("POST", "/api/v1/cdp", body)).toMatchObject(REFUSED);
  });

  it.each(["Authorization: Basic", "X-Write-Key"] as const)("§2 is not accepted as %s on reads", async (place) => {
    const { headers } = PLACES[place](workspace.key);
    for (const path of ["events", "rejected", "users/u1", "accounts", "inbox"]) {
      expect(await send("GET", `/api/v1/${path}`, undefined, { headers }), path).toMatchObject(REFUSED);
    }
  });
});

describe("§2 the first of two credentials counts", () => {
  it.each([
    ["Authorization: Bearer", "X-Write-Key"],
    ["Authorization: Bearer", "the body's writeKey"],
    ["Authorization: Basic", "X-Write-Key"],
    ["Authorization: Basic", "the body's writeKey"],
    ["X-Write-Key", "the body's writeKey"],
  ] as const)("§2 %s before %s", async (one, other) => {
    const [first, second] = [PLACES[one], PLACES[other]];
    expect((await sendTrack(first(workspace.key), second("bad"))).status).toBe(200);
    expect((await sendTrack(first("bad"), second(workspace.key))).status).toBe(401);
  });

  it("§2 so a message goes to the workspace of the header's key, not of the body's", async () => {
    const other = await newWorkspace();
    await other.post("/api/v1/cdp", { ...track({ messageId: "mine" }), writeKey: workspace.key });
    expect((await other.get("/api/v1/events")).body.events).toMatchObject([{ messageId: "mine" }]);
  });
});

const sha256 = async (text: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return hex(new Uint8Array(digest));
};

describe("§2 storage of keys", () => {
  it("§2 has only the SHA-256 and the last four characters", async () => {
    const { key, keyId } = await workspace.newKey();
    expect(key).toMatch(/^bik_[0-9A-Za-z]{30}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
    const row = (await allRows())["api_keys"]?.find(({ id }) => id === keyId);
    expect(row).toMatchObject({ hash: await sha256(key), last_four: key.slice(-4) });
    expect(await tablesWith(key.slice(4, 28))).toEqual([]);
  });

  it("§2 is never shown: later responses have the last four characters of a key", async () => {
    const { key } = await workspace.newKey();
    for (const path of ["/workspaces", `/workspaces/${workspace.id}`]) {
      const { text } = await admin("GET", path);
      expect(text).not.toContain(key);
      expect(text).not.toContain(await sha256(key));
      expect(text).toContain(`"lastFour":"${key.slice(-4)}"`);
    }
  });

  it("§2 never has a body's writeKey, whether a message is stored or rejected", async () => {
    const { key: writeKey } = await newWorkspace({ writeLimit: 1_000 });
    const bodies: [path: string, body: Fields, status: number][] = [
      ["/api/v1/events", capture(), 200],
      ["/api/v1/events", capture({ event: "Not Valid" }), 400],
      ["/api/v1/cdp", { type: "identify", userId: "u1", traits: { a: 1 } }, 200],
      ["/api/v1/cdp", { type: "group", userId: "u1", groupId: "acme", traits: { a: 1 } }, 200],
      ["/api/v1/cdp", track({ event: null, properties: { a: 1 } }), 400],
      ["/v1/page", { userId: "u1" }, 200],
      ["/v1/batch", batch([track({ writeKey }), track({ event: 5, writeKey })]), 200],
    ];
    for (const [path, body, status] of bodies) {
      expect((await send("POST", path, { ...body, writeKey })).status, JSON.stringify(body)).toBe(status);
    }
    expect(await tablesWith(writeKey)).toEqual([]);
    expect(await tablesWith("writeKey")).toEqual([]);
  });
});

const storedScopes = (keyId: string) =>
  env.DB.prepare("SELECT scopes FROM api_keys WHERE id = ?").bind(keyId).first<string | null>("scopes");

describe("§2 scopes", () => {
  it("§2 of a key without a list are all scopes, including future ones", async () => {
    const { keyId } = await workspace.newKey();
    for (const id of [workspace.keyId, keyId]) {
      expect(await storedScopes(id)).toBeNull();
      const { body } = await admin("GET", `/workspaces/${workspace.id}`);
      expect(body.workspace?.["keys"]).toContainEqual(expect.objectContaining({ id, scopes: [...SCOPES] }));
    }
  });

  it("§2 of a key with a list stay the same, even if it lists all of them", async () => {
    for (const scopes of [["ingest"], [...SCOPES]]) {
      const { keyId } = await workspace.newKey(scopes);
      expect(JSON.parse((await storedScopes(keyId)) ?? "null")).toEqual(scopes);
    }
  });
});
