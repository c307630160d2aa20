/** Keys in the settings: listed, created and revoked. */
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { addKeysAndAcceptances } from "../support/bulk-rows.ts";
import { tablesWith } from "../support/database.ts";
import { capture, track } from "../support/messages.ts";
import { NOW } from "../support/outcomes.ts";
import { ORIGIN, send } from "../support/send.ts";
import { admin as callAdmin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
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

const settingsOf = async (name: string) => {
  const { body } = await callAdmin("GET", `/workspaces/${workspace.id}`);
  const keys = body.workspace?.["keys"];
  return Array.isArray(keys) ? keys.filter((key: { name: string | null }) => key.name === name) : [];
};

describe("keys", () => {
  it("are listed with name, last four characters, scopes and age", async () => {
    const { html: created } = await create("name=Website&scopes=ingest&scopes=read");
    const [key = ""] = KEY.exec(created) ?? [];
    vi.setSystemTime(NOW + 3 * 3_600_000);
    const { html } = await admin.get(`${path}/keys`);
    expect(textOf(html)).toContain(`Website …${key.slice(-4)} created 3 h ago, not used yet ingest, read`);
    expect(textOf(html)).toContain(`Unnamed key …${workspace.key.slice(-4)} created 3 h ago, not used yet all`);
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
    ["name=Both&scopes=inbox&scopes=ingest&scopes=ingest", { name: "Both", scopes: '["inbox","ingest"]' }],
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
      expect(html).toMatch(/name="name"[^>]* value="x/);
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
    expect(textOf(html)).toContain(`…${key.slice(-4)} created just now, used on 2030-01-08 ingest revoked just now`);
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

  it("§22.1 get all settings of the form, and one for pages shows its text on the page from then on", async () => {
    const form = "name=Shop&scopes=ingest&lastDay=2030-01-31&writeLimit=7";
    const { html } = await create(`${form}&origins=https://a.example%0d%0a%0d%0ahttps://*.b.example`);
    const [key = ""] = KEY.exec(html) ?? [];
    const origins = ["https://a.example", "https://*.b.example"];
    expect(await settingsOf("Shop")).toMatchObject([
      { key, origins, writeLimit: 7, expiresAt: "2030-02-01T00:00:00.000Z", scopes: ["ingest"], signed: false },
    ]);
    const listed = textOf((await admin.get(`${path}/keys`)).html);
    expect(listed).toContain(
      `Shop ${key} created just now, not used yet, ends in 23 d ingest from https://a.example, `,
    );
  });

  it("§22.1 for signed requests show their secret once", async () => {
    const { html } = await create("name=Hook&scopes=ingest&signed=segment");
    expect(html).toMatch(/aria-label="The signing secret"><code>whsec_/);
    expect((await admin.get(`${path}/keys`)).html).not.toContain("whsec_");
    expect(await settingsOf("Hook")).toMatchObject([{ signed: true, segmentBatches: true }]);
  });

  it.each([
    ["origins=http://a.example", "“Origins” must begin with https://"],
    ["origins=https://a.example&scopes=read", "only has the scope “ingest”"],
    ["origins=https://a.example&signed=yes", "a key with origins can’t be signed"],
    ["writeLimit=1e3", "“Limit (messages per 10 s)” must be a whole number"],
    ["lastDay=2030-01-07", "“Last day” must be a day from today on"],
    ["lastDay=%2B275760-09-13", "“Last day” must be a day from today on"],
  ])("§22.1 are not created from the form %j", async (form, error) => {
    const { status, html } = await create(`scopes=ingest&${form}`);
    expect(status).toBe(400);
    expect(textOf(html)).toContain(error);
  });

  it("§22.1 are changed, and keep the time of a last day that stays", async () => {
    const expiresAt = "2030-05-06T07:08:09.000Z";
    const { body } = await callAdmin("POST", `/workspaces/${workspace.id}/keys`, {
      name: "Shop",
      origins: ["https://a.example"],
      expiresAt,
    });
    const keyId = body.key?.id ?? "";
    const shown = (await admin.get(`${path}/keys?show=${keyId}`)).html;
    expect(shown).toContain('name="shownLastDay" value="2030-05-06"');
    const fields = { name: "Web", origins: "https://b.example", writeLimit: "", shownLastDay: "2030-05-06" };
    const { location } = await admin.post(`${path}/keys/${keyId}`, { ...fields, lastDay: "2030-05-06" });
    expect(location).toBe(`${path}/keys?done=key_changed`);
    expect(await settingsOf("Web")).toMatchObject([{ origins: ["https://b.example"], expiresAt }]);
    await admin.post(`${path}/keys/${keyId}`, { ...fields, lastDay: "" });
    expect(await settingsOf("Web")).toMatchObject([{ expiresAt: null }]);
    expect((await admin.post(`${path}/keys/${keyId}`, { ...fields, origins: "" })).status).toBe(400);
    expect((await admin.post(`${path}/keys/${workspace.keyId}`, fields)).status).toBe(400);
  });

  it("§22.1 are rotated once, however often the form is sent", async () => {
    const { keyId, post } = await workspace.newKey(["ingest"], "Hook");
    const rotate = { creationId: await newCreationId(), graceHours: "0" };
    const { html } = await admin.post(`${path}/keys/${keyId}/rotate`, rotate);
    const [key = ""] = KEY.exec(html) ?? [];
    expect((await post("/api/v1/cdp", track())).status).toBe(401);
    const bearer = { headers: { Authorization: `Bearer ${key}` } };
    expect((await send("POST", "/api/v1/cdp", track(), bearer)).status).toBe(200);
    const again = await admin.post(`${path}/keys/${keyId}/rotate`, rotate);
    expect(again.location).toBe(`${path}/keys?done=key_exists`);
    expect(await settingsOf("Hook")).toHaveLength(2);
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
