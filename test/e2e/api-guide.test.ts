/** Follows docs/api.md: runs its commands in a shell and checks what they print. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Workspace } from "../harness/admin-client.ts";
import { commandsOf, paste as pasteInto } from "../harness/api-guide.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";

let worker: ServedWorker;
let workspace: Workspace;
beforeAll(async () => {
  worker = await serveWorker(await buildWorker());
  // Room for the imported history and what follows.
  workspace = await worker.createWorkspace({ writeLimit: 1_000 });
});
afterAll(() => worker[Symbol.asyncDispose]());

const paste = (command: string | undefined) => pasteInto(worker, workspace, command);

async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" };
  const response = await fetch(worker.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

const ask = (question: string) => post("/api/v1/ask", { question });

describe("§10 Import history", () => {
  const [send, recompute] = commandsOf("Import history");

  it("stores sixty days and scores them", async () => {
    expect(await paste(send)).toMatchObject([{ ok: true, duplicates: 0, rejected: [] }]);
    expect(await paste(recompute)).toMatchObject([{ ok: true, complete: true, accountsScored: 2 }]);
  });
});

describe("§13 Read", () => {
  const [read] = commandsOf("Read");

  it("lists the events, and the account and inbox item of the customer that went silent", async () => {
    const answers = await paste(read?.replace("users/u1", "users/acme-1"));
    expect(answers).toHaveLength(7);
    const [events, , , , atRisk, , inbox] = answers;
    expect(events).toMatchObject({ ok: true, events: { length: 10 } });
    expect(atRisk).toMatchObject({ accounts: [{ externalId: "globex", health: { state: "at_risk" } }] });
    expect(inbox).toMatchObject({
      items: [{ kind: "gone_silent", account: { externalId: "globex" }, status: "open" }],
    });
  });
});

describe("§15 Ask questions", () => {
  const [answerable, unanswerable, query] = commandsOf("Ask questions");

  it("answers a question with evidence, and explains why it doesn't answer another", async () => {
    const [answer] = await paste(answerable);
    const count = Number(answer?.["value"]);
    expect(count).toBeGreaterThan(0);
    expect(answer).toMatchObject({
      knows: true,
      answer: expect.stringContaining(`acme had ${count} events last week`),
      interpretation: { measure: "events", subject: { externalId: "acme" } },
      query: { find: "events", window: { previous: "week" } },
      reason: null,
    });
    expect(answer?.["evidence"]).toContainEqual(expect.objectContaining({ measure: "events", value: count }));
    expect(await paste(unanswerable)).toMatchObject([
      { knows: false, reason: "no_such_subject", detail: expect.stringContaining("Initech") },
    ]);
  });

  it("counts by a structured query", async () => {
    expect(await paste(query)).toMatchObject([{ knows: true, value: expect.any(Number) }]);
  });
});

describe("§6 Attach identity traits and erase people", () => {
  const [accept, attach, withdraw, erase] = commandsOf("Attach identity traits and erase people");

  it("finds people by name between the acceptance and the withdrawal of the agreement", async () => {
    const identity = { userId: "globex-1", traits: { name: "Ann Lee" } };
    expect(await post("/api/v1/identity", identity)).toMatchObject({ error: { code: "dpa_required" } });
    await paste(accept);
    expect(await paste(attach)).toMatchObject([{ ok: true, attached: ["company", "name", "email"] }]);
    expect(await ask("When was Ann Lee last seen?")).toMatchObject({
      knows: true,
      interpretation: { subject: { externalId: "globex-1", name: "Ann Lee", matchedBy: "name" } },
    });
    await paste(withdraw);
    expect(await ask("When was Ann Lee last seen?")).toMatchObject({ knows: false, reason: "no_such_subject" });
  });

  it("erases a person and keeps the counts", async () => {
    const question = "How many events did globex have in total?";
    const before = await ask(question);
    expect(await paste(erase)).toEqual([{ ok: true }]);
    expect(await ask("When was user globex-1 last seen?")).toMatchObject({ knows: false, reason: "no_such_subject" });
    expect(await ask(question)).toMatchObject({ knows: true, value: Reflect.get(Object(before), "value") });
  });
});
