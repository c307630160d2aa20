/**
 * What comes beside the story, so that there is something to see of it: captures of today, messages that are rejected,
 * names, and items that somebody has put aside.
 */
import { DAY_MS } from "../../src/core/durations.ts";
import type { Company, Story } from "./model.ts";

const MINUTE_MS = 60_000;

const CAPTURING = new Set(["northwind-freight", "stationhouse-news", "pixelforge", "<b>Bobby & Sons</b>"]);
const CAPTURED = ["report.viewed", "report.exported", "comment.added"];

export interface CapturedEvent {
  idempotencyKey: string;
  body: object;
}

/** Native captures of the last minutes. Their keys are the same all day long, so that only the first run stores them. */
export function capturesOf(stories: readonly Story[], date: string, now: number): CapturedEvent[] {
  const users = stories.flatMap(({ company, plan }) => (CAPTURING.has(company.id) ? plan.users.slice(0, 3) : []));
  return users.map(({ id: userId }, place) => ({
    idempotencyKey: `demo-${date}-${userId}`,
    body: {
      accountId: stories.find(({ people }) => people.has(userId))?.company.id,
      userId,
      event: CAPTURED[place % CAPTURED.length],
      properties: { via: "server" },
      timestamp: new Date(now - (users.length - place) * MINUTE_MS).toISOString(),
    },
  }));
}

const TOO_LARGE_CHARS = 17_000;

/** What senders get wrong: each is rejected for another reason, but for the last, which is stored without the address. */
export function mistakes(date: string): object[] {
  const id = (what: string): string => `demo-${date}-${what}`;
  const context = { groupId: "northwind-freight" };
  return [
    { type: "track", messageId: id("no-event"), userId: "maria.lopez", context, properties: { area: "Revenue" } },
    { type: "track", messageId: id("odd-time"), userId: "maria.lopez", event: "Report Viewed", timestamp: "yesterday" },
    { type: "track", messageId: id("odd-user"), userId: { id: 7 }, event: "Report Viewed", context },
    { type: "group", messageId: id("no-group"), userId: "maria.lopez", traits: { plan: "Enterprise" } },
    { type: "track", messageId: id("nobody"), event: "Report Viewed" },
    { type: "page", messageId: id("page"), userId: "maria.lopez", properties: { path: "/reports" } },
    {
      type: "track",
      messageId: id("too-large"),
      userId: "maria.lopez",
      event: "Report Exported",
      context,
      properties: { rows: "x".repeat(TOO_LARGE_CHARS) },
    },
    {
      type: "track",
      messageId: id("address"),
      userId: "maria.lopez",
      event: "Report Shared",
      context,
      properties: { area: "Costs", with: "jo@example.com" },
    },
  ];
}

/** What the identity operation is told: the companies that have a name, and the people that `users` gives. */
export const identitiesOf = (
  companies: readonly Company[],
  users: readonly { id: string; name: string }[],
): object[] => [
  ...companies.flatMap(({ id, name }) => (name === undefined ? [] : [{ accountId: id, traits: { company: name } }])),
  ...users.map(({ id, name }) => ({ userId: id, traits: { name, email: `${id}@example.com` } })),
];

export interface Mark {
  account: string;
  kind: string;
  path: "dismiss" | "snooze";
  body?: object;
}

/** What somebody has dealt with: one account closes for the season, another will talk about seats in a week. */
export const marksOf = (now: number): Mark[] => [
  { account: "gable-architects", kind: "gone_silent", path: "dismiss" },
  {
    account: "quillworks",
    kind: "seats_nearly_full",
    path: "snooze",
    body: { until: new Date(now + 7 * DAY_MS).toISOString() },
  },
];
