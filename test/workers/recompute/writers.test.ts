/** docs/recompute.md §10: only the recompute writes outcomes. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { allRows } from "../support/database.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { batch, capture, track } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

/** Reads all outcomes, byte for byte. */
async function outcomes(): Promise<string> {
  const { health, health_days, inbox_items } = await allRows();
  return JSON.stringify([health, health_days, inbox_items]);
}

describe("§10 outcomes", () => {
  it("§10 stay unchanged by ingest, reads, marks and administration", { timeout: 60_000 }, async () => {
    const workspace = await fullWorkspace();
    const { id, keyId, post, get } = workspace;
    const item = (await env.DB.prepare("SELECT id FROM inbox_items WHERE account > 0").first<string>("id")) ?? "";
    const json = (path: string, body?: unknown) =>
      post(path, body, { headers: { "Content-Type": "application/json" } });
    const mark = (action: string, body?: unknown) => json(`/api/v1/inbox/${item}/${action}`, body);
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" };
    const erase = (user: string) => send("DELETE", `/api/v1/users/${user}`, undefined, { headers });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const operations: [name: string, ask: () => Promise<Answer>][] = [
      ["capture", () => post("/api/v1/events", capture({ accountStage: "churned", accountSeats: 1 }))],
      ["track", () => post("/api/v1/cdp", batch([track({ timestamp: "2020-01-01T00:00:00Z" }), track()]))],
      ["identify", () => post("/v1/identify", { userId: "u1", traits: { accountMrr: 5 } })],
      ["group", () => post("/v1/group", { userId: "u2", groupId: "globex", traits: { plan: "pro" } })],
      ["rejection", () => post("/api/v1/cdp", [track({ event: null }), { type: "page" }])],
      ...["events", "users/u1", "rejected", "accounts", "accounts?sort=mrr", "accounts/acme"]
        .concat(["inbox", "inbox?status=resolved", "inbox?status=dismissed", "inbox?status=snoozed"])
        .map((path): [string, () => Promise<Answer>] => [path, () => get(`/api/v1/${path}`)]),
      ["snooze", () => mark("snooze", { until })],
      ["dismiss", () => mark("dismiss", { reason: "wrong" })],
      ["contact", () => mark("contacted")],
      ["note", () => send("PUT", `/api/v1/inbox/${item}/note`, { text: "a" }, { headers })],
      ["owner", () => send("PUT", "/api/v1/accounts/acme/owner", { owner: "Ann" }, { headers })],
      ["change", () => admin("PATCH", `/workspaces/${id}`, { name: "Another" })],
      ["describe", () => admin("GET", `/workspaces/${id}`)],
      ["accept the agreement", () => admin("PUT", `/workspaces/${id}/dpa`, { acceptedBy: "Ann", version: "2" })],
      [
        "attach",
        () => json("/api/v1/identity", { accountId: "acme", userId: "u1", traits: { company: "A", name: "B" } }),
      ],
      ["question", () => json("/api/v1/ask", { question: "How healthy is acme?" })],
      ["erase a user", () => erase("u1")],
      ["erase a user with a personal account", () => erase("u3")],
      ["withdraw", () => admin("DELETE", `/workspaces/${id}/dpa`)],
      ["request a rebuild", () => admin("POST", `/workspaces/${id}/rebuild`)],
      ["another workspace", async () => admin("DELETE", `/workspaces/${(await newWorkspace()).id}`)],
      ["revoke", () => workspace.revoke(keyId)],
    ];
    await admin("PATCH", `/workspaces/${id}`, { writeLimit: 1_000 });
    const before = await outcomes();
    expect(before.length).toBeGreaterThan(1_000);
    for (const [name, ask] of operations) {
      expect((await ask()).status, name).toBeLessThan(300);
      expect(await outcomes(), name).toBe(before);
    }
  });
});
