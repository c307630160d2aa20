/** Creates a stream of messages, and checks that the service has stored each of them once. */
import { expect } from "vitest";

import type { AdminClient, Workspace } from "../../harness/admin-client.ts";
import type { Group, Identify, Track } from "./sender.ts";
import { Reader, storedMessages } from "./stored.ts";

const DAY_MS = 86_400_000;
const CORRECTED_FROM_MS = 5_000;

export interface Stream {
  /** Must arrive first: they decide the accounts of tracks that name none. */
  groups: Group[];
  identifies: Identify[];
  tracks: { sent: Track; account: string; name: string }[];
}

/** Event names as senders write them, and as the service stores them. */
const EVENTS = [
  { event: "Report Exported", name: "report.exported" },
  { event: "seatAdded", name: "seat.added" },
  { event: "invoice-paid", name: "invoice.paid" },
  { event: "api.key.made", name: "api.key.made" },
] as const;

export function streamOf(users: number, tracks: number): Stream {
  const userId = (n: number): string => `u${n % users}`;
  const company = (n: number): string => `company-${(n % users) % 3}`;
  const at = (daysAgo: number, n: number): Date => new Date(now - daysAgo * DAY_MS + n);
  const now = Date.now();

  /** Names the account in turn in Segment's context, in the properties, and through the user's group. */
  const track = (n: number): Stream["tracks"][number] => {
    const { event, name } = EVENTS[n % EVENTS.length] ?? EVENTS[0];
    const sent = { userId: userId(n), event, properties: { n }, timestamp: at(2, n * 1_001) };
    const account = `partner-${n % 5}`;
    if (n % 3 === 0) return { sent: { ...sent, context: { groupId: account } }, account, name };
    if (n % 3 === 1) return { sent: { ...sent, properties: { n, accountId: account } }, account, name };
    return { sent, account: company(n), name };
  };
  const each = Array.from({ length: users }, (_, n) => ({ userId: userId(n), timestamp: at(3, n) }));
  return {
    groups: each.map((one, n) => ({ ...one, groupId: company(n), traits: { plan: "pro" } })),
    identifies: each.map((one, n) => ({ ...one, traits: { role: `role-${n}`, email: `u${n}@example.com` } })),
    tracks: Array.from({ length: tracks }, (_, n) => track(n)),
  };
}

/** Expects every message once, with its account, user, name and time. */
export async function expectStored(
  service: AdminClient,
  workspace: Workspace,
  { groups, identifies, tracks }: Stream,
): Promise<void> {
  const reader = new Reader(service, workspace);
  const events = await reader.events(77);
  const seen = events.map(({ name, account, user, properties, occurredAt }) => ({
    n: properties["n"],
    name,
    account: account?.externalId,
    user: user?.externalId,
    occurredAt: uncorrected(occurredAt, tracks[Number(properties["n"])]?.sent.timestamp),
  }));
  expect(seen.toSorted((a, b) => Number(a.n) - Number(b.n))).toEqual(
    tracks.map(({ sent, account, name }, n) => {
      return { n, name, account, user: sent.userId, occurredAt: sent.timestamp.toISOString() };
    }),
  );
  expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(tracks.length);

  for (const { userId, groupId, timestamp } of groups) {
    const account = expect.objectContaining({ externalId: groupId, kind: "company" });
    const memberships = [{ account, groupedAt: timestamp.toISOString() }];
    expect(await reader.user(userId)).toEqual({ account, memberships, traits: { role: `role-${userId.slice(1)}` } });
  }
  expect(await storedMessages(service, workspace)).toBe(tracks.length + groups.length + identifies.length);
}

/** A message that was in transit for 5 s or longer, as on a busy machine, is stored as if the sender's clock were slow. */
function uncorrected(occurredAt: string, sent: Date | undefined): string {
  const isCorrected = sent !== undefined && Date.parse(occurredAt) - sent.getTime() >= CORRECTED_FROM_MS;
  return isCorrected ? sent.toISOString() : occurredAt;
}
