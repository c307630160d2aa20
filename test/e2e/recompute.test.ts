/**
 * From events to health and the inbox, as the README walks a newcomer through it: its own commands, pasted into a shell,
 * and the cron through the runtime's handler.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { commandsOf, paste as pasteInto } from "../harness/api-guide.ts";
import { type Service, startService, type Workspace } from "../harness/service.ts";

describe("from the first event to the inbox", () => {
  let service: Service;
  let workspace: Workspace;
  beforeAll(async () => {
    service = await startService();
    workspace = await service.createWorkspace();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const paste = (command: string | undefined) => pasteInto(service, workspace, command);

  const [capture, run, read] = commandsOf("From events to health");

  it("captures sixty days through the compatibility path", () => {
    expect(paste(capture)).toMatchObject([{ ok: true, duplicates: 0, rejected: [] }]);
  });

  it("is judged by the cron of the runtime, once", async () => {
    await service.fireCron();
    // The README asks for a run by hand, which finds everything done.
    expect(paste(run)).toMatchObject([{ ok: true, complete: true, eventsFolded: 0, accountsScored: 0 }]);
  });

  it("tells the healthy account from the one that fell silent, and what to do about it", () => {
    const [accounts, inbox] = paste(read);
    expect(accounts).toMatchObject({
      ok: true,
      accounts: [
        { externalId: "globex", health: { state: "at_risk" } },
        { externalId: "acme", health: { state: "healthy" } },
      ],
    });
    expect(inbox).toMatchObject({
      ok: true,
      items: [{ kind: "gone_silent", account: { externalId: "globex" }, status: "open" }],
    });
  });

  it("keeps what was judged over a crash, and judges nothing twice", async () => {
    const before = paste(read);
    await service.kill();
    await service.restart();
    await service.fireCron();
    const [accounts, inbox] = paste(read);
    expect(accounts).toMatchObject({ accounts: before[0]?.["accounts"] });
    expect(inbox).toMatchObject({ items: before[1]?.["items"] });
  });
});
