/** §22.2: named and previous tokens of administrators, and the people whom they register. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { ADMIN_TOKEN_PREFIX, newApiKey } from "../../../src/core/api-key.ts";
import { ROUTES } from "../../../src/http/all-routes.ts";
import { browser, signedIn } from "../console/support/signed-in.ts";
import { databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { ORIGIN, refusal, send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, allPages, newWorkspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

const UNKNOWN = "ws_0123456789abcdef01234567";
const unknown = () => newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)), ADMIN_TOKEN_PREFIX);
const bearer = (token: string) => ({ headers: { ...ADMIN_HEADERS, Authorization: `Bearer ${token}` } });

interface Token {
  id: string;
  token: string;
}

async function newToken(readOnly: boolean): Promise<Token> {
  const { body, status } = await admin("POST", "/tokens", { name: "Dashboards", readOnly });
  expect(status).toBe(201);
  return Object(body["token"]);
}

/** The form that opens workspaces to a viewer. */
const viewerOf = (ids: string[]): [string, string][] => [
  ["role", "viewer"],
  ...ids.map((id): [string, string] => ["workspaces", id]),
];

const listed = async (id: string) => {
  const { body } = await admin("GET", "/tokens");
  return Array.isArray(body["tokens"]) ? body["tokens"].find((one) => Object(one).id === id) : undefined;
};

describe("§22.2 a named token", () => {
  it("§22.2 works like the admin token, is named by the audit log, and is shown only once", async () => {
    vi.setSystemTime(Date.UTC(2030, 4, 6, 23));
    const { id, token } = await newToken(false);
    expect(token).toMatch(/^bia_[0-9A-Za-z]{30}$/);
    expect(await listed(id)).toEqual({
      id,
      name: "Dashboards",
      readOnly: false,
      lastFour: token.slice(-4),
      createdAt: "2030-05-06T23:00:00.000Z",
      lastUsedOn: null,
    });
    expect((await send("PATCH", "/admin/databases/DB_1", { state: "open" }, bearer(token))).status).toBe(200);
    const { audit } = (await admin("GET", "/audit?limit=1")).body;
    expect(audit).toMatchObject([{ actor: `admin:${id}`, action: "database_changed" }]);
    await expect.poll(async () => Object(await listed(id)).lastUsedOn).toBe("2030-05-06");
    expect((await admin("GET", "/tokens")).text).not.toContain(token);
    expect(JSON.stringify((await env.DB.prepare("SELECT * FROM admin_tokens").all()).results)).not.toContain(token);
  });

  it("§22.2 costs a read for each request, and a write on the first of a day", async () => {
    vi.setSystemTime(Date.UTC(2030, 5, 1, 12));
    const { id, token } = await newToken(true);
    const { DB, trips } = databaseWith((run) => run());
    const read = () => sendWith(envWith({ DB }), "GET", "/admin/audit?limit=1", undefined, bearer(token));
    await read();
    await expect.poll(async () => Object(await listed(id)).lastUsedOn).toBe("2030-06-01");
    const before = trips();
    await read();
    await read();
    expect(trips() - before).toBe(4);
    vi.setSystemTime(Date.now() + DAY_MS);
    await read();
    await expect.poll(async () => Object(await listed(id)).lastUsedOn).toBe("2030-06-02");
  });

  it("§22.2 manages no tokens, on the API and in the console", async () => {
    const { id, token } = await newToken(false);
    for (const [method, path, body] of [
      ["GET", "/admin/tokens"],
      ["POST", "/admin/tokens", { name: "Another" }],
      ["DELETE", `/admin/tokens/${id}`],
      ["DELETE", `/%61dmin/tokens/${id}`],
    ] as const)
      expect([path, await send(method, path, body, bearer(token))]).toMatchObject([path, refusal(403, "forbidden")]);
    const inside = await signedIn(token);
    expect((await inside.get("/console/people")).status).toBe(200);
    expect((await inside.post("/console/tokens", { name: "Another" })).status).toBe(403);
    expect((await inside.post(`/console/tokens/${id}/delete`)).status).toBe(403);
  });

  it("§22.2 ends with its sessions when it is deleted", async () => {
    const { id, token } = await newToken(true);
    const inside = await signedIn(token);
    expect((await inside.get("/console/workspaces")).status).toBe(200);
    expect((await admin("DELETE", `/tokens/${id}`)).status).toBe(200);
    expect((await inside.get("/console/workspaces")).location).toContain("/console/sign-in");
    expect((await inside.post("/console/workspaces")).status).toBe(403);
    expect((await send("GET", "/admin/audit", undefined, bearer(token))).status).toBe(401);
    expect((await browser().post("/console/sign-in", { secret: token })).status).toBe(401);
    expect(await admin("DELETE", `/tokens/${id}`)).toMatchObject(refusal(404, "not_found"));
  });

  it("§22.2 that is guessed costs nothing unless it is well-formed, and then is limited by network", async () => {
    const { DB, trips } = databaseWith((run) => run());
    const guess = (token: string, changes = {}) => {
      const { headers } = bearer(token);
      const init = { headers: { ...headers, "CF-Connecting-IP": "203.0.113.9" } };
      return sendWith(envWith({ DB, ...changes }), "GET", "/admin/audit", undefined, init);
    };
    const { token } = await newToken(true);
    const last = token.endsWith("0") ? "1" : "0";
    for (const junk of [`${token.slice(0, -1)}${last}`, token.replace("bia_", "bik_"), "bia_", `${token}0`])
      expect([junk, (await guess(junk)).status]).toEqual([junk, 401]);
    expect(trips()).toBe(0);
    const CLIENT_LIMITER = { limit: async () => ({ success: false }) };
    expect((await guess(unknown(), { CLIENT_LIMITER })).status).toBe(401);
    expect(await guess(unknown(), { CLIENT_LIMITER })).toMatchObject(refusal(429, "rate_limited"));
    expect(trips()).toBe(1);
  });
});

