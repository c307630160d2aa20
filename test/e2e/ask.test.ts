/**
 * Questions, identity and erasure as the README walks through them: its own commands, pasted into a shell, against what
 * its events are known to come to.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { commandsOf, paste as pasteInto } from "../harness/api-guide.ts";
import { type Service, startService, type Workspace } from "../harness/service.ts";

describe("from events to answers", () => {
  let service: Service;
  let workspace: Workspace;
  beforeAll(async () => {
    service = await startService();
    // As many messages as the README sends, and what it does right after.
    workspace = await service.createWorkspace({ writeLimit: 1_000 });
    const [capture, run] = commandsOf("Import history");
    paste(capture);
    paste(run);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const paste = (command: string | undefined) => pasteInto(service, workspace, command);
  const send = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" };
    const response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  };
  const ask = (question: string) => send("/api/v1/ask", { question });

  const [answered, refused] = commandsOf("Ask questions");
  const [accept, attach, withdraw, erase] = commandsOf("Attach identity traits and erase people");

  it("answers the README's question with its evidence, and says why it does not answer the other", () => {
    const [answer] = paste(answered);
    const count = Number(answer?.["value"]);
    expect(count).toBeGreaterThan(0);
    expect(answer).toMatchObject({
      knows: true,
      answer: expect.stringContaining(`"acme" had ${count} "report.exported" events from `),
      interpretation: { measure: "event_count", feature: "report.exported", subject: { externalId: "acme" } },
      evidence: [{ measure: "events", value: count }, { value: "report.exported" }],
      reason: null,
    });
    expect(paste(refused)).toMatchObject([
      {
        knows: false,
        reason: "unresolved_words",
        detail: "Not understood: during, lunch.",
        nearestAnswerable: expect.stringContaining('How many events did the account "acme" have from '),
      },
    ]);
  });

  it("has an event that was just captured in the next answer", async () => {
    const question = "How many events did globex have today?";
    const before = await ask(question);
    expect(before).toMatchObject({ knows: true, value: expect.any(Number) });
    await send("/api/v1/events", { accountId: "globex", userId: "globex-1", event: "board.shared" });
    const value = Number(Reflect.get(Object(before), "value"));
    expect(await ask(question)).toMatchObject({ knows: true, value: value + 1 });
  });

  it("knows people by name once that is allowed, and not any more once it is not", async () => {
    const body = { userId: "globex-1", traits: { name: "Ann Lee" } };
    expect(await send("/api/v1/identity", body)).toMatchObject({ error: { code: "dpa_required" } });
    paste(accept);
    expect(paste(attach)).toMatchObject([{ ok: true, attached: ["company", "name", "email"] }]);
    expect(await ask("When was Ann Lee last seen?")).toMatchObject({
      knows: true,
      interpretation: { subject: { externalId: "globex-1", name: "Ann Lee", matchedBy: "name" } },
    });
    expect(await ask("How many events did Globex Corporation have in total?")).toMatchObject({ knows: true });
    paste(withdraw);
    expect(await ask("When was Ann Lee last seen?")).toMatchObject({ knows: false, reason: "no_such_subject" });
    expect(await send("/api/v1/identity", body)).toMatchObject({ error: { code: "dpa_required" } });
  });

  it("forgets a person and keeps what was counted", async () => {
    const question = "How many events did globex have in total?";
    const before = await ask(question);
    expect(paste(erase)).toEqual([{ ok: true }]);
    expect(paste(erase)).toEqual([{ ok: true }]);
    expect(await ask("When was user globex-1 last seen?")).toMatchObject({ knows: false, reason: "no_such_subject" });
    expect(await ask(question)).toMatchObject({ knows: true, value: Reflect.get(Object(before), "value") });
  });
});
