/** A workspace that a test fills with its own events, so that the test knows the right answers. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { batchOf } from "../db/message-arbitraries.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

export const DAY_MS = 86_400_000;
/** The day on which tests ask: a Wednesday. */
export const TODAY = Date.UTC(2026, 10, 18) / DAY_MS;
export const NOW = TODAY * DAY_MS + 12 * 3_600_000;

/** An event. Without an account, it belongs to the user's account. */
export interface Told {
  account: string | null;
  user: string | null;
  event: string;
  day: number;
}

let made = 0;

export const messageOf = (fields: Partial<Message>): Message => ({
  index: 0,
  type: "track",
  messageId: `told-${++made}`,
  userId: null,
  accountId: null,
  event: null,
  properties: null,
  traits: null,
  accountTraits: null,
  attributes: null,
  occurredAt: NOW,
  mapping: {},
  ...fields,
});

export const trackOf = ({ account, user, event, day }: Told, minute = 0): Message =>
  messageOf({ accountId: account, userId: user, event, occurredAt: day * DAY_MS + minute * 60_000 });

export interface ToldWorkspace extends TestWorkspace {
  workspace: WorkspaceRef;
  tell: (messages: readonly Message[]) => Promise<void>;
  tellEvents: (events: readonly Told[]) => Promise<void>;
  /** Runs the recompute as of the given time. */
  fold: (now?: number) => Promise<void>;
}

export async function newToldWorkspace(): Promise<ToldWorkspace> {
  const own = await newWorkspace({ writeLimit: 100_000 });
  const workspace = await own.ref();
  const tell = async (messages: readonly Message[]) => {
    if (messages.length === 0) return;
    const stored = await storeBatch(env, workspace, "key_1", batchOf(messages));
    expect(stored).toMatchObject({ outcome: "stored", stored: messages.length });
  };
  return {
    ...own,
    workspace,
    tell,
    tellEvents: (events) => tell(events.map((event, place) => trackOf(event, place % 1_440))),
    fold: (now = NOW) => foldAll(now),
  };
}

export async function foldAll(now: number): Promise<void> {
  const { outcome } = await recompute(env, {
    now,
    trigger: "admin",
    clock: () => now,
    budgetMs: 60_000,
    stepSizes: { messages: 7, summarized: 3, rollups: 5, compared: 3, scored: 3 },
  });
  expect(outcome).toBe("done");
}
