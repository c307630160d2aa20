/** What senders of messages post: the recorded client libraries, a CDP's webhook, and native captures. */
import type { Chance } from "../chance.ts";
import type { Seed } from "../request.ts";
import { RECORDED } from "./recorded.ts";
import { WRITE_KEY } from "./write-key.ts";

const RECORDED_BASIC = `Basic ${btoa(`${WRITE_KEY}:`)}`;
const HOUR_MS = 3_600_000;
/** Times are fixed, so that a case is the same whenever it is played. */
const NOON_MS = Date.UTC(2026, 10, 20, 12);

const TYPE_PATHS = [
  "/v1/track",
  "/v1/t",
  "/v1/identify",
  "/v1/i",
  "/v1/group",
  "/v1/g",
  "/v1/page",
  "/v1/p",
  "/v1/screen",
  "/v1/s",
  "/v1/alias",
  "/v1/a",
];
const BATCH_PATHS = ["/api/v1/cdp", "/api/cdp", "/v1/batch", "/v1/b"];
const EVENTS = ["Report Exported", "seatAdded", "invoice-paid", "api.key.made", "login"];
const NATIVE_EVENTS = ["report.exported", "seat.added", "invoice.paid", "login"];

export const user = (chance: Chance): string => `u${chance.below(40)}`;
export const account = (chance: Chance): string => `company-${chance.below(12)}`;
const id = (chance: Chance): string => `fuzz-${chance.letters(20)}`;
const hoursAgo = (hours: number): string => new Date(NOON_MS - hours * HOUR_MS).toISOString();

/** A request of a client library as it was recorded, with this key and message ids of its own. */
export function librarySeed(chance: Chance, key: string): Seed {
  const { method, target, headers, gzipped, body } = chance.pick(RECORDED);
  const json = JSON.stringify(body, (name, value: unknown) =>
    name === "messageId" && chance.happens(90) ? id(chance) : value,
  );
  return {
    method,
    target,
    headers: headers.map(([name, value]) => [name, value === RECORDED_BASIC ? `Basic ${btoa(`${key}:`)}` : value]),
    json: json.replaceAll(WRITE_KEY, key),
    gzipped,
  };
}

/** Messages as a CDP forwards them to a webhook: alone, in an array, wrapped; on all paths. */
export function webhookSeed(chance: Chance, key: string): Seed {
  const typed = chance.happens(30);
  const path = chance.pick(typed ? TYPE_PATHS : BATCH_PATHS);
  const messages = Array.from({ length: chance.pick([1, 1, 2, 3, 12]) }, () => message(chance));
  const [first] = messages;
  const forms = [messages, messages.map((json) => ({ json })), { batch: messages, sentAt: hoursAgo(2) }, first];
  return {
    method: "POST",
    target: path,
    headers: [credential(chance, key), ["Content-Type", "application/json"], ["User-Agent", "Segment (webhooks)"]],
    json: JSON.stringify(typed ? first : chance.pick(forms)),
  };
}

export function nativeSeed(chance: Chance, key: string): Seed {
  const attributes = {
    accountStage: "trial",
    trialEndsAt: hoursAgo(-72),
    accountPlan: "pro",
    accountSeats: 25,
    accountMrr: 490.5,
    accountCurrency: "eur",
  };
  const capture = {
    accountId: account(chance),
    userId: user(chance),
    event: chance.pick(NATIVE_EVENTS),
    properties: { format: "pdf", nested: { list: [1, "two", null] } },
    timestamp: hoursAgo(chance.below(900)),
    ...(chance.happens(40) ? attributes : {}),
  };
  return {
    method: "POST",
    target: chance.pick(["/api/v1/events", "/api/events"]),
    headers: [credential(chance, key), ["Content-Type", "application/json"], ["Idempotency-Key", id(chance)]],
    json: JSON.stringify(capture),
  };
}

function message(chance: Chance): Record<string, unknown> {
  const common = {
    version: 2,
    channel: "server",
    integrations: {},
    context: { ip: "203.0.113.9", library: { name: "unknown" }, groupId: account(chance) },
    messageId: id(chance),
    anonymousId: id(chance),
    timestamp: hoursAgo(5),
    originalTimestamp: hoursAgo(4),
    sentAt: hoursAgo(2),
    ...(chance.happens(50) ? { receivedAt: hoursAgo(3) } : {}),
    userId: user(chance),
  };
  switch (chance.below(8)) {
    case 0:
      return {
        ...common,
        type: "group",
        groupId: account(chance),
        traits: { plan: "pro", seats: "25", mrr: 490, currency: "EUR", industry: "steel" },
      };
    case 1:
      return {
        ...common,
        type: "identify",
        traits: { role: "admin", email: "u1@globex.example", company: { id: account(chance) } },
      };
    case 2:
      return {
        ...common,
        type: chance.pick(["page", "screen", "alias"]),
        name: "Pricing",
        properties: { url: "https://example.com/" },
      };
    default:
      return {
        ...common,
        type: "track",
        event: chance.pick(EVENTS),
        properties: { format: "pdf", accountId: account(chance), account_seats: 12 },
      };
  }
}

function credential(chance: Chance, key: string): [string, string] {
  const [bearer, basic, plain] = [`Bearer ${key}`, `Basic ${btoa(`${key}:`)}`, key];
  return chance.pick<[string, string]>([
    ["Authorization", bearer],
    ["Authorization", bearer],
    ["Authorization", basic],
    ["X-Write-Key", plain],
  ]);
}
