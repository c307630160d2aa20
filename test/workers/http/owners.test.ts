/** Section 14: who looks after an account. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { NOW, type Outcomes, outcomesOf, type SeededAccount } from "../support/outcomes.ts";
import { setState } from "../support/half-changed.ts";
import { type Answer, send } from "../support/send.ts";
import { allPages, newWorkspace, type Sender, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let acme: SeededAccount;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme");
});
afterEach(() => {
  vi.useRealTimers();
});

const put = (account: string, body: unknown, { key }: Sender = workspace): Promise<Answer> =>
  send("PUT", `/api/v1/accounts/${account}/owner`, body, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  });

async function listed(path: string): Promise<Record<string, unknown>[]> {
  const { body, text } = await workspace.get(path);
  const rows = body["accounts"] ?? body["items"];
  if (!Array.isArray(rows)) throw new Error(`nothing was listed: ${text}`);
  return rows;
}

describe("§14 PUT /api/v1/accounts/{externalId}/owner", () => {
  it("§14 sets, replaces and removes the owner, and returns the account", async () => {
    const account = { id: acme.id, externalId: "acme", kind: "company" };
    for (const owner of ["Ann Lee", "Bob", null, null]) {
      expect(await put("acme", { owner })).toMatchObject({
        status: 200,
        body: { ok: true, account: { ...account, owner } },
      });
      expect((await workspace.get("/api/v1/accounts/acme")).body).toMatchObject({ account: { owner } });
    }
    expect((await put(acme.id, { owner: " by internal id " })).body).toEqual({
      ok: true,
      account: { ...account, owner: "by internal id" },
    });
  });

  it("§14 shows the owner in lists of accounts and items", async () => {
    await outcomes.account("globex");
    await outcomes.item({ account: acme.number });
    await outcomes.item({ kind: "tracking_stopped" });
    await put("acme", { owner: "Ann Lee" });
    const accounts = await listed("/api/v1/accounts");
    expect(accounts.map(({ externalId, owner }) => [externalId, owner])).toEqual([
      ["acme", "Ann Lee"],
      ["globex", null],
    ]);
    const items = await listed("/api/v1/inbox");
    expect(Object.fromEntries(items.map(({ kind, owner }) => [kind, owner]))).toEqual({
      tracking_stopped: null,
      usage_drop: "Ann Lee",
    });
    const { body } = await workspace.get("/api/v1/accounts/acme");
    expect(body).toMatchObject({ account: { openItems: [{ owner: "Ann Lee" }] } });
  });

  it("§14 filters lists of accounts and items by owner, page by page", async () => {
    for (const name of ["globex", "initech", "umbrella"]) {
      const { number } = await outcomes.account(name);
      await outcomes.item({ account: number });
      await put(name, { owner: name === "initech" ? "Bob" : "Ann Lee" });
    }
    const query = `owner=${encodeURIComponent("Ann Lee")}&limit=1`;
    const accounts = await allPages(workspace, `/api/v1/accounts?${query}`);
    expect(accounts.flatMap(({ body }) => body["accounts"])).toMatchObject([
      { externalId: "globex" },
      { externalId: "umbrella" },
    ]);
    const items = await allPages(workspace, `/api/v1/inbox?${query}`);
    expect(items.flatMap(({ body }) => body["items"])).toMatchObject([
      { account: { externalId: "umbrella" } },
      { account: { externalId: "globex" } },
    ]);
    expect(await listed("/api/v1/accounts?owner=ann%20lee")).toEqual([]);
  });

  it("§14 refuses a cursor of another owner's list", async () => {
    for (const name of ["acme", "globex"]) {
      await outcomes.account(`${name}-2`);
      await put(name === "acme" ? "acme" : "acme-2", { owner: "Ann" });
    }
    const { body } = await workspace.get("/api/v1/accounts?owner=Ann&limit=1");
    const other = await workspace.get(`/api/v1/accounts?owner=Bob&limit=1&cursor=${body.nextCursor}`);
    expect(other).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
  });

  it.each([
    [{ owner: "" }, "owner"],
    [{ owner: "  " }, "owner"],
    [{ owner: "x".repeat(129) }, "owner"],
    [{ owner: "two\nlines" }, "owner"],
    [{ owner: "lone \ud800" }, "owner"],
    [{ owner: 7 }, "owner"],
    [{}, "owner"],
    [{ owner: "Ann", team: "x" }, "team"],
  ])("§14 refuses %j and names the field", async (body, path) => {
    const refused = await put("acme", body);
    expect(refused).toMatchObject({ status: 400, body: { error: { issues: [{ path }] } } });
    expect((await workspace.get("/api/v1/accounts/acme")).body).toMatchObject({ account: { owner: null } });
  });

  it.each(["", "x".repeat(129)])("§14 refuses the filter owner=%s", async (owner) => {
    for (const path of ["accounts", "inbox"]) {
      const refused = await workspace.get(`/api/v1/${path}?owner=${owner}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { issues: [{ path: "owner" }] } } });
    }
  });

  it("§14 needs the scope inbox, and finds only the workspace's own accounts", async () => {
    expect((await put("acme", { owner: "Ann" }, await workspace.newKey(["read"]))).status).toBe(403);
    expect((await put("acme", { owner: "Ann" }, await workspace.newKey(["inbox"]))).status).toBe(200);
    for (const account of ["nobody", (await (await outcomesOf(await newWorkspace())).account("theirs")).id]) {
      expect(await put(account, { owner: "Ann" })).toMatchObject({
        status: 404,
        body: { error: { code: "not_found" } },
      });
    }
  });

  it("§14 changes nothing while writes are refused", async () => {
    await setState(await workspace.ref(), "moving");
    expect((await put("acme", { owner: "Ann" })).status).toBe(503);
    await setState(await workspace.ref(), "live");
    expect((await workspace.get("/api/v1/accounts/acme")).body).toMatchObject({ account: { owner: null } });
  });
});
