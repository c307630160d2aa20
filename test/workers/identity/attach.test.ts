/** docs/wire/identity.md §6: attaching, refusing and reading identity traits. */
import { beforeAll, describe, expect, it } from "vitest";

import { type Answer, send } from "../support/send.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { IDENTITY, idOf, jsonBearer, newIdentifiedWorkspace, rowsOf, storedTraits } from "./identified-workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newIdentifiedWorkspace();
});

const kindOf = async (id = "") => (await rowsOf("SELECT kind FROM accounts WHERE id = ?", id))[0]?.["kind"];

describe("§6 POST /api/v1/identity", () => {
  it("§6 attaches a company to an account, a name and an e-mail address to a user", async () => {
    const one = await newIdentifiedWorkspace();
    const traits = { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" };
    const { status, body } = await one.attach({ accountId: "acme", userId: "u1", traits });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      account: { id: expect.stringMatching(/^acc_/), externalId: "acme" },
      user: { id: expect.stringMatching(/^usr_/), externalId: "u1" },
      attached: ["company", "name", "email"],
    });
    const [company, email, name] = ["account company Acme Corp", "user email jo@acme.example", "user name Jo Doe"];
    expect(await storedTraits(one)).toEqual({
      traits: [company, email, name],
      names: ["account company acme corp", "user email jo acme example", "user name jo doe"],
    });
  });

  it("§6 returns null for an account or user that the request omits", async () => {
    expect(await workspace.attach({ accountId: "acme", traits: { company: "Acme" } })).toMatchObject({
      status: 200,
      body: { account: { externalId: "acme" }, user: null, attached: ["company"] },
    });
    expect(await workspace.attach({ userId: "u1", traits: { email: "jo@acme.example" } })).toMatchObject({
      status: 200,
      body: { account: null, user: { externalId: "u1" }, attached: ["email"] },
    });
  });

  it("§6 replaces a trait, keeps an absent one and removes one that is null", async () => {
    const one = await newIdentifiedWorkspace();
    await one.attach({ userId: "u1", traits: { name: "Jo Doe", email: "jo@acme.example" } });
    await one.attach({ userId: "u1", traits: { name: "Joan Roe" } });
    const stored = ["user email jo@acme.example", "user name Joan Roe"];
    expect(await storedTraits(one)).toEqual({
      traits: stored,
      names: ["user email jo acme example", "user name joan roe"],
    });
    const removed = await one.attach({ userId: "u1", traits: { name: null, email: "joan@acme.example" } });
    expect(removed.body["attached"]).toEqual(["email"]);
    expect((await storedTraits(one)).traits).toEqual(["user email joan@acme.example"]);
    expect((await one.attach({ userId: "u1", traits: { name: null, email: null } })).body["attached"]).toEqual([]);
    expect(await storedTraits(one)).toEqual({ traits: [], names: [] });
  });

  it("§6 changes nothing when the call is repeated", async () => {
    const one = await newIdentifiedWorkspace();
    const body = { accountId: "acme", traits: { company: "Acme Corp" } };
    expect((await one.attach(body)).body).toEqual((await one.attach(body)).body);
    expect((await storedTraits(one)).names).toEqual(["account company acme corp"]);
  });

  it("§6 accepts internal ids", async () => {
    const accountId = await idOf(workspace, "/api/v1/accounts/acme");
    const userId = await idOf(workspace, "/api/v1/users/u1");
    const traits = { company: "Acme", name: "Jo" };
    expect(await workspace.attach({ accountId, userId, traits })).toMatchObject({
      status: 200,
      body: { account: { id: accountId, externalId: "acme" }, user: { id: userId, externalId: "u1" } },
    });
  });

  it("§6 prefers a company account to a personal account with the same external id", async () => {
    await workspace.post("/api/v1/cdp", { type: "track", userId: "solo", event: "a" });
    const { body } = await workspace.attach({ accountId: "solo", traits: { company: "Solo Ltd" } });
    expect(await kindOf(body.account?.id)).toBe("solo");
    await workspace.post("/api/v1/events", { accountId: "solo", userId: "u2", event: "a" });
    const { body: later } = await workspace.attach({ accountId: "solo", traits: { company: "Solo Inc" } });
    expect(await kindOf(later.account?.id)).toBe("company");
  });

  it.each([
    ["account", { accountId: "nobody", userId: "u1", traits: { company: "x", name: "y" } }],
    ["user", { accountId: "acme", userId: "nobody", traits: { company: "x", name: "y" } }],
    ["account", { accountId: "acc_000000000000000000000000", traits: { company: "x" } }],
    ["user", { userId: "usr_000000000000000000000000", traits: { name: "x" } }],
    ["user", { accountId: "acme", userId: "nobody", traits: { company: "x" } }],
  ])("§6 returns 404 for an unknown %s and attaches nothing: %j", async (what, body) => {
    const before = await storedTraits(workspace);
    expect(await workspace.attach(body)).toMatchObject({
      status: 404,
      body: { error: { code: "not_found", message: `No such ${what}.` } },
    });
    expect(await storedTraits(workspace)).toEqual(before);
  });
});

