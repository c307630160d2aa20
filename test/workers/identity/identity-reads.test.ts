/** docs/wire.md §6: who reads identity traits. */
import { beforeAll, describe, expect, it } from "vitest";

import type { Answer } from "../support/send.ts";
import { type IdentifiedWorkspace, newIdentifiedWorkspace } from "./identified-workspace.ts";

let workspace: IdentifiedWorkspace;
beforeAll(async () => {
  workspace = await newIdentifiedWorkspace();
  await workspace.post("/api/v1/events", { accountId: "globex", userId: "u2", event: "a" });
  const traits = { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" };
  await workspace.attach({ accountId: "acme", userId: "u1", traits });
});

const accountIn = ({ body }: Answer) => body.account;
const userIn = ({ body }: Answer) => body.user;

describe("§6 reads", () => {
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
