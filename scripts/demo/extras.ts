/** Adds to the messages of the story: captures of today, rejected messages, names, and handled inbox items. */
import { DAY_MS } from "../../src/core/durations.ts";
import type { components } from "../../clients/typescript/src/client.ts";
import type { FatedCompany } from "../../evals/demo-world/companies.ts";
import type { Story } from "../../evals/demo-world/story.ts";

const MINUTE_MS = 60_000;

const CAPTURING = new Set(["northwind-freight", "stationhouse-news", "pixelforge", "<b>Bobby & Sons</b>"]);
const CAPTURED = ["report.viewed", "report.exported", "comment.added"];

export interface CapturedEvent {
  idempotencyKey: string;
  body: components["schemas"]["CaptureRequest"];
}

/** Builds native captures of the last minutes. Their keys stay the same all day, so only the first run stores them. */
export function capturesOf(stories: readonly Story[], date: string, now: number): CapturedEvent[] {
  const users = stories
    .filter(({ company }) => CAPTURING.has(company.id))
    .flatMap(({ company, plan }) => plan.users.slice(0, 3).map(({ id }) => ({ accountId: company.id, userId: id })));
  return users.map(({ accountId, userId }, index) => ({
    idempotencyKey: `demo-${date}-${userId}`,
    body: {
      accountId,
      userId,
      event: CAPTURED[index % CAPTURED.length] ?? "",
      properties: { via: "server" },
      timestamp: new Date(now - (users.length - index) * MINUTE_MS).toISOString(),
    },
  }));
}

const TOO_LARGE_CHARS = 17_000;

/** Builds messages with typical mistakes. Each is rejected for another reason; the last is stored without its address. */
export function mistakes(date: string): object[] {
  const id = (name: string): string => `demo-${date}-${name}`;
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

export type Identity = components["schemas"]["IdentityRequest"];

/** Builds requests to the identity operation: the names of companies, and of the given users. */
export const identitiesOf = (
  companies: readonly FatedCompany[],
  users: readonly { id: string; name: string }[],
): Identity[] => [
  ...companies.flatMap(({ id, name }) => (name === undefined ? [] : [{ accountId: id, traits: { company: name } }])),
  ...users.map(({ id, name }) => ({ userId: id, traits: { name, email: `${id}@example.com` } })),
];

export interface Mark {
  account: string;
  kind: string;
  /** When a snooze ends; null dismisses the item. */
  until: string | null;
}

/** Picks inbox items that somebody has handled: one account closes for the season, another talks about seats next week. */
export const marksOf = (now: number): Mark[] => [
  { account: "gable-architects", kind: "gone_silent", until: null },
  { account: "quillworks", kind: "seats_nearly_full", until: new Date(now + 7 * DAY_MS).toISOString() },
];
