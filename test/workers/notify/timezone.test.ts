/** §9: a workspace's time zone, and the times of its digests. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { DigestTimes } from "../../../src/core/notify/model.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { rescheduleDigests } from "../../../src/db/destinations/digest-schedule.ts";
import { addDestination } from "../support/destinations.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { setState } from "../support/half-changed.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

/** A Monday. */
const NOW = Date.parse("2030-01-07T12:00:00Z");
beforeEach(() => {
  vi.setSystemTime(NOW);
});
afterEach(() => {
  vi.useRealTimers();
});

const AT_NINE: DigestTimes = { every: "day", at: "09:00" };

const addDigest = (workspace: WorkspaceRef, dueAt: string | null, digest: DigestTimes | null = AT_NINE) =>
  addDestination(workspace, { digest, digestDueAt: dueAt === null ? null : Date.parse(dueAt), digestThrough: 1 });

async function dueTimes({ number }: WorkspaceRef): Promise<(string | null)[]> {
  const { results } = await env.DB.prepare(
    "SELECT digest_due_at AS due FROM destinations WHERE workspace = ? ORDER BY number",
  )
    .bind(number)
    .all<{ due: number | null }>();
  return results.map(({ due }) => (due === null ? null : new Date(due).toISOString()));
}

describe("§9 the time zone of a workspace", () => {
  it("§9 is UTC until it is changed, and is in every response", async () => {
    const { id } = await newWorkspace();
    expect((await admin("GET", `/workspaces/${id}`)).body.workspace).toMatchObject({ timezone: "UTC" });
    const changed = await admin("PATCH", `/workspaces/${id}`, { timezone: "America/Los_Angeles" });
    expect(changed).toMatchObject({ status: 200, body: { workspace: { timezone: "America/Los_Angeles" } } });
    expect((await admin("PATCH", `/workspaces/${id}`, { name: "New" })).body.workspace).toMatchObject({
      timezone: "America/Los_Angeles",
    });
  });

  it.each(["", "Berlin", "+01:00", "09:00", "UTC+1", "Mars/Olympus", 7, null])(
    "§9 refuses %j, and names the field",
    async (timezone) => {
      const { id } = await newWorkspace();
      expect(await admin("PATCH", `/workspaces/${id}`, { timezone })).toMatchObject({
        status: 400,
        body: { error: { issues: [{ path: "timezone" }] } },
      });
      expect((await admin("GET", `/workspaces/${id}`)).body.workspace).toMatchObject({ timezone: "UTC" });
    },
  );

  it("§9 moves the next digest of each destination, but none that is due", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    const other = await (await newWorkspace()).ref();
    await addDigest(other, "2030-01-08T09:00:00Z");
    await addDigest(ref, "2030-01-08T09:00:00Z");
    await addDigest(ref, "2030-01-14T09:00:00Z", { every: "week", at: "09:00", weekday: "monday" });
    await addDigest(ref, "2030-01-07T09:00:00Z");
    await addDigest(ref, null, null);
    await admin("PATCH", `/workspaces/${workspace.id}`, { timezone: "America/Los_Angeles" });
    expect(await dueTimes(ref)).toEqual([
      "2030-01-07T17:00:00.000Z",
      "2030-01-07T17:00:00.000Z",
      "2030-01-07T09:00:00.000Z",
      null,
    ]);
    expect(await dueTimes(other)).toEqual(["2030-01-08T09:00:00.000Z"]);
    await admin("PATCH", `/workspaces/${workspace.id}`, { timezone: "Asia/Kathmandu" });
    expect((await dueTimes(ref)).slice(0, 2)).toEqual(["2030-01-08T03:15:00.000Z", "2030-01-14T03:15:00.000Z"]);
  });

  it("§9 leaves a digest whose time was changed meanwhile", async () => {
    const ref = await (await newWorkspace()).ref();
    await addDigest(ref, "2030-01-08T09:00:00Z");
    const { DB } = databaseWith(async (step, trip) => {
      if (trip === 2)
        await env.DB.prepare("UPDATE destinations SET digest_due_at = ?")
          .bind(NOW + 5)
          .run();
      return step();
    });
    await rescheduleDigests(envWith({ DB }), ref, "Asia/Tokyo", NOW);
    expect(await dueTimes(ref)).toEqual([new Date(NOW + 5).toISOString()]);
  });

  it("§9 can be set again after the workspace's database refused it", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    await addDigest(ref, "2030-01-08T09:00:00Z");
    await setState(ref, "moving");
    const change = () => admin("PATCH", `/workspaces/${workspace.id}`, { timezone: "Asia/Tokyo" });
    expect((await change()).status).toBe(503);
    await setState(ref, "live");
    expect((await change()).status).toBe(200);
    expect(await dueTimes(ref)).toEqual(["2030-01-08T00:00:00.000Z"]);
  });
});
