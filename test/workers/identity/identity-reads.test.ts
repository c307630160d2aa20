/** Sections 1, 6 and 13: who is shown identity traits. */
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
  it("§6 show what is attached to a key with the scope identity, and no field where nothing is", async () => {
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

  it("§6 show none of it to a key without that scope", async () => {
    const { get } = await workspace.newKey(["read"]);
    for (const path of ["users/u1", "accounts/acme", "accounts", "events", "inbox"]) {
      const { status, text } = await get(`/api/v1/${path}`);
      expect(status).toBe(200);
      expect(text, path).not.toMatch(/identity|Jo Doe|Acme Corp|jo@acme/);
    }
  });

  it("§2 a key with the scope identity alone reads nothing", async () => {
    const { get } = await workspace.newKey(["identity"]);
    expect((await get("/api/v1/users/u1")).status).toBe(403);
  });
});
