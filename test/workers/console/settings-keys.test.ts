/** Keys in a workspace's settings: made, shown once, listed and revoked by who has the admin token. */
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { tablesWith } from "../support/database.ts";
import { capture, track } from "../support/messages.ts";
import { NOW } from "../support/outcomes.ts";
import { ORIGIN, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const KEY = /bik_[0-9A-Za-z]{30}/;

let workspace: TestWorkspace;
let admins: Browser;
let at: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  admins = await signedIn();
  at = `/console/w/${workspace.id}/settings`;
});
afterEach(() => {
  vi.useRealTimers();
});

const read = async () => textOf((await admins.get(at)).html);

/** @param form as a browser sends it: a field may come several times */
async function make(form: string) {
  const headers = { Cookie: admins.cookie, Origin: ORIGIN };
  const body = new URLSearchParams(form);
  const response = await exports.default.fetch(new Request(`${ORIGIN}${at}/keys`, { method: "POST", headers, body }));
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** What is stored of the key that a page shows. */
async function storedOf(html: string) {
  const [key = ""] = KEY.exec(html) ?? [];
  const { number } = await workspace.ref();
  return env.DB.prepare("SELECT name, scopes FROM api_keys WHERE last_four = ? AND workspace = ?")
    .bind(key.slice(-4), number)
    .first();
}

describe("keys", () => {
  it("are listed with name, last four characters, scopes and age, and never whole", async () => {
    const made = await admin("POST", `/workspaces/${workspace.id}/keys`, {
      name: "Website",
      scopes: ["ingest", "read"],
    });
    const key = made.body.key?.key ?? "";
    vi.setSystemTime(NOW + 3 * 3_600_000);
    const { html } = await admins.get(at);
    expect(textOf(html)).toContain(`Website …${key.slice(-4)} made 3 h ago ingest, read`);
    expect(textOf(html)).toContain(`without a name …${workspace.key.slice(-4)} made 3 h ago everything`);
    expect(html).not.toMatch(KEY);
  });

  it("§2 §9 a new one is shown once, opens what was chosen, and is in no address, header or cookie", async () => {
    const { status, html, headers } = await make("name=Website&scopes=ingest");
    expect(status).toBe(200);
    expect(textOf(html)).toContain("it will not be shown again");
    const [key = "none"] = KEY.exec(html) ?? [];
    expect(html).toContain(`data-copy="${key}"`);
    expect(JSON.stringify([...headers])).not.toContain(key);
    expect(await tablesWith(key)).toEqual([]);
    const bearer = { headers: { Authorization: `Bearer ${key}` } };
    expect((await send("POST", "/api/v1/events", capture(), bearer)).status).toBe(200);
    expect((await send("GET", "/api/v1/events", undefined, bearer)).status).toBe(403);
    expect((await admins.get(at)).html).not.toMatch(KEY);
  });

  it("§2 §9 one with everything has all scopes, later ones too; a blank name is none", async () => {
    const { html } = await make("name=+&scopes=all");
    expect(await storedOf(html)).toEqual({ name: null, scopes: null });
  });

  it("§2 §9 one with several scopes has those, each once", async () => {
    const { html } = await make("name=Both&scopes=inbox&scopes=ingest&scopes=ingest");
    expect(await storedOf(html)).toEqual({ name: "Both", scopes: '["ingest","inbox"]' });
  });

  it.each(["name=x", "name=x&scopes=", "name=x&scopes=admin", `name=${"x".repeat(201)}&scopes=ingest`])(
    "§9 none is made of %j",
    async (form) => {
      const { status, html } = await make(form);
      expect([status, KEY.test(html)]).toEqual([400, false]);
      expect(html).toContain('role="alert"');
      const { body } = await admin("GET", `/workspaces/${workspace.id}`);
      expect(body.workspace?.["keys"]).toHaveLength(1);
    },
  );

  it("§2 §9 a revoked one is refused on its next write, and shown as revoked", async () => {
    const { key, keyId, post } = await workspace.newKey(["ingest"]);
    await post("/api/v1/cdp", track());
    expect((await admins.get(at)).html).toContain(`action="${at}/keys/${keyId}/revoke"`);
    expect(await admins.post(`${at}/keys/${keyId}/revoke`)).toMatchObject({
      status: 303,
      location: `${at}?done=revoked&key=${keyId}`,
    });
    expect((await post("/api/v1/cdp", track())).status).toBe(401);
    expect(await read()).toContain(`…${key.slice(-4)} made just now ingest revoked just now`);
    expect((await admins.get(at)).html).not.toContain(`keys/${keyId}/revoke`);
  });

  it("§9 another workspace's key is 404, and stays good", async () => {
    const other = await newWorkspace();
    expect((await admins.post(`${at}/keys/${other.keyId}/revoke`)).status).toBe(404);
    expect((await other.post("/api/v1/cdp", track())).status).toBe(200);
  });

  it("shows markup in a name as text", async () => {
    await admin("POST", `/workspaces/${workspace.id}/keys`, { name: "<i>x</i>" });
    expect((await admins.get(at)).html).not.toContain("<i>x");
    expect(await read()).toContain("<i>x</i>");
  });

  it("only of one that is revoked an address says so", async () => {
    const { keyId } = await workspace.newKey(["ingest"]);
    for (const query of ["?done=revoked", `?done=revoked&key=${keyId}`, "?done=accepted", "?done=withdrawn"]) {
      expect((await admins.get(at + query)).html, query).not.toContain('class="notice good"');
    }
    await admins.post(`${at}/keys/${keyId}/revoke`);
    expect(textOf((await admins.get(`${at}?done=revoked&key=${keyId}`)).html)).toContain("The key was revoked.");
    const inside = await signedIn(workspace.key);
    expect((await inside.get(`${at}?done=revoked&key=${keyId}`)).html).not.toContain("was revoked");
  });

  it.each(["x", '"', "漢"])("fills no more than 100 KB with names and acceptances of %s", async (character) => {
    const { number } = await workspace.ref();
    const name = character.repeat(200);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO api_keys (id, workspace, name, hash, last_four, created_at)
        WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 60)
        SELECT printf('key_%012d%012d', ?1, value), ?1, ?2, ?1 || '-' || value, 'abcd', value FROM n`,
      ).bind(number, name),
      env.DB.prepare(
        `INSERT INTO agreements (workspace, version, accepted_by, accepted_at)
        WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30)
        SELECT ?1, ?2, ?2, value FROM n`,
      ).bind(number, name),
    ]);
    const { html } = await admins.get(at);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(100_000);
  });

  it("with 2,000 keys is a page below 100 KB, which shows those that stand first, and where all of them are", async () => {
    const { number } = await workspace.ref();
    await env.DB.prepare(
      `INSERT INTO api_keys (id, workspace, name, hash, last_four, created_at, revoked_at)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000)
      SELECT printf('key_%024d', value), ?, printf('A key with a name %d', value), value, 'abcd', value,
        iif(value > 30, value, NULL) FROM n`,
    )
      .bind(number)
      .run();
    const { html } = await admins.get(at);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(100_000);
    // The first of the workspace and thirty more; the newest of those that were revoked.
    expect(html.match(/\/revoke"/g)).toHaveLength(31);
    expect(textOf(html)).toContain("A key with a name 2000");
    expect(textOf(html)).toContain(`GET /admin/workspaces/${workspace.id} lists all of them`);
  });
});
