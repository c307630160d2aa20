/** Creates the messages of a workspace, the same in every run. */
import { between, chance, type Random, randomOf } from "../../evals/simulator/random.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/durations.ts";

export interface Workload {
  name: string;
  messagesPerMonth: number;
  users: number;
  accounts: number;
  events: number;
}

export const WORKLOADS: Workload[] = [
  { name: "1 M", messagesPerMonth: 1_000_000, users: 5_000, accounts: 250, events: 12 },
  { name: "1 M, few users", messagesPerMonth: 1_000_000, users: 200, accounts: 20, events: 6 },
  { name: "10 M", messagesPerMonth: 10_000_000, users: 20_000, accounts: 1_000, events: 12 },
];

export const MONTH_DAYS = 30;
export const SLOT_MS = 300_000;
export const SLOTS = DAY_MS / SLOT_MS;
const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;

/** Of each hour of the day, UTC. */
const WEIGHTS = [1, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 9, 8, 9, 10, 9, 8, 6, 4, 3, 2, 2, 1, 1];
const TOTAL_WEIGHT = WEIGHTS.reduce((sum, weight) => sum + weight, 0);

/** Shares of messages. Retries come on top: the sender repeats a message because it missed the answer. */
export const SHARES = { identify: 0.025, group: 0.005, minutesLate: 0.02, daysLate: 0.005, retried: 0.01 };
const MAX_MINUTES_LATE = 60;
const MAX_DAYS_LATE = 3;

export interface Sent {
  receivedAt: number;
  item: Record<string, unknown>;
}

/** Messages in a slot of five minutes. The messages of a day are spread by hour, and evenly within an hour. */
export function countOf({ messagesPerMonth }: Workload, slot: number): number {
  const until = (end: number) => {
    const hours = Math.floor(end / SLOTS_PER_HOUR);
    const weight = WEIGHTS.slice(0, hours).reduce((sum, each) => sum + each, 0);
    const rest = ((WEIGHTS[hours] ?? 0) * (end % SLOTS_PER_HOUR)) / SLOTS_PER_HOUR;
    return Math.round(((messagesPerMonth / MONTH_DAYS) * (weight + rest)) / TOTAL_WEIGHT);
  };
  return until(slot + 1) - until(slot);
}

/** Creates the messages that a slot receives, in order, with retries after them. */
export function messagesOf(workload: Workload, day: number, slot: number): Sent[] {
  const random = randomOf(`${workload.name} ${day} ${slot}`);
  const count = countOf(workload, slot);
  const start = day * DAY_MS + slot * SLOT_MS;
  const sent = Array.from({ length: count }, (_, place) => {
    const receivedAt = Math.floor(start + (place / count) * SLOT_MS);
    const messageId = `node-next-${receivedAt}-${hex(random, 8)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 12)}`;
    return { receivedAt, item: messageOf(workload, random, receivedAt, messageId) };
  });
  const last = start + SLOT_MS - 1;
  return [
    ...sent,
    ...sent.filter(() => chance(random, SHARES.retried)).map(({ item }) => ({ receivedAt: last, item })),
  ];
}

/** One message of each account: what remains of a quiet day. */
export const quietMessages = ({ users, accounts }: Workload, day: number): Sent[] =>
  Array.from({ length: accounts }, (_, account) => {
    const receivedAt = day * DAY_MS + DAY_MS / 2 + account;
    const user = account + accounts * (day % Math.floor(users / accounts));
    return { receivedAt, item: track(`quiet-${day}-${account}`, user, accounts, day % 2, receivedAt - 2_000) };
  });

function messageOf(workload: Workload, random: Random, receivedAt: number, messageId: string): Sent["item"] {
  const { accounts } = workload;
  // The most active of 5,000 users sends 0.4 % of the messages, and the median one 0.01 %.
  const user = zipf(random, workload.users, workload.users / 100);
  const lateness = random();
  const late = (share: number, max: number) => (lateness < share ? between(random, 0, max) : 0);
  const minutes = late(SHARES.minutesLate, MAX_MINUTES_LATE) * 60_000;
  const delay = lateness > 1 - SHARES.daysLate ? between(random, 1, MAX_DAYS_LATE) * DAY_MS : minutes;
  const at = receivedAt - 2_000 - Math.floor(delay);
  const kind = random();
  if (kind < SHARES.group) {
    const traits = {
      name: `Company ${user % accounts}`,
      plan: "team",
      seats: 20 + (user % 7),
      mrr: 400,
      currency: "EUR",
    };
    return {
      type: "group",
      messageId,
      userId: userId(user),
      groupId: accountId(user, accounts),
      traits,
      timestamp: iso(at),
    };
  }
  if (kind < SHARES.group + SHARES.identify) {
    const traits = { role: ["admin", "editor", "viewer"][user % 3], locale: "en", theme: user % 2 ? "dark" : "light" };
    return { type: "identify", messageId, userId: userId(user), traits, timestamp: iso(at) };
  }
  return track(messageId, user, accounts, zipf(random, workload.events), at);
}

const track = (messageId: string, user: number, accounts: number, event: number, at: number) => ({
  type: "track",
  messageId,
  userId: userId(user),
  event: `report.event-${event}`,
  properties: { accountId: accountId(user, accounts), format: "pdf", pages: user % 40, source: "dashboard" },
  timestamp: iso(at),
});

const userId = (user: number) => `user-${user}`;
const accountId = (user: number, accounts: number) => `account-${user % accounts}`;
const iso = (at: number) => new Date(at).toISOString();
const hex = (random: Random, digits: number) =>
  Math.floor(random() * 16 ** digits)
    .toString(16)
    .padStart(digits, "0");

const cumulated = new Map<number, number[]>();

/** Draws a place below `over`, the n-th with a weight of 1 / (n + offset): Zipf-Mandelbrot. */
function zipf(random: Random, over: number, offset = 0): number {
  let sums = cumulated.get(over);
  if (sums === undefined) {
    let sum = 0;
    sums = Array.from({ length: over }, (_, place) => (sum += 1 / (place + 1 + offset)));
    cumulated.set(over, sums);
  }
  const drawn = random() * (sums.at(-1) ?? 0);
  let [low, high] = [0, over - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
}
