/** docs/wire.md §6.2: erasing a user by an id in the body, which works for every id. */
import { describe, expect, it } from "vitest";

import { capture, track } from "../support/messages.ts";
import { newWorkspace } from "../support/workspace.ts";

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

  it.each([[{}], [{ userId: null }], [{ userId: " " }], [{ userId: {} }], [{ userId: 1.5 }]])(
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
