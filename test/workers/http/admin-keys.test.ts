/** Section 9: creating and revoking keys, and the record of the data processing agreement. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { track } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const NOW = Date.UTC(2030, 4, 6, 7, 8, 9, 10);
const ISO = "2030-05-06T07:08:09.010Z";

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The settings of a key that is neither a browser's nor signed. */
const PLAIN = { expiresAt: null, origins: null, writeLimit: null, signed: false, segmentBatches: false };

const detail = async (field: string) => (await admin("GET", `/workspaces/${workspace.id}`)).body.workspace?.[field];

const make = (body: unknown) => admin("POST", `/workspaces/${workspace.id}/keys`, body);

const accept = (body: unknown) => admin("PUT", `/workspaces/${workspace.id}/dpa`, body);
const withdraw = () => admin("DELETE", `/workspaces/${workspace.id}/dpa`);
describe("§9 POST /admin/workspaces/{id}/keys", () => {
  it("§9 creates a key with a name and scopes, and shows it once", async () => {
    const { status, body } = await make({ name: "Website", scopes: ["ingest", "read"] });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      key: {
        id: expect.stringMatching(/^key_./),
        key: expect.stringMatching(/^bik_/),
        name: "Website",
        scopes: ["ingest", "read"],
        ...PLAIN,
      },
    });
    const { id, key } = body.key ?? { id: "", key: "" };
    expect(await detail("keys")).toContainEqual({
      id,
      name: "Website",
      lastFour: key.slice(-4),
      scopes: ["ingest", "read"],
      createdAt: ISO,
      revokedAt: null,
      lastUsedOn: null,
      ...PLAIN,
    });
    expect((await admin("GET", `/workspaces/${workspace.id}`)).text).not.toContain(key);
  });

  it("§9 ignores a repeated scope", async () => {
    expect(await make({ scopes: ["read", "read"] })).toMatchObject({
      status: 201,
      body: { key: { scopes: ["read"] } },
    });
  });

  it.each([{ scopes: [] }, { scopes: ["admin"] }, { scopes: null }, { scopes: ["read", 5] }, { name: "" }])(
    "§9 of %j is 400, and creates no key",
    async (body) => {
      expect(await make(body)).toMatchObject(refusal(400, "invalid_request"));
      expect(await detail("keys")).toHaveLength(1);
    },
  );
});

describe("§9 DELETE /admin/workspaces/{id}/keys/{keyId}", () => {
  it("§9 revokes the key, and lists it with the time", async () => {
    const { keyId } = await workspace.newKey();
    vi.setSystemTime(NOW + 1_000);
    expect(await workspace.revoke(keyId)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await detail("keys")).toContainEqual(
      expect.objectContaining({ id: keyId, revokedAt: "2030-05-06T07:08:10.010Z" }),
    );
  });

  it("§9 repeated keeps the first time", async () => {
    const { keyId } = await workspace.newKey();
    await workspace.revoke(keyId);
    vi.setSystemTime(NOW + 1_000);
    expect((await workspace.revoke(keyId)).status).toBe(200);
    expect(await detail("keys")).toContainEqual(expect.objectContaining({ id: keyId, revokedAt: ISO }));
  });

  it("§9 of an unknown key, or another workspace's, is 404 and revokes nothing", async () => {
    const other = await newWorkspace();
    for (const keyId of ["key_000000000000000000000000", "x", other.keyId]) {
      expect(await workspace.revoke(keyId)).toMatchObject(refusal(404, "not_found"));
    }
    expect((await other.post("/api/v1/cdp", track())).status).toBe(200);
  });
});

describe("§9 PUT and DELETE /admin/workspaces/{id}/dpa", () => {
  const acceptance = { acceptedBy: "Ann", version: "2030-01" };
  const dpa = { ...acceptance, acceptedAt: ISO };

  it("§9 accepts and withdraws the agreement of one workspace", async () => {
    expect(await accept(acceptance)).toMatchObject({ status: 200, body: { ok: true, dpa } });
    expect(await detail("dpa")).toEqual(dpa);
    const other = await newWorkspace();
    expect((await admin("GET", `/workspaces/${other.id}`)).body.workspace).toMatchObject({ dpa: null });
    expect(await withdraw()).toMatchObject({ status: 200, body: { ok: true, dpa: null } });
    expect(await detail("dpa")).toBeNull();
  });

  it("§9 withdraws an agreement that was never accepted with 200 and no record", async () => {
    for (let time = 0; time < 2; time += 1) expect((await withdraw()).status).toBe(200);
    expect(await detail("dpaHistory")).toEqual([]);
  });

  it.each([
    {},
    { acceptedBy: "Ann" },
    { ...acceptance, acceptedBy: "" },
    { ...acceptance, version: 1 },
    { ...acceptance, at: "now" },
  ])("§9 of %j is 400, and accepts nothing", async (body) => {
    expect(await accept(body)).toMatchObject(refusal(400, "invalid_request"));
    expect(await detail("dpa")).toBeNull();
  });
});
