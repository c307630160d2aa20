/** docs/senders.md: client libraries in other languages, by their recorded requests. */
import { beforeAll, describe, expect, it } from "vitest";

import type { AdminClient } from "../harness/admin-client.ts";
import { sharedWorker } from "../harness/shared-worker.ts";
import { rawPost } from "./raw-request.ts";
import { RECORDINGS, replay } from "./senders/recorded.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const WEEK_MS = 7 * 86_400_000;
/** Some write whole seconds, and transit may be taken for a slow clock. */
const TOLERANCE_MS = 60_000;

let service: AdminClient;
beforeAll(() => {
  service = sharedWorker();
});

describe.each(RECORDINGS)("$library", (recording) => {
  const send = async (key: string, past = new Date()) => {
    const { headers, bytes } = replay(recording, { key, past });
    const request = await rawPost(service.url, recording.path, headers);
    await request.write(bytes);
    return request.status();
  };

  it("§1 §4 delivers a group, an identify and a track with its time, and counts the page", async () => {
    const workspace = await service.createWorkspace();
    const past = new Date(Date.now() - WEEK_MS);
    expect(await send(workspace.key, past)).toBe(200);
    const reader = new Reader(service, workspace);
    const events = await reader.events();
    expect(events).toMatchObject([
      {
        name: "report.exported",
        account: { externalId: "acme" },
        user: { externalId: "u1" },
        properties: { format: "pdf" },
      },
    ]);
    expect(Math.abs(Date.parse(events[0]?.occurredAt ?? "") - past.getTime())).toBeLessThan(TOLERANCE_MS);
    expect(await reader.user("u1")).toMatchObject({
      account: { externalId: "acme", kind: "company" },
      traits: { role: "admin" },
    });
    expect(await reader.rejected()).toEqual({ unsupported_type: 1 });
    expect(await storedMessages(service, workspace)).toBe(3);
  });

  it("§2 is refused with a wrong key", async () => {
    expect(await send("bik_wrong")).toBe(401);
  });
});
