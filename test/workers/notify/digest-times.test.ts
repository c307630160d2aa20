/** docs/notifications.md ("Digests"): when digests are sent, and which days they contain. */
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";

import type { DigestTimes } from "../../../src/core/notify/model.ts";
import { queueDigests } from "../../../src/services/notify/digest.ts";
import { outboxOf } from "../support/destinations.ts";
import { DAY_MS, setRuns } from "../support/outcomes.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

interface Clock {
  timezone?: string;
  createdAt: string;
  days: number;
  /** How many hours after midnight UTC the recompute completes, by the number of the night from 1. */
  lateHours?: (night: number) => number;
}

/**
 * Creates a destination and sweeps each hour.
 * @returns when digests were queued, with their first and last days
 */
async function digestsOf(
  digest: DigestTimes,
  { timezone = "UTC", createdAt, days, lateHours = () => 0 }: Clock,
): Promise<string[]> {
  const first = Date.parse(createdAt);
  vi.setSystemTime(first);
  const workspace = await newWorkspace();
  await admin("PATCH", `/workspaces/${workspace.id}`, { timezone });
  await setRuns({ asOf: first - HOUR_MS });
  const destination = { kind: "webhook", url: "https://hooks.example.com/behavior", events: ["digest"], digest };
  expect((await workspace.postJson("/api/v1/destinations", destination)).status).toBe(201);
  for (let now = first; now <= first + days * DAY_MS; now += HOUR_MS) {
    const night = Math.floor(now / DAY_MS) - Math.floor(first / DAY_MS);
    if (now % DAY_MS === lateHours(night) * HOUR_MS) await setRuns({ asOf: now });
    await queueDigests(env, "DB", now);
  }
  return (await outboxOf(await workspace.ref())).map(
    ({ createdAt: at, change, day }) =>
      `${new Date(at).toISOString().slice(0, 16)}: ${dateOf(Number(change))} to ${dateOf(day)}`,
  );
}

const DAILY: DigestTimes = { every: "day", at: "09:00" };

it("sends daily digests at their time, also after the destination was created just before it", async () => {
  expect(await digestsOf(DAILY, { createdAt: "2030-01-07T08:00:00Z", days: 3.5 })).toEqual([
    "2030-01-08T09:00: 2030-01-07 to 2030-01-07",
    "2030-01-09T09:00: 2030-01-08 to 2030-01-08",
    "2030-01-10T09:00: 2030-01-09 to 2030-01-09",
  ]);
});

it("sends weekly digests on their weekday, also after the destination was created just before it", async () => {
  const weekly: DigestTimes = { every: "week", at: "09:00", weekday: "monday" };
  expect(await digestsOf(weekly, { createdAt: "2030-01-07T08:00:00Z", days: 15 })).toEqual([
    "2030-01-14T09:00: 2030-01-07 to 2030-01-13",
    "2030-01-21T09:00: 2030-01-14 to 2030-01-20",
  ]);
});

it.each([
  [0, "00:00"],
  [2, "02:00"],
])(
  "sends digests of Tokyo's 09:00 with the day that ended then, once it is scored %i hours later",
  async (lateHours, time) => {
    const options = {
      timezone: "Asia/Tokyo",
      createdAt: "2030-01-06T23:00:00Z",
      days: 2.5,
      lateHours: () => lateHours,
    };
    expect(await digestsOf(DAILY, options)).toEqual([
      `2030-01-07T${time}: 2030-01-06 to 2030-01-06`,
      `2030-01-08T${time}: 2030-01-07 to 2030-01-07`,
      `2030-01-09T${time}: 2030-01-08 to 2030-01-08`,
    ]);
  },
);

it("sends the next digest at its time after one that waited for the recompute", async () => {
  expect(
    await digestsOf(DAILY, {
      createdAt: "2030-01-07T10:00:00Z",
      days: 2.5,
      lateHours: (night) => (night === 1 ? 11 : 0),
    }),
  ).toEqual(["2030-01-08T11:00: 2030-01-07 to 2030-01-07", "2030-01-09T09:00: 2030-01-08 to 2030-01-08"]);
});