describe("§22.2 a token that only reads", () => {
  const CHANGES = ROUTES.filter(({ declaration: { access, method } }) => access === "admin" && method !== "get");

  it("§22.2 reads what administrators read, and gets 403 for every change", async () => {
    const { token } = await newToken(true);
    const { id } = await newWorkspace();
    for (const path of ["/admin/workspaces", `/admin/workspaces/${id}`, "/admin/people", "/admin/databases"])
      expect([path, (await send("GET", path, undefined, bearer(token))).status]).toEqual([path, 200]);
    expect(CHANGES.length).toBeGreaterThan(15);
    for (const { declaration } of CHANGES) {
      const [path = ""] = Object.keys(declaration.paths);
      const target = path.replace("{id}", id).replace("{name}", "DB_1");
      const answer = await send(declaration.method.toUpperCase(), target, declaration.body?.example, bearer(token));
      expect([path, answer]).toMatchObject([path, refusal(403, "forbidden")]);
    }
  });

  it("§22.2 opens every page of the console, without its forms, and sends none", async () => {
    const workspace = await newWorkspace();
    await workspace.postJson("/api/v1/cdp", [{ type: "track", userId: "u1", event: "a" }]);
    const { token } = await newToken(true);
    const inside = await signedIn(token);
    const paths = (method: string) =>
      new Set(
        createApp()
          .routes.filter((one) => one.method === method && one.path.startsWith("/console/"))
          .map(({ path }) => path.replace(":workspace", workspace.id)),
      );
    const pages = [...paths("GET")].filter((path) => !/[:*]|sign-in|assets|tokens|export/.test(path));
    expect(pages.length).toBeGreaterThan(15);
    for (const page of pages) {
      const { status, html } = await inside.get(page);
      const main = html.slice(html.indexOf("<main"));
      const forms = [...main.matchAll(/<form[^>]*method="post"[^>]*>/g)].map(([form]) => form);
      const changing = forms.filter((form) => !/action="[^"]*\/(?:accounts|ask|live)"/.test(form));
      expect([page, status < 400, changing]).toEqual([page, true, []]);
    }
    expect((await inside.get(`/console/w/${workspace.id}/settings/keys`)).html).toContain("API keys");
    const forms = [...paths("POST")].filter(
      (path) => !/sign-|\/(?:accounts|accounts\/find|ask|ask\/csv|live)$/.test(path),
    );
    for (const form of forms) {
      const target = form.replaceAll(/:\w+/g, "x");
      expect([form, (await inside.post(target)).status]).toEqual([form, 403]);
    }
    expect((await inside.post(`/console/w/${workspace.id}/ask`, { q: "All accounts" })).status).toBe(200);
  });
});

describe("§22.2 the admin token before a rotation", () => {
  const PREVIOUS = "the-admin-token-before-the-rotation";
  const rotating = () => envWith({ ADMIN_TOKEN_PREVIOUS: PREVIOUS });
  const form = { Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };

  it("§22.2 works beside the new one, and its sessions end with it", async () => {
    expect((await sendWith(rotating(), "GET", "/admin/tokens", undefined, bearer(PREVIOUS))).status).toBe(200);
    expect((await sendWith(rotating(), "GET", "/admin/tokens", undefined, { headers: ADMIN_HEADERS })).status).toBe(
      200,
    );
    const secret = new URLSearchParams({ secret: PREVIOUS }).toString();
    const { status, headers } = await sendWith(rotating(), "POST", "/console/sign-in", secret, { headers: form });
    expect(status).toBe(303);
    const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const open = async (changed: Env) =>
      (await sendWith(changed, "GET", "/console/audit", undefined, { headers: { Cookie } })).status;
    expect(await open(rotating())).toBe(200);
    expect(await open(envWith({}))).toBe(303);
    expect(await open(envWith({ ADMIN_TOKEN_PREVIOUS: `${PREVIOUS}2` }))).toBe(303);
    expect(await open(envWith({ ADMIN_TOKEN_PREVIOUS: PREVIOUS, ADMIN_TOKEN: "t".repeat(40) }))).toBe(303);
  });

  it("§22.2 needs 32 characters too", async () => {
    for (const short of ["", "x".repeat(31)]) {
      const changed = envWith({ ADMIN_TOKEN_PREVIOUS: short });
      expect((await sendWith(changed, "GET", "/admin/tokens", undefined, bearer(short))).status).toBe(401);
    }
  });
});

