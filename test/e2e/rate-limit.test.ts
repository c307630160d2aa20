/** Waits for real windows of 10 seconds: a client library must be able to rely on `Retry-After`. */
import { Analytics } from "@segment/analytics-node";
import { expect, it } from "vitest";

import { sharedWorker } from "../harness/shared-worker.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const LIMIT = 20;
const BURST = 3 * LIMIT;
const BURST_TIMEOUT_MS = 120_000;

it(
  "§7 stores a burst of three times the limit completely and once, from Segment's library with its defaults",
  async () => {
    const worker = sharedWorker();
    const workspace = await worker.createWorkspace({ writeLimit: LIMIT });
    const client = new Analytics({ host: worker.url, writeKey: workspace.key, flushAt: LIMIT / 2 });
    const failures: unknown[] = [];
    const statuses: number[] = [];
    client.on("error", (error) => failures.push(error));
    client.on("http_response", ({ status }) => statuses.push(status));
    const start = Date.now() - 3_600_000;
    const at = (n: number) => new Date(start + n * 1_000);

    for (let n = 0; n < BURST; n++) {
      const context = { groupId: "acme" };
      client.track({ userId: "u1", event: "Report Exported", properties: { n }, timestamp: at(n), context });
    }
    await client.flush();

    expect(failures).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(BURST / (LIMIT / 2));
    expect(statuses).toContain(429);
    const events = await new Reader(worker, workspace).events(30);
    const stored = events.map(({ properties, occurredAt }) => ({ n: Number(properties["n"]), occurredAt }));
    expect(stored.toSorted((a, b) => a.n - b.n)).toEqual(
      Array.from({ length: BURST }, (_, n) => ({ n, occurredAt: at(n).toISOString() })),
    );
    expect(await storedMessages(worker, workspace)).toBe(BURST);
  },
  BURST_TIMEOUT_MS,
);
