/** §22.2: people sign in to the console by Cloudflare Access, and roles decide what they may do. */
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { outcomesOf, type SeededAccount } from "../support/outcomes.ts";
import { ORIGIN } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { signedIn } from "./support/signed-in.ts";

const AUDIENCE = "an-audience-tag";
const MINUTE_MS = 60_000;

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
let own: KeyPair;
let foreign: KeyPair;
let workspace: TestWorkspace;
let acme: SeededAccount;
let item: { id: string };
beforeAll(async () => {
  [own, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  workspace = await newWorkspace({ name: "Shop" });
  await workspace.post("/api/v1/cdp", track());
  const outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme");
  item = await outcomes.item({ account: acme.number });
});

/** Each test has its own team, because its keys are cached. */
let team = "";
let teams = 0;
const certs = vi.fn<() => Promise<Response>>();
const keysOf = async (kid: string, { publicKey }: KeyPair) =>
  Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }] });
beforeEach(() => {
  team = `https://team-${(teams += 1)}.cloudflareaccess.com`;
  certs.mockReset();
  certs.mockImplementation(() => keysOf("k1", own));
  vi.spyOn(globalThis, "fetch").mockImplementation((url) =>
    url === `${team}/cdn-cgi/access/certs` ? certs() : Promise.reject(new Error("another URL")),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const now = () => Math.floor(Date.now() / 1_000);
const claims = (email: string): JWTPayload => ({
  iss: team,
  aud: [AUDIENCE],
  iat: now(),
  nbf: now(),
  exp: now() + 3_600,
  email,
});
const signed = (payload: JWTPayload, { privateKey }: Pick<KeyPair, "privateKey"> = own, kid = "k1", alg = "RS256") =>
  new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(privateKey);

const as = (token: string, more: Record<string, string> = {}) => ({
  headers: { "Cf-Access-Jwt-Assertion": token, Origin: ORIGIN, ...more },
});
const settings = () => envWith({ ACCESS_TEAM_DOMAIN: team, ACCESS_AUD: AUDIENCE });
const get = (path: string, token: string, more?: Record<string, string>) =>
  sendWith(settings(), "GET", path, undefined, as(token, more));
const post = (path: string, token: string, fields: Record<string, string> = {}) =>
  sendWith(settings(), "POST", path, new URLSearchParams(fields).toString(), {
    ...as(token, { "Content-Type": "application/x-www-form-urlencoded" }),
  });

let people = 0;
async function newPerson(role: string, workspaces: string[] | null = [workspace.id]) {
  const email = `k.jo.${(people += 1)}@example.com`;
  const { body, text } = await admin("POST", "/people", { email, role, workspaces });
  const { id } = Object(body["person"]);
  if (typeof id !== "string") throw new Error(text);
  return { id, email, token: await signed(claims(email)) };
}

const inside = (path: string) => `/console/w/${workspace.id}/${path}`;

describe("§22.2 a person", () => {
  it("§22.2 opens the workspaces of the person, whatever the case of the address, in two round trips", async () => {
    const { email } = await newPerson("member");
    const token = await signed(claims(email.replace("jo", "JO")));
    expect((await get("/console", token)).headers.get("Location")).toBe(inside("home"));
    const { DB, trips } = databaseWith((run) => run());
    const changed = envWith({ ACCESS_TEAM_DOMAIN: `${team}/`, ACCESS_AUD: AUDIENCE, DB });
    const { status, text } = await sendWith(changed, "GET", inside("inbox"), undefined, as(token));
    expect([status, trips()]).toEqual([200, 2]);
    expect(text).toContain('href="/cdn-cgi/access/logout"');
    expect(certs).toHaveBeenCalledTimes(1);
  });

  it("§22.2 opens no other workspace, and its list has no other", async () => {
    const other = await newWorkspace({ name: "Hidden Lab" });
    const { token } = await newPerson("member", [workspace.id]);
    const answers = await Promise.all([
      get(`/console/w/${other.id}/inbox`, token),
      post(`/console/w/${other.id}/inbox/mark`, token, { ids: item.id, mark: "contacted" }),
      get("/console/w/ws_none/inbox", token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const { text } = await get("/console/workspaces", token);
    expect(text).toContain("Shop");
    expect(text).not.toContain("Hidden Lab");
    expect(text).not.toContain("/console/people");
    const everywhere = await newPerson("viewer", null);
    expect((await get("/console/workspaces", everywhere.token)).text).toContain("Hidden Lab");
  });

  it("§22.2 is named by marks, owners and the audit log, and finds the own accounts", async () => {
    const { id, email, token } = await newPerson("member");
    expect((await post(inside("inbox/mark"), token, { ids: item.id, mark: "contacted" })).status).toBe(303);
    expect((await get(inside("inbox?owner=(me)"), token)).text).toContain("No open items of yours");
    const panel = await get(inside(`inbox?show=${item.id}`), token);
    expect(textOf(panel.text)).toContain(`${email} contacted the account`);
    expect(panel.text).toContain(`name="owner" value="${email}"`);
    // As a browser sends the button after the form's own field.
    const fields = `ids=${item.id}&owner=&owner=${encodeURIComponent(email)}`;
    const form = as(token, { "Content-Type": "application/x-www-form-urlencoded" });
    expect((await sendWith(settings(), "POST", inside("inbox/owner"), fields, form)).status).toBe(303);
    for (const page of ["inbox?owner=(me)", "accounts?owner=(me)", "accounts/export.csv?owner=(me)"])
      expect([page, (await get(inside(page), token)).text.includes("acme")]).toEqual([page, true]);
    const stranger = await newPerson("member");
    expect((await get(inside("accounts/export.csv?owner=(me)"), stranger.token)).text).not.toContain("acme");
    await admin("PATCH", `/people/${id}`, { role: "admin" });
    await post(inside("settings"), token, { name: "Shop", writeLimit: "90" });
    const { audit } = (await admin("GET", `/audit?workspace=${workspace.id}&limit=1`)).body;
    expect(audit).toMatchObject([{ actor: `console:${id}`, action: "workspace_changed" }]);
    expect(JSON.stringify(audit)).not.toContain(email);
    expect(textOf((await get("/console/audit", token)).text)).toContain(email);
  });

  it("§22.2 keeps no access once removed, and other access once changed", async () => {
    const { id, token } = await newPerson("viewer");
    expect((await get(inside("inbox"), token)).status).toBe(200);
    await admin("PATCH", `/people/${id}`, { workspaces: [] });
    expect((await get(inside("inbox"), token)).status).toBe(404);
    await admin("DELETE", `/people/${id}`);
    const { status, text } = await get(inside("inbox"), token);
    expect([status, textOf(text).includes("isn’t registered. Ask an administrator")]).toEqual([403, true]);
    expect(text).toContain(`href="${team}/cdn-cgi/access/logout"`);
    expect((await post(inside("ask"), token, { q: "All accounts" })).status).toBe(403);
  });
});

/** Forms by whether a member may send them. Viewers may send those of the first list. */
const READING = ["accounts", "ask", "live"];
const MARKING = ["inbox/mark", "inbox/owner", "accounts/views", "accounts/views/delete", "accounts/x/owner"];
const CHANGING = [
  "settings",
  "settings/keys",
  "settings/erase",
  "settings/agreement",
  "settings/destinations",
  "start/key",
];

describe("§22.2 a role", () => {
  it.each([
    ["viewer", READING, [...MARKING, ...CHANGING]],
    ["member", [...READING, ...MARKING], CHANGING],
  ])("§22.2 decides what a %s changes, and pages have no other forms", async (role, allowed, refused) => {
    const { token } = await newPerson(role);
    for (const path of refused) expect([path, (await post(inside(path), token)).status]).toEqual([path, 403]);
    for (const path of allowed) expect([path, (await post(inside(path), token)).status]).not.toEqual([path, 403]);
    for (const page of ["inbox", `inbox?show=${item.id}`, "settings/privacy", "settings/keys", "accounts/x", "start"]) {
      const { text } = await get(inside(page), token);
      const main = text.slice(text.indexOf("<main"));
      const actions = [...main.matchAll(/method="post"[^>]*action="([^"?]+)/g)].map(([, action = ""]) => action);
      const forbidden = actions.filter((action) => !allowed.some((path) => action === inside(path)));
      expect([page, forbidden]).toEqual([page, []]);
    }
    expect((await get(inside("settings/keys"), token)).text).not.toContain(workspace.keyId);
    for (const page of ["people", "audit", "databases"])
      expect([page, (await get(`/console/${page}`, token)).status]).toEqual([page, 403]);
    expect((await post("/console/people", token, { email: "x@example.com", role: "admin" })).status).toBe(403);
    expect((await post("/console/workspaces", token, { name: "x", writeLimit: "1" })).status).toBe(403);
  });

  it("§22.2 of an admin does everything in the console, and gives no access to the API", async () => {
    const { token } = await newPerson("admin", []);
    for (const page of ["people", "audit", "workspaces", `w/${workspace.id}/settings/keys`])
      expect([page, (await get(`/console/${page}`, token)).status]).toEqual([page, 200]);
    for (const path of ["/admin/people", "/admin/tokens", "/api/v1/accounts"])
      expect([path, (await get(path, token)).status]).toEqual([path, 401]);
  });
});

type Forged = (email: string) => Promise<string>;
const without = (name: string): Forged => {
  return (email) => signed(Object.fromEntries(Object.entries(claims(email)).filter(([each]) => each !== name)));
};
const FORGED: [what: string, forge: Forged][] = [
  ["of another team", (email) => signed({ ...claims(email), iss: "https://other.cloudflareaccess.com" })],
  ["of another application", (email) => signed({ ...claims(email), aud: ["another"] })],
  ["of an unknown key", (email) => signed(claims(email), foreign, "k9")],
  ["of another key under a known name", (email) => signed(claims(email), foreign)],
  ["that has expired", (email) => signed({ ...claims(email), exp: now() - 1 })],
  ["that isn't valid yet", (email) => signed({ ...claims(email), nbf: now() + 60 })],
  ["without a signature", async (email) => new UnsecuredJWT(claims(email)).encode()],
  [
    "signed with the public key as a secret",
    async (email) => {
      const secret = new TextEncoder().encode(await exportSPKI(own.publicKey));
      return new SignJWT(claims(email)).setProtectedHeader({ alg: "HS256", kid: "k1" }).sign(secret);
    },
  ],
  [
    "with another payload",
    async (email) => {
      const [head, , signature] = (await signed(claims("nobody@example.com"))).split(".");
      const [, payload] = (await signed(claims(email))).split(".");
      return `${head}.${payload}.${signature}`;
    },
  ],
  ["of an address whose lower case is another's", (email) => signed(claims(`\u212A${email.slice(1)}`), own)],
  ["of a service", without("email")],
  ["without an end", without("exp")],
  ["without an application", without("aud")],
  ["without a team", without("iss")],
  ["that is no token", async () => "x.y.z"],
];

describe("§22.2 a token of Cloudflare Access", () => {
  it.each(FORGED)("§22.2 %s opens no page", async (_what, forge) => {
    const { email } = await newPerson("admin");
    const token = await forge(email);
    const page = await get(inside("inbox"), token);
    expect([page.status, page.text.includes("Shop")]).toEqual([403, false]);
    expect((await post("/console/workspaces", token, { name: "x", writeLimit: "1" })).status).toBe(403);
  });

  it("§22.2 counts only with both settings, and not from another site's form", async () => {
    const { token } = await newPerson("admin");
    const plain = await sendWith(envWith({}), "GET", inside("inbox"), undefined, as(token));
    expect(plain.headers.get("Location")).toContain("/console/sign-in");
    const form = as(token, { Origin: "https://example.com", "Content-Type": "application/x-www-form-urlencoded" });
    expect((await sendWith(settings(), "POST", "/console/people", "email=x@example.com", form)).status).toBe(403);
  });

  it("§22.2 yields to a session by cookie", async () => {
    const { cookie } = await signedIn(workspace.key);
    const { token } = await newPerson("admin");
    expect((await get("/console/audit", token, { Cookie: cookie })).status).toBe(403);
    expect((await get(inside("inbox"), "x.y.z", { Cookie: cookie })).status).toBe(200);
  });
});

describe("§22.2 the keys of the team", () => {
  it.each([
    ["answer an error", () => Promise.resolve(new Response("no", { status: 500 }))],
    ["can't be reached", () => Promise.reject(new TypeError("fetch failed"))],
    ["are no keys", () => Promise.resolve(Response.json({ keys: "none" }))],
  ])(
    "§22.2 that %s make the page name single sign-on and lead to the sign-in by token, until they are back",
    async (_what, answer) => {
      const { token } = await newPerson("viewer");
      certs.mockImplementationOnce(answer);
      const { status, headers, text } = await get(inside("inbox"), token);
      expect([status, headers.get("Retry-After")]).toEqual([503, "1"]);
      expect([text.includes("Single sign-on"), text.includes('href="/console/sign-in"')]).toEqual([true, true]);
      expect((await get(inside("inbox"), token)).status).toBe(200);
    },
  );

  it("§22.2 are asked again for an unknown one, at most every 30 seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { email, token } = await newPerson("viewer");
    const renewed = await signed(claims(email), foreign, "k2");
    expect((await get(inside("inbox"), token)).status).toBe(200);
    certs.mockImplementation(() => keysOf("k2", foreign));
    for (const path of ["inbox", "home", "ask"]) expect((await get(inside(path), renewed)).status).toBe(403);
    expect(certs).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect((await get(inside("inbox"), renewed)).status).toBe(200);
    expect((await get(inside("inbox"), token)).status).toBe(403);
    expect(certs).toHaveBeenCalledTimes(2);
  });
});

it("§22.2 the known keys of a team stay in use while it doesn't answer, and it is asked at most every 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { email, token } = await newPerson("viewer");
  expect((await get(inside("inbox"), token)).status).toBe(200);
  vi.setSystemTime(Date.now() + 11 * MINUTE_MS);
  certs.mockImplementation(() => Promise.reject(new TypeError("fetch failed")));
  const unknown = await signed(claims(email), foreign, "k2");
  for (const [sent, status] of [
    [token, 200],
    [unknown, 403],
    [token, 200],
  ] as const) {
    expect((await get(inside("inbox"), sent)).status).toBe(status);
  }
  expect(certs).toHaveBeenCalledTimes(2);
});

it("§22.2 the sign-in mentions single sign-on where it is set up", async () => {
  const page = await sendWith(settings(), "GET", "/console/sign-in");
  expect(textOf(page.text)).toContain("single sign-on");
  expect((await sendWith(envWith({}), "GET", "/console/sign-in")).text).not.toContain("single sign-on");
});
