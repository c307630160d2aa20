/** Keys in the settings: listed, created and revoked. */
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { addKeysAndAcceptances } from "../support/bulk-rows.ts";
import { tablesWith } from "../support/database.ts";
import { capture, track } from "../support/messages.ts";
import { NOW } from "../support/outcomes.ts";
import { ORIGIN, send } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { bytesOf, KEY, MAX_PAGE_BYTES, textOf } from "./support/page-text.ts";
import { type Browser, creationIdIn, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let admin: Browser;
let path: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  admin = await signedIn();
  path = `/console/w/${workspace.id}/settings`;
});
afterEach(() => {
  vi.useRealTimers();
});

const newCreationId = async () => creationIdIn((await admin.get(`${path}/keys`)).html);

/** Creates a key. @param form as a browser sends it: a field may appear several times */
async function create(form: string, creationId?: string) {
  const headers = { Cookie: admin.cookie, Origin: ORIGIN };
  const body = new URLSearchParams(`${form}&creationId=${creationId ?? (await newCreationId())}`);
  const init = { method: "POST", headers, body, redirect: "manual" } as const;
  const response = await exports.default.fetch(new Request(`${ORIGIN}${path}/keys`, init));
  const { status, headers: answered } = response;
  return { status, headers: answered, html: await response.text(), location: answered.get("Location") };
}

const storedKeys = async () =>
  (
    await env.DB.prepare("SELECT name, scopes FROM api_keys WHERE workspace = ? ORDER BY rowid DESC")
      .bind((await workspace.ref()).number)
      .all()
  ).results;

describe("keys", () => {
  it("are listed with name, last four characters, scopes and age", async () => {
    const { html: created } = await create("name=Website&scopes=ingest&scopes=read");
    const [key = ""] = KEY.exec(created) ?? [];
    vi.setSystemTime(NOW + 3 * 3_600_000);
    const { html } = await admin.get(`${path}/keys`);
    expect(textOf(html)).toContain(`Website …${key.slice(-4)} created 3 h ago ingest, read`);
    expect(textOf(html)).toContain(`Unnamed key …${workspace.key.slice(-4)} created 3 h ago all`);
    expect(html).not.toMatch(KEY);
  });

  it("§2 §9 are shown once, in no header, and have the chosen scopes", async () => {
    const { status, html, headers } = await create("name=Website&scopes=ingest");
    expect(status).toBe(200);
    const [key = "none"] = KEY.exec(html) ?? [];
    expect(html).toContain(`data-copy="${key}"`);
    expect(JSON.stringify([...headers])).not.toContain(key);
    expect(await tablesWith(key)).toEqual([]);
    const bearer = { headers: { Authorization: `Bearer ${key}` } };
    expect((await send("POST", "/api/v1/events", capture(), bearer)).status).toBe(200);
    expect((await send("GET", "/api/v1/events", undefined, bearer)).status).toBe(403);
  });

  it("are created once, however often the form is sent", async () => {
    const creationId = await newCreationId();
    await create("name=Website&scopes=ingest", creationId);
    const again = await create("name=Website&scopes=ingest", creationId);
    expect(again).toMatchObject({ status: 303, location: `${path}/keys?done=key_exists` });
    expect(textOf((await admin.get(again.location ?? "")).html)).toContain("This key already exists.");
    expect(await storedKeys()).toHaveLength(2);
  });

  it.each([
    ["name=+&scopes=all", { name: null, scopes: null }],
    ["name=Both&scopes=inbox&scopes=ingest&scopes=ingest", { name: "Both", scopes: '["ingest","inbox"]' }],
  ])("§2 §9 of the form %j are stored as %j", async (form, stored) => {
    await create(form);
    expect(await storedKeys()).toContainEqual(stored);
  });

  it.each(["name=x", "name=x&scopes=", "name=x&scopes=admin", `name=${"x".repeat(201)}&scopes=ingest`])(
    "§9 are not created from the form %j",
    async (form) => {
      const { status, html } = await create(form);
      expect([status, KEY.test(html)]).toEqual([400, false]);
      expect(html).toContain('role="alert"');
      expect(await storedKeys()).toHaveLength(1);
    },
  );

  it("§2 §9 are refused on the next write once revoked, and shown as revoked", async () => {
    const { key, keyId, post } = await workspace.newKey(["ingest"]);
    await post("/api/v1/cdp", track());
    const { location } = await admin.post(`${path}/keys/${keyId}/revoke`);
    expect(location).toBe(`${path}/keys?done=revoked`);
    expect((await post("/api/v1/cdp", track())).status).toBe(401);
    const { html } = await admin.get(location ?? "");
    expect(textOf(html)).toContain("Key revoked.");
    expect(textOf(html)).toContain(`…${key.slice(-4)} created just now ingest revoked just now`);
    expect(html).not.toContain(`keys/${keyId}/revoke`);
  });

  it("§9 of another workspace can't be revoked", async () => {
    const other = await newWorkspace();
    expect((await admin.post(`${path}/keys/${other.keyId}/revoke`)).status).toBe(404);
    expect((await other.post("/api/v1/cdp", track())).status).toBe(200);
  });

  it("are not reported as changed by a forged address", async () => {
    for (const site of ["cross-site", "none"]) {
      const { html } = await admin.get(`${path}/keys?done=revoked`, { "Sec-Fetch-Site": site });
      expect(html).not.toContain('class="notice');
    }
  });

  it.each(["x", '"', "漢"])("fill less than 100 KB with names and acceptances of %s", async (character) => {
    await addKeysAndAcceptances(await workspace.ref(), 2_000, character.repeat(200));
    const { html } = await admin.get(`${path}/keys`);
    expect(bytesOf(html)).toBeLessThan(MAX_PAGE_BYTES);
    // Active keys first: the workspace's own and thirty others.
    expect(html.match(/\/revoke"/g)).toHaveLength(31);
    expect(textOf(html)).toContain(`GET /admin/workspaces/${workspace.id} lists all of them`);
  });
});
