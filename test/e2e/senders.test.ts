/** Sends with the client libraries that people already use: only the host and the key differ from their defaults. */
import { describe, expect, it } from "vitest";

import { sharedWorker } from "../harness/shared-worker.ts";
import { analyticsNode, rudder } from "./senders/legacy.ts";
import { segment2, segment3 } from "./senders/segment.ts";
import type { Group, Identify, Track } from "./senders/sender.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const SENDERS = [
  { library: "@segment/analytics-node 3.1.0", open: segment3, flushAt: 15 },
  { library: "@segment/analytics-node 2.3.0", open: segment2, flushAt: 10 },
  { library: "analytics-node 6.2.0", open: analyticsNode, flushAt: 7 },
  { library: "@rudderstack/rudder-sdk-node 3.0.13, gzipped", open: rudder, flushAt: 5 },
];

const USERS = 12;
const TRACKS = 240;
const PAGES = 2;
const DAY_MS = 86_400_000;

const userId = (n: number): string => `u${n % USERS}`;
const company = (n: number): string => `company-${n % 3}`;
const daysAgo = (days: number): number => Date.now() - days * DAY_MS;

/** Event names as senders write them, and as the service stores them. */
const EVENTS = [
  { event: "Report Exported", name: "report.exported" },
  { event: "seatAdded", name: "seat.added" },
  { event: "invoice-paid", name: "invoice.paid" },
  { event: "api.key.made", name: "api.key.made" },
] as const;

/** Names the account in turn in Segment's context, in the properties, and through the user's group. */
function track(n: number, start: number): { sent: Track; account: string; name: string } {
  const { event, name } = EVENTS[n % EVENTS.length] ?? EVENTS[0];
  const sent = { userId: userId(n), event, properties: { n }, timestamp: new Date(start + n * 1_001) };
  const account = `partner-${n % 5}`;
  if (n % 3 === 0) return { sent: { ...sent, context: { groupId: account } }, account, name };
  if (n % 3 === 1) return { sent: { ...sent, properties: { n, accountId: account } }, account, name };
  return { sent, account: company(n % USERS), name };
}

describe.each(SENDERS)("$library", ({ open, flushAt }) => {
  it("delivers every message once, with its account, user, name and time", async () => {
    const service = sharedWorker();
    const workspace = await service.createWorkspace({ writeLimit: 10_000 });
    const sender = open({ url: service.url, writeKey: workspace.key, flushAt });
    const start = daysAgo(2);

    const groups = Array.from({ length: USERS }, (_, n): Group => {
      const timestamp = new Date(daysAgo(3) + n);
      return { userId: userId(n), groupId: company(n), traits: { plan: "pro" }, timestamp };
    });
    const identifies = Array.from({ length: USERS }, (_, n): Identify => {
      const traits = { role: `role-${n}`, email: `u${n}@example.com` };
      return { userId: userId(n), traits, timestamp: new Date(daysAgo(3) + n) };
    });
    const tracks = Array.from({ length: TRACKS }, (_, n) => track(n, start));

    for (const group of groups) sender.group(group);
    for (const identify of identifies) sender.identify(identify);
    sender.page({ userId: userId(0), timestamp: new Date() });
    await sender.flush();
    for (const { sent } of tracks) sender.track(sent);
    sender.page({ userId: userId(1), timestamp: new Date() });
    await sender.flush();

    const reader = new Reader(service, workspace);
    const events = await reader.events(77);
    const seen = events.map(({ name, account, user, properties, occurredAt }) => ({
      n: properties["n"],
      name,
      account: account?.externalId,
      user: user?.externalId,
      occurredAt,
    }));
    expect(seen.toSorted((a, b) => Number(a.n) - Number(b.n))).toEqual(
      tracks.map(({ sent, account, name }, n) => {
        return { n, name, account, user: sent.userId, occurredAt: sent.timestamp.toISOString() };
      }),
    );
    expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(TRACKS);

    for (const { userId: member, groupId, timestamp } of groups) {
      const account = expect.objectContaining({ externalId: groupId, kind: "company" });
      const memberships = [{ account, groupedAt: timestamp.toISOString() }];
      const traits = { role: `role-${member.slice(1)}` };
      expect(await reader.user(member)).toEqual({ account, memberships, traits });
    }
    expect(await storedMessages(service, workspace)).toBe(TRACKS + groups.length + identifies.length);
    expect(await reader.rejected()).toEqual({ unsupported_type: PAGES });
  });
});