describe("§22.2 people", () => {
  it("§22.2 are registered once for each address, listed, changed and removed", async () => {
    const added = await admin("POST", "/people", { email: "Ann.Lee@Example.com", role: "member" });
    const { id, createdAt } = Object(added.body["person"]);
    const person = { id, email: "ann.lee@example.com", role: "member", workspaces: null, createdAt };
    expect([added.status, added.body]).toEqual([201, { ok: true, person }]);
    expect(await admin("POST", "/people", { email: "ann.lee@EXAMPLE.com", role: "admin" })).toMatchObject(
      refusal(400, "invalid_request", "email"),
    );
    const { id: workspaceId } = await newWorkspace();
    const changed = { ...person, role: "viewer", workspaces: [workspaceId] };
    const change = { role: "viewer", workspaces: [workspaceId] };
    expect((await admin("PATCH", `/people/${id}`, change)).body).toEqual({ ok: true, person: changed });
    // Changes nothing, and so leaves no row in the audit log.
    expect((await admin("PATCH", `/people/${id}`, change)).body).toEqual({ ok: true, person: changed });
    await admin("POST", "/people", { email: "bo@example.com", role: "admin" });
    const pages = await allPages({ get: (path) => admin("GET", path) }, "/people?limit=1");
    expect(pages.slice(0, 2).map(({ body }) => body["people"])).toMatchObject([
      [{ email: "bo@example.com" }],
      [changed],
    ]);
    expect((await admin("DELETE", `/people/${id}`)).body).toEqual({ ok: true });
    expect(await admin("DELETE", `/people/${id}`)).toMatchObject(refusal(404, "not_found"));
    expect(await admin("PATCH", `/people/${id}`, {})).toMatchObject(refusal(404, "not_found"));
    const { audit } = (await admin("GET", "/audit?limit=5")).body;
    expect(audit).toMatchObject([
      { action: "person_removed", details: { personId: id } },
      { action: "person_added" },
      { action: "person_changed", details: { personId: id, ...change } },
      { action: "workspace_created" },
      { action: "person_added", details: { personId: id, role: "member", workspaces: "all" } },
    ]);
    expect(JSON.stringify(audit)).not.toContain("example.com");
  });

  it.each([
    ["email", { email: "jo", role: "viewer" }],
    ["email", { role: "viewer" }],
    ["role", { email: "jo@example.com", role: "owner" }],
    ["workspaces.0", { email: "jo@example.com", role: "viewer", workspaces: ["acme"] }],
    ["workspaces.0", { email: "jo@example.com", role: "viewer", workspaces: [UNKNOWN] }],
    ["name", { email: "jo@example.com", role: "viewer", name: "Jo" }],
  ])("§22.2 need a valid %s", async (field, body) => {
    expect(await admin("POST", "/people", body)).toMatchObject(refusal(400, "invalid_request", field));
  });

  it("§22.2 and tokens are managed in the console without script", async () => {
    const inside = await signedIn();
    const fields = { email: " Cy@Example.com ", role: "member", workspaces: "all" };
    expect((await inside.post("/console/people", fields)).location).toBe("/console/people");
    const again = await inside.post("/console/people", fields);
    expect([again.status, again.html.includes("registered already")]).toEqual([400, true]);
    expect(again.html).toContain('value="Cy@Example.com"');
    const [, id = ""] = /\/console\/people\/(person_\w+)/.exec((await inside.get("/console/people")).html) ?? [];
    const own = [await newWorkspace({ name: "Shop" }), await newWorkspace()].map((workspace) => workspace.id);
    await inside.post(`/console/people/${id}`, viewerOf(own));
    expect((await admin("GET", "/people?limit=1")).body["people"]).toMatchObject([
      { id, email: "cy@example.com", role: "viewer", workspaces: own },
    ]);
    const { html } = await inside.get(`/console/people?change=${id}`);
    expect(html).toMatch(new RegExp(`value="${own[0]}" checked=""/> *Shop`));
    for (const wrong of ["Shop", UNKNOWN])
      expect([wrong, (await inside.post(`/console/people/${id}`, viewerOf([wrong]))).status]).toEqual([wrong, 400]);
    expect((await inside.post(`/console/people/${id}/remove`)).location).toBe("/console/people");
    const creation = { creationId: "0123456789abcdef01234567", name: "CI", readOnly: "true" };
    const made = await inside.post("/console/tokens", creation);
    expect(made.html).toContain("Copy this token now");
    const [token = ""] = /bia_[0-9A-Za-z]{30}/.exec(made.html) ?? [];
    expect((await send("GET", "/admin/people", undefined, bearer(token))).status).toBe(200);
    const reloaded = await inside.post("/console/tokens", creation);
    expect([reloaded.status, /bia_\w/.test(reloaded.html)]).toEqual([400, false]);
    await inside.post(`/console/tokens/token_${creation.creationId}/delete`);
    expect((await send("GET", "/admin/people", undefined, bearer(token))).status).toBe(401);
  });
});
