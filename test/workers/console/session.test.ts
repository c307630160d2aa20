/** Signing in to the console, sessions, and requests from other sites. */
import { exports } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { SESSION_MS } from "../../../src/console/session/cookie.ts";
import { ORIGIN } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, browser, signedIn } from "./support/signed-in.ts";

const ADMIN_TOKEN = ADMIN_HEADERS.Authorization.slice("Bearer ".length);
const SIGN_IN = "/console/sign-in";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});
afterEach(() => {
  vi.useRealTimers();
});

const wanted = async (to: string) =>
  (await browser().post(`${SIGN_IN}?to=${encodeURIComponent(to)}`, { secret: ADMIN_TOKEN })).location;

const LIST = JSON.stringify({ find: "accounts", show: "list" });

/** Opens the page of questions, asks one and chooses one. Returns the statuses. */
async function ask(one: Browser, { id }: { id: string }): Promise<number[]> {
  const path = `/console/w/${id}/ask`;
  const answers = [
    await one.get(path),
    await one.post(path, { q: "All accounts" }),
    await one.post(path, { query: LIST }),
  ];
  return answers.map(({ status }) => status);
}

const pathsOf = (method: string): string[] => [
  ...new Set(
    createApp()
      .routes.filter((route) => route.method === method && route.path.startsWith("/console"))
      .map(({ path }) => path.replace(":workspace", workspace.id).replaceAll(/:\w+/g, "x"))
      .filter((path) => !path.includes("*") && !path.includes("/assets/") && !/sign-(?:in|out)$/.test(path)),
  ),
];

describe("without a session", () => {
  it("every page redirects to the sign-in and back", async () => {
    const pages = pathsOf("GET");
    expect(pages.length).toBeGreaterThan(5);
    for (const path of [...pages, "/console/nothing", "/console/w/x/y/z"]) {
      const { status, location } = await browser().get(`${path}?a=b`);
      expect([path, status, location]).toEqual([path, 303, `${SIGN_IN}?to=${encodeURIComponent(`${path}?a=b`)}`]);
    }
  });

  it("the sign-in says whom to ask for a key", async () => {
    const { html } = await browser().get(`${SIGN_IN}?to=${encodeURIComponent("/console/w/x/inbox?show=itm_1")}`);
    expect(textOf(html)).toContain("ask the person who runs Behavior Ingest in your company for a key");
  });

  it("every action is 403", async () => {
    const actions = pathsOf("POST");
    expect(actions.length).toBeGreaterThan(5);
    for (const path of [...actions, "/console/nothing"]) {
      expect([path, (await browser().post(path)).status]).toEqual([path, 403]);
    }
  });

  it("a forged or changed cookie is ignored", async () => {
    const { cookie } = await signedIn();
    const [name, value = ""] = cookie.split("=");
    const forged = [
      `${name}=x`,
      `${name}=`,
      `${name}=${encodeURIComponent(`9999999999999.admin.${"A".repeat(43)}=`)}`,
      `${name}=${value.replace("admin", "Admin")}`,
      `${name}=${value.slice(0, -4)}`,
    ];
    for (const one of forged) expect([one, (await browser(one).get("/console")).status]).toEqual([one, 303]);
    expect((await browser(forged[0]).get("/console")).location).toContain(SIGN_IN);
    expect((await browser(cookie).get("/console")).location).toBe("/console/workspaces");
  });
});

