/** Workspaces with old messages, and what is left of them in the database and in files. */
import { env, exports } from "cloudflare:workers";
import { expect, vi } from "vitest";
import * as z from "zod";

import { DAY_MS } from "../../../src/core/durations.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { track } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

export const TODAY = Math.floor(Date.now() / DAY_MS);
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Folds everything. */
export const fold = () => recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });

/** Lists the messages in the database. */
export async function hot(workspace: TestWorkspace): Promise<string[]> {
  const { number } = await workspace.ref();
  const { results } = await env.DB.prepare("SELECT message_id FROM messages WHERE workspace = ? ORDER BY seq")
    .bind(number)
    .all<{ message_id: string }>();
  return results.map(({ message_id: id }) => id);
}

/** Reads the export of some days. */
export async function exported(
  workspace: TestWorkspace,
  from = TODAY - 500,
  to = TODAY,
): Promise<Record<string, unknown>[]> {
  const { text, status, headers } = await workspace.get(`/api/v1/export?from=${dateOf(from)}&to=${dateOf(to)}`);
  expect([status, headers.get("Content-Type")]).toEqual([200, "application/x-ndjson"]);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const Files = z.array(
  z.object({ name: z.string(), day: z.string(), messages: z.number(), bytes: z.number(), sha256: z.string() }),
);

export const listFiles = async (workspace: TestWorkspace) => {
  const { body } = await workspace.get(`/api/v1/archive?from=${dateOf(TODAY - 500)}&to=${dateOf(TODAY)}`);
  return Files.parse(body["files"]);
};

/** Makes a workspace with four folded messages, received 40, 40, 39 and 0 days ago. */
export async function oldWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  const sent = [
    track({ messageId: "a", userId: "u1", properties: { path: "/a", deep: { __proto__x: [1, null] } } }),
    track({ messageId: "b", userId: "u2", properties: { accountId: "acme" } }),
    { type: "group", messageId: "c", userId: "u1", groupId: "acme", traits: { plan: "pro" } },
  ];
  for (const [place, ago] of [40, 40, 39].entries()) {
    vi.setSystemTime((TODAY - ago) * DAY_MS + 1_000 + place);
    await workspace.post("/api/v1/cdp", sent[place]);
  }
  vi.useRealTimers();
  await workspace.post("/api/v1/cdp", track({ messageId: "d", userId: "u1" }));
  await fold();
  return workspace;
}

/** The file with messages `a` and `b` of an archived `oldWorkspace`. */
export const oldestKey = ({ id }: TestWorkspace) => `v1/${id}/received_date=${dateOf(TODAY - 40)}/1-2.parquet`;

/** Downloads bytes. */
export async function fetchBytes(workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`https://ingest.test${path}`, {
    headers: { Authorization: `Bearer ${workspace.key}`, ...headers },
  });
  return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() };
}

export async function erase(workspace: TestWorkspace, userId: string): Promise<void> {
  expect((await workspace.postJson("/api/v1/users/erase", { userId })).status).toBe(200);
}
