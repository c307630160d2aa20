/** docs/wire/erasure.md §6.2: the requests that erase a user, and their responses. */
import { describe, expect, it } from "vitest";

import { tablesWith } from "../support/database.ts";
import { capture, track } from "../support/messages.ts";
import { send } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";
import { jsonBearer, newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

async function workspaceWith(userId: string) {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/cdp", track({ userId }));
  const { events = [] } = (await workspace.get("/api/v1/events")).body;
  const user: { id: string } = Object(events[0]?.["user"]);
  const erase = (body: unknown, headers: Record<string, string> = JSON_TYPE) =>
    workspace.post("/api/v1/users/erase", body, { headers: { Authorization: `Bearer ${workspace.key}`, ...headers } });
  return { ...workspace, internalId: user.id, erase };
}

describe("§6.2 POST /api/v1/users/erase", () => {
  it.each(["u1", ".", "..", "a/b", "%2e", "?", "erase"])("erases the user %s", async (userId) => {
    const { internalId, get, erase } = await workspaceWith(userId);
    expect(await get(`/api/v1/users/${internalId}`)).toMatchObject({
      status: 200,
      body: { user: { externalId: userId } },
    });
    expect((await erase({ userId })).body).toEqual({ ok: true });
    expect(await get(`/api/v1/users/${internalId}`)).toMatchObject({
      status: 200,
      body: { user: { externalId: null } },
    });
  });

  it("erases a user by the internal id", async () => {
    const { internalId, get, erase } = await workspaceWith("u1");
    expect((await erase({ userId: internalId })).status).toBe(200);
    expect((await get("/api/v1/users/u1")).status).toBe(404);
  });

  it("reads the ids . and .. by the internal id, because URLs drop such segments", async () => {
    const { internalId, get } = await workspaceWith("..");
    expect((await get("/api/v1/users/..")).status).toBe(404);
    expect((await get("/api/v1/users/%2e%2e")).status).toBe(404);
    expect((await get(`/api/v1/users/${internalId}`)).body).toMatchObject({ user: { externalId: ".." } });
  });

  it.each([[{}], [{ userId: null }], [{ userId: " " }], [{ userId: {} }], [{ userId: 1.5 }], [{ userId: "\uD800" }]])(
    "refuses %j and names the field",
    async (body) => {
      const { erase } = await workspaceWith("u1");
      const { status, body: answer } = await erase(body);
      expect([status, answer.error?.code, answer.error?.issues?.[0]?.path]).toEqual([400, "invalid_request", "userId"]);
    },
  );

  it("needs the scope identity and a JSON body", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", capture());
    const reader = await workspace.newKey(["read"]);
    const forbidden = await reader.post("/api/v1/users/erase", { userId: "u1" });
    const untyped = await workspace.post("/api/v1/users/erase", "{}", {
      headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "text/plain" },
    });
    expect([forbidden.status, untyped.status]).toEqual([403, 415]);
  });

  it("leaves a user named erase readable and erasable by path", async () => {
    const { get } = await workspaceWith("erase");
    expect((await get("/api/v1/users/erase")).body).toMatchObject({ user: { externalId: "erase" } });
  });
});

describe("§6.2 DELETE /api/v1/users/{externalId}", () => {
  it.each(["a/b", "50%", "%41", "a?b#c&d=e", "é 😀", "..x", "'; --"])("§6.2 DELETE erases the user %j", async (id) => {
    const one = await newIdentifiedWorkspace();
    await one.post("/api/v1/cdp", { type: "identify", userId: id, traits: { role: "qqodd" } });
    expect((await one.erase(id)).status).toBe(200);
    expect(await tablesWith("qqodd")).toEqual([]);
    expect(await rowsOf("SELECT * FROM users WHERE external_id = ?", id)).toEqual([]);
  });
});

describe("§6.2 the response", () => {
  it("§6.2 is the same for a known, an erased and an unknown user", async () => {
    const one = await newIdentifiedWorkspace();
    const answers = [];
    for (const id of ["u1", "u1", "nobody", "usr_000000000000000000000000", " ", "x".repeat(300), "\u0001usr_1"]) {
      const { status, text, headers } = await one.erase(id);
      answers.push([status, text, headers.get("RateLimit")]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify([200, '{"ok":true}', null])]),
    );
  });

  it("§2 needs a key with the scope identity, and no agreement", async () => {
    const one = await newWorkspace();
    await one.post("/api/v1/events", { accountId: "acme", userId: "u1", event: "a" });
    for (const scope of ["ingest", "read", "ask", "inbox"]) {
      const { key } = await one.newKey([scope]);
      expect((await send("DELETE", "/api/v1/users/u1", undefined, jsonBearer(key))).status).toBe(403);
    }
    expect((await one.get("/api/v1/users/u1")).status).toBe(200);
    const { key } = await one.newKey(["identity"]);
    expect((await send("DELETE", "/api/v1/users/u1", undefined, jsonBearer(key))).status).toBe(200);
    expect((await one.get("/api/v1/users/u1")).status).toBe(404);
  });
});