describe("signing in", () => {
  it("with the admin token opens all workspaces, with a cookie hidden from scripts and other sites", async () => {
    const { status, location, headers } = await browser().post(SIGN_IN, { secret: ` ${ADMIN_TOKEN} ` });
    expect([status, location]).toEqual([303, "/console"]);
    const cookie = headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/^__Host-console=/);
    for (const part of ["HttpOnly", "SameSite=Strict", "Secure", "Path=/", `Max-Age=${SESSION_MS / 1_000}`]) {
      expect(cookie).toContain(part);
    }
    expect(cookie).not.toContain(ADMIN_TOKEN);
    const other = await newWorkspace();
    const inside = browser(cookie.split(";")[0]);
    for (const { id } of [workspace, other]) expect((await inside.get(`/console/w/${id}/inbox`)).status).toBe(200);
  });

  it("with a key opens its own workspace, and does not reveal whether others exist", async () => {
    const other = await newWorkspace();
    const inside = await signedIn(workspace.key);
    expect((await inside.get("/console")).location).toBe(`/console/w/${workspace.id}/home`);
    expect((await inside.get(`/console/w/${workspace.id}/inbox`)).status).toBe(200);
    const [theirs, none] = await Promise.all([
      inside.get(`/console/w/${other.id}/inbox`),
      inside.get("/console/w/ws_none/inbox"),
    ]);
    expect([theirs.status, none.status]).toEqual([404, 404]);
    expect(theirs.html).toBe(none.html);
    expect((await inside.get("/console/workspaces")).status).toBe(403);
  });

  it.each([
    ["nothing", "   \t "],
    ["a wrong token", `${ADMIN_TOKEN}x`],
    ["a made-up key", "bik_0123456789abcdefghijklmnopqrst"],
    ["markup", "<script>alert(1)</script>"],
  ])("with %s is refused, and the input is not shown", async (_what, secret) => {
    const { status, headers, html } = await browser().post(SIGN_IN, { secret });
    expect([status, headers.get("Set-Cookie")]).toEqual([401, null]);
    expect(html).not.toContain(secret);
  });

  it("needs a key with the scope read", async () => {
    const { key } = await workspace.newKey(["ingest"]);
    const { status, headers, html } = await browser().post(SIGN_IN, { secret: key });
    expect([status, headers.get("Set-Cookie")]).toEqual([403, null]);
    expect(html).toContain("“read”");
  });

  it("opens the page that was asked for, and never leaves the console", async () => {
    expect(await wanted(`/console/w/${workspace.id}/ask?q=1`)).toBe(`/console/w/${workspace.id}/ask?q=1`);
    for (const out of [
      "https://example.com/console",
      "//example.com/console",
      "/\\example.com/console",
      "/admin/workspaces",
      "/consoles",
      "javascript:alert(1)//console",
      "/console/../admin/workspaces",
      "/console/sign-in?to=/console/sign-in",
      "http://",
    ]) {
      expect([out, await wanted(out)]).toEqual([out, "/console"]);
    }
  });

  it("is refused after twenty attempts from an address in a minute, even with the right token", async () => {
    const guesser = browser("", "198.51.100.1");
    let refused = await guesser.post(SIGN_IN, { secret: "a guess" });
    // A period may end meanwhile, and begin again.
    for (let attempts = 1; attempts < 60 && refused.status === 401; attempts += 1)
      refused = await guesser.post(SIGN_IN, { secret: "a guess" });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect((await guesser.post(SIGN_IN, { secret: ADMIN_TOKEN })).status).toBe(429);
    expect((await browser("", "198.51.100.2").post(SIGN_IN, { secret: ADMIN_TOKEN })).status).toBe(303);
  });
});

describe("a session ends", () => {
  it("after eight hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const inside = await signedIn();
    vi.setSystemTime(Date.now() + SESSION_MS - 1);
    expect((await inside.get("/console/workspaces")).status).toBe(200);
    vi.setSystemTime(Date.now() + 1);
    expect((await inside.get("/console/workspaces")).status).toBe(303);
  });

  it("when its key is revoked", async () => {
    const { key, keyId } = await workspace.newKey(["read"]);
    const inside = await signedIn(key);
    const page = `/console/w/${workspace.id}/inbox`;
    expect((await inside.get(page)).status).toBe(200);
    await workspace.revoke(keyId);
    const { status, location, headers } = await inside.get(page);
    expect([status, location]).toEqual([303, `${SIGN_IN}?to=${encodeURIComponent(page)}`]);
    expect(headers.get("Set-Cookie")).toContain("Max-Age=0");
    expect((await inside.post(`/console/w/${workspace.id}/inbox/mark`)).status).toBe(403);
    expect((await inside.get("/console")).location).toBe(`${SIGN_IN}?to=${encodeURIComponent("/console")}`);
  });

  it("for questions, too, when its key is revoked or its workspace erased", async () => {
    const { key, keyId } = await workspace.newKey(["read", "ask"]);
    const [inside, admins, gone] = await Promise.all([signedIn(key), signedIn(), newWorkspace()]);
    const theirs = await signedIn(gone.key);
    const answered = [200, 200, 200];
    expect(await ask(inside, workspace)).toEqual(answered);
    for (const one of [theirs, admins]) expect(await ask(one, gone)).toEqual(answered);
    await workspace.revoke(keyId);
    await admin("DELETE", `/workspaces/${gone.id}`);
    expect(await ask(inside, workspace)).toEqual([303, 403, 403]);
    expect(await ask(theirs, gone)).toEqual([303, 403, 403]);
    expect(await ask(admins, gone)).toEqual([404, 404, 404]);
    expect(await ask(admins, workspace)).toEqual(answered);
  });

  it("when the user signs out", async () => {
    const { status, location, headers } = await (await signedIn()).post("/console/sign-out");
    expect([status, location]).toEqual([303, SIGN_IN]);
    expect(headers.get("Set-Cookie")).toMatch(/^__Host-console=;.*Max-Age=0/);
  });
});

