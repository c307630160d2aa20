/** 90 days of a workspace with almost every kind of outcome. */
import { DAY_MS } from "../../../src/core/durations.ts";
import type { AccountAttributes, Message } from "../../../src/core/ingest/message.ts";
import { attributes, DAY, event } from "./runs.ts";

export const DAYS = 90;
/** A Monday. */
export const FIRST_DAY = DAY - 91;
/** The first and last day of an outage of the sender. */
const OUTAGE = [42, 48] as const;

/** What happens to an account. Days count from 0. */
interface Story {
  /** The active users of a day. */
  users: (day: number) => readonly string[];
  /** The features they use. */
  features?: (day: number) => readonly string[];
  /** Attribute changes, by day. */
  attributes?: Record<number, AccountAttributes>;
}

const FEATURES = ["report.exported", "board.shared", "login", "comment.added"];

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${prefix}${place}`);
const isWorkday = (day: number): boolean => day % 7 < 5;
const timeOn = (day: number): string => new Date((FIRST_DAY + day) * DAY_MS + 12 * 3_600_000).toISOString();

const COMPANIES: Record<string, Story> = {
  ...Object.fromEntries(
    names("steady", 10).map((name, place): [string, Story] => [
      name,
      {
        users: (day) => names(name, 3 + ((day + place) % 2)),
        attributes: { 0: { stage: "active", seats: 6, mrr: 100 * (place + 1), currency: place < 8 ? "USD" : "EUR" } },
      },
    ]),
  ),
  cliff: {
    users: (day) => names("cliff", day < 70 ? 6 : 1),
    attributes: { 0: { seats: 10, mrr: 900, currency: "USD" } },
  },
  silent: { users: (day) => (day < 60 ? names("silent", 4) : []) },
  declining: { users: (day) => names("declining", Math.max(1, 7 - Math.floor(day / 11))) },
  growing: { users: (day) => names("growing", day < 58 ? 2 : 6) },
  carried: {
    users: (day) => [
      ...(day < 60 ? ["champion"] : []),
      ...(day % 7 < 2 ? names("carried", 2) : ["carried2"]).slice(0, 1),
    ],
  },
  full: { users: () => names("full", 4), attributes: { 0: { seats: 4 }, 66: { seats: 4, plan: "pro" } } },
  dropping: {
    users: () => names("dropping", 4),
    features: (day) => (day < 55 ? FEATURES : FEATURES.filter((feature) => feature !== "board.shared")),
  },
  shrinking: {
    users: () => names("shrinking", 3),
    attributes: {
      0: { seats: 20, mrr: 1_000, currency: "EUR", contractEndsAt: timeOn(110) },
      65: { mrr: 500 },
      70: { seats: 3 },
    },
  },
  converting: {
    users: (day) => (day < 30 ? [] : names("converting", 4)),
    attributes: { 30: { stage: "trial", trialEndsAt: timeOn(62), seats: 5 }, 59: { stage: "paid", trialEndsAt: null } },
  },
  dying: {
    users: (day) => (day === 50 || day === 52 || day === 53 ? ["dying0"] : []),
    attributes: { 49: { stage: "trialing", trialEndsAt: timeOn(72), seats: 5 } },
  },
  ending: {
    users: (day) => (day >= 60 && day < 80 ? names("ending", 2) : []),
    attributes: { 60: { stage: "trial", trialEndsAt: timeOn(93) } },
  },
  idle: { users: (day) => (day === 71 ? ["idle0"] : []) },
  leaving: {
    users: (day) => (day < 75 ? names("leaving", 3) : []),
    attributes: { 0: { mrr: 50, currency: "USD" }, 70: { stage: "cancelled" } },
  },
  returning: {
    users: (day) => (day >= 20 && day < 62 ? [] : names("returning", 3)),
    attributes: { 30: { stage: "churned" }, 62: { stage: "active" } },
  },
  unused: { users: () => [], attributes: { 10: { stage: "active", seats: 5 }, 40: { seats: 9 } } },
  newborn: { users: (day) => (day >= 88 ? names("newborn", 2) : []) },
};

/** Users without a company: one pays, one does not, and one joins a company. */
const ALONE: Record<string, { days: (day: number) => boolean; pays?: boolean }> = {
  payer: { days: (day) => day < 55, pays: true },
  reader: { days: (day) => day < 60 },
  mover: { days: (day) => day < 40 },
};

/** Makes the messages of a day, in order. */
export function messagesOf(day: number): Message[] {
  const start = (FIRST_DAY + day) * DAY_MS;
  const made: Message[] = [];
  /** Each message has its own time. */
  const next = () => start + 8 * 3_600_000 + made.length * 1_000;
  for (const [accountId, story] of Object.entries(COMPANIES)) {
    const changes = story.attributes?.[day];
    if (changes !== undefined) made.push(attributes({ accountId, attributes: changes, occurredAt: next() }));
    if (!isWorkday(day)) continue;
    const features = story.features?.(day) ?? FEATURES;
    for (const [place, userId] of story.users(day).entries()) {
      const feature = features[(day + place) % features.length] ?? "login";
      made.push(event({ accountId, userId, event: feature, occurredAt: next() }));
    }
  }
  if (isWorkday(day)) made.push(event({ accountId: "anonymous", userId: null, occurredAt: next() }));
  for (const [userId, { days, pays }] of Object.entries(ALONE)) {
    if (day === 0 && pays === true) {
      const changes = { mrr: 20, currency: "USD" };
      made.push(
        event({ type: "identify", userId, accountId: null, event: null, attributes: changes, occurredAt: next() }),
      );
    }
    if (days(day) && isWorkday(day)) made.push(event({ userId, accountId: null, occurredAt: next() }));
  }
  if (day === 40)
    made.push(event({ type: "group", userId: "mover", accountId: "steady0", event: null, occurredAt: next() }));
  const [first, last] = OUTAGE;
  return day >= first && day <= last ? [] : made;
}
