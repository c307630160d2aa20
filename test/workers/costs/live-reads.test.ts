/** The cost of the live view. */
import { describe, expect, it } from "vitest";

import { newestArrivals } from "../../../src/db/events/live-messages.ts";
import { fullScans } from "./full-scans.ts";
import { messages, newMeter } from "./meter.ts";

describe("the newest arrivals", () => {
  it("cost one round trip, no scan and the same rows, however many are stored", async () => {
    const { workspace, env: metered, post, take } = await newMeter();
    const ref = await workspace.ref();
    const LIMIT = 20;
    const look = async () => {
      take();
      const arrivals = await newestArrivals(metered, ref, LIMIT);
      return { ...arrivals, cost: take() };
    };
    const more = () =>
      post("/api/v1/cdp", [
        ...messages(300, "track", (place) => ({ userId: `u${place}` })),
        ...messages(100, "track", () => ({ event: "" })),
      ]);
    await more();
    const early = await look();
    expect([early.messages.length, early.rejections.length]).toEqual([LIMIT, LIMIT]);
    expect(early.cost.trips).toBe(1);
    // A message, its account and its user; a reject. And the number of stored messages.
    expect(early.cost.read).toBeLessThanOrEqual(LIMIT * 4 + 1);
    await more();
    const late = await look();
    expect(late.cost.read).toBe(early.cost.read);
    for (const { sql, values } of late.cost.statements) expect(await fullScans(sql, values), sql).toEqual([]);
  });
});