describe("other sites", () => {
  it.each([
    ["another site's form", { Origin: "https://example.com" }],
    ["a form without an origin", {}],
    ["another port's", { Origin: `${ORIGIN}:8443` }],
    ["a cross-site fetch", { "Sec-Fetch-Site": "cross-site" }],
    [
      "a cross-site request without a form's content type",
      { Origin: "https://example.com", "Content-Type": "application/json" },
    ],
  ])("can't act in the user's name: %s", async (_what, headers: Record<string, string>) => {
    const inside = await signedIn();
    const { status } = await inside.post("/console/workspaces", { name: "theirs" }, headers);
    expect(status).toBe(403);
    expect((await browser().post(SIGN_IN, { secret: ADMIN_TOKEN }, headers)).status).toBe(403);
  });

  it("can't embed pages, and pages load nothing from other sites", async () => {
    const inside = await signedIn();
    for (const page of [SIGN_IN, "/console/workspaces", "/console/nothing", `/console/w/${workspace.id}/inbox`]) {
      const { headers, html } = await inside.get(page);
      expect(headers.get("Content-Security-Policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(html).not.toMatch(/ style=| on\w+=|<style|(?:src|href)="(?:https?:)?\/\//);
    }
  });
});

it("assets are cacheable forever, as their paths contain a hash", async () => {
  const { html } = await browser().get(SIGN_IN);
  const files = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(new Set(files).size).toBe(3);
  for (const file of files) {
    const { status, headers } = await browser().get(file);
    expect([file, status]).toEqual([file, 200]);
    expect(headers.get("Cache-Control")).toContain("immutable");
    const stale = await browser().get(file.replace(/\.\w+\./, ".OLDER."));
    expect([stale.status, stale.headers.get("Location"), stale.headers.get("Cache-Control")]).toEqual([
      302,
      file,
      "no-store",
    ]);
    expect(headers.get("Content-Type")).toMatch(/^text\/(?:css|javascript)|^image\/svg/);
  }
});

const asForm = (body: string, type: string, path = SIGN_IN, cookie = "") =>
  exports.default.fetch(
    new Request(ORIGIN + path, {
      method: "POST",
      headers: { Origin: ORIGIN, "Content-Type": type, Cookie: cookie },
      body,
    }),
  );

describe("a body that is not a form of the console", () => {
  const FORM = "application/x-www-form-urlencoded";

  it("is refused if it is too large", async () => {
    const { cookie } = await signedIn();
    for (const path of [SIGN_IN, "/console/workspaces", `/console/w/${workspace.id}/settings/keys`]) {
      expect([path, (await asForm(`secret=${"x".repeat(20_000)}`, FORM, path, cookie)).status]).toEqual([path, 413]);
    }
  });

  it.each([
    ["multipart/form-data", "x"],
    ["multipart/form-data; boundary=x", "--x\r\nbroken"],
    ["application/json", `{"secret":"${ADMIN_TOKEN}"}`],
    ["", `secret=${ADMIN_TOKEN}`],
  ])("as %j has no fields", async (type, body) => {
    const { cookie } = await signedIn();
    expect((await asForm(body, type)).status).toBe(401);
    expect((await asForm(body, type, "/console/workspaces", cookie)).status).toBe(400);
  });
});

it("a trailing slash is removed", async () => {
  const inside = await signedIn();
  for (const path of ["/console", "/console/workspaces", `/console/w/${workspace.id}/inbox`]) {
    expect([path, (await inside.get(`${path}/`)).location]).toEqual([path, ORIGIN + path]);
  }
  expect((await inside.get(`/console/w/${workspace.id}`)).location).toBe(`/console/w/${workspace.id}/home`);
});