describe("§6 refused calls", () => {
  it.each([
    [{ userId: "u1", traits: { name: "Jo", phone: "1" } }, ["traits.phone"]],
    [{ userId: "u1", traits: { name: "Jo" }, timestamp: "x", "": 1 }, ["timestamp", ""]],
    [{ userId: "u1", traits: {} }, ["traits"]],
    [{ traits: { company: "x", name: "y" } }, ["accountId", "userId"]],
    [{ userId: "u1", traits: { email: "no address" } }, ["traits.email"]],
    [{ userId: "u1", traits: { email: "jo@acme..example" } }, ["traits.email"]],
    [{ userId: "u1", traits: { name: "x".repeat(257) } }, ["traits.name"]],
    [JSON.parse('{"userId":"u1","traits":{"name":"x"},"__proto__":{"a":1}}'), ["__proto__"]],
    [[], [""]],
  ])("§6 returns 400 for %j and names the fields", async (body, paths) => {
    const before = await storedTraits(workspace);
    const { status, body: answer } = await workspace.attach(body);
    expect([status, answer.error?.code]).toEqual([400, "invalid_request"]);
    expect(answer.error?.issues?.map(({ path }) => path)).toEqual(paths);
    expect(await storedTraits(workspace)).toEqual(before);
  });

  it("§1 §6 accepts POST /api/identity and links to the versioned path", async () => {
    const body = { userId: "u1", traits: { name: "Jo" } };
    const answer = await send("POST", "/api/identity", body, jsonBearer(workspace.key));
    expect(answer).toMatchObject({ status: 200, body: { ok: true, attached: ["name"] } });
    expect(answer.headers.get("Link")).toBe(`<${IDENTITY}>; rel="successor-version"`);
    expect((await workspace.attach(body)).headers.get("Link")).toBeNull();
  });
});

const accountIn = ({ body }: Answer) => body.account;
const userIn = ({ body }: Answer) => body.user;

describe("§6 reads", () => {
  beforeAll(async () => {
    workspace = await newIdentifiedWorkspace();
    await workspace.post("/api/v1/events", { accountId: "globex", userId: "u2", event: "a" });
    const traits = { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" };
    await workspace.attach({ accountId: "acme", userId: "u1", traits });
  });

  it("§6 show traits to a key with the scope identity, and omit the field without traits", async () => {
    const { get } = await workspace.newKey(["read", "identity"]);
    expect(userIn(await get("/api/v1/users/u1"))).toMatchObject({
      externalId: "u1",
      identity: { name: "Jo Doe", email: "jo@acme.example" },
    });
    expect(userIn(await get("/api/v1/users/u2"))).not.toHaveProperty("identity");
    expect(accountIn(await get("/api/v1/accounts/acme"))).toMatchObject({ identity: { company: "Acme Corp" } });
    expect(accountIn(await get("/api/v1/accounts/globex"))).not.toHaveProperty("identity");
    const { body } = await get("/api/v1/accounts");
    expect(body["accounts"]).toMatchObject([
      { externalId: "acme", identity: { company: "Acme Corp" } },
      { externalId: "globex" },
    ]);
    expect(JSON.stringify(body).match(/"identity"/g)).toHaveLength(1);
  });

  it("§6 show no traits to a key without the scope identity", async () => {
    const { get } = await workspace.newKey(["read"]);
    for (const path of ["users/u1", "accounts/acme", "accounts", "events", "inbox"]) {
      const { status, text } = await get(`/api/v1/${path}`);
      expect(status).toBe(200);
      expect(text, path).not.toMatch(/identity|Jo Doe|Acme Corp|jo@acme/);
    }
  });

  it("§2 need the scope read as well", async () => {
    const { get } = await workspace.newKey(["identity"]);
    expect((await get("/api/v1/users/u1")).status).toBe(403);
  });
});
