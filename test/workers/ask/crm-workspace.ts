/** A workspace that a CRM tells what accounts pay, and an app who used it. */
import { expect, vi } from "vitest";

import { admin, newWorkspace } from "../support/workspace.ts";
import { DAY_MS, foldAll, NOW } from "./told-workspace.ts";

export const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

/** Sets attributes of an account some days ago. */
export const group = (groupId: string, days: number, traits: Record<string, unknown>) => ({
  type: "group",
  groupId,
  timestamp: daysAgo(days),
  traits,
});

export const seen = (userId: string, days: number) => ({
  type: "track",
  userId,
  event: "Seen",
  timestamp: daysAgo(days),
});

export const join = (groupId: string, users: readonly string[]) =>
  users.map((userId) => ({ ...group(groupId, 60, {}), userId }));

type Body = Record<string, unknown>;

export interface CrmWorkspace {
  query: (asked: object) => Promise<Body>;
  ask: (question: string) => Promise<Body>;
  /** Changes settings. @returns the workspace */
  patch: (change: object) => Promise<unknown>;
}

/** Creates a workspace with these messages, folded. The time stays `NOW` for the file's tests. */
export async function newCrmWorkspace(batch: readonly object[]): Promise<CrmWorkspace> {
  vi.setSystemTime(NOW);
  const workspace = await newWorkspace({ writeLimit: 100_000 });
  expect(await workspace.post("/api/v1/cdp", { batch })).toMatchObject({ status: 200, body: { rejected: [] } });
  await foldAll(NOW);

  const answerTo = async (path: string, asked: object) => {
    const { status, body } = await workspace.postJson(path, asked);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  return {
    query: (asked) => answerTo("/api/v1/query", asked),
    ask: (question) => answerTo("/api/v1/ask", { question }),
    patch: async (change) => {
      const { status, body } = await admin("PATCH", `/workspaces/${workspace.id}`, change);
      expect([status, body.error]).toEqual([200, undefined]);
      return body["workspace"];
    },
  };
}
