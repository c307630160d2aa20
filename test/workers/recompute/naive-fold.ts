/** A naive fold in memory, message by message. */
import { DAY_MS } from "../../../src/core/durations.ts";
import type { Fold, LoggedMessage } from "./folded-state.ts";

type Decided = Fold["attributeDays"][string][string];
type Attributes = Map<string, Map<number, Record<string, Decided>>>;

/** Above this number, the users of a feature are not counted. */
const MAX_COUNTED_USERS = 3;

/**
 * @param log in the order of arrival
 * @param lastDay the last complete one
 */
export function naiveFold(log: readonly LoggedMessage[], lastDay: number): Fold {
  const rollups: Fold["rollups"] = {};
  const workspaceDays: Fold["workspaceDays"] = {};
  const activity: Fold["activity"] = {};
  const accountDays = new Map<string, { events: number; users: Set<string>; features: Map<string, string[]> }>();
  const known: Attributes = new Map();
  const pending: Attributes = new Map();

  for (const { seq, type, account, user, event, attributes, occurredAt } of log) {
    const day = Math.floor(occurredAt / DAY_MS);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      const [into, owner] = account === null ? [pending, user] : [known, account];
      if (owner !== null) keepLatest(into, owner, day, name, [value, occurredAt, seq]);
    }
    if (account === null) continue;
    if (user !== null) {
      for (const [past, values] of pending.get(user) ?? []) {
        for (const [name, decided] of Object.entries(values)) keepLatest(known, account, past, name, decided);
      }
      pending.delete(user);
    }
    const bounds = (activity[account] ??= { firstAt: occurredAt, lastEventAt: null });
    bounds.firstAt = Math.min(bounds.firstAt, occurredAt);
    if (type !== "track" || event === null) continue;
    bounds.lastEventAt = Math.max(bounds.lastEventAt ?? occurredAt, occurredAt);
    workspaceDays[day] = (workspaceDays[day] ?? 0) + 1;
    const rollup = (rollups[`${account} ${day} ${user ?? ""} ${event}`] ??= { count: 0, lastAt: occurredAt });
    rollup.count += 1;
    rollup.lastAt = Math.max(rollup.lastAt, occurredAt);
    if (day > lastDay) continue;
    const whole = accountDays.get(`${account} ${day}`) ?? { events: 0, users: new Set(), features: new Map() };
    accountDays.set(`${account} ${day}`, whole);
    whole.events += 1;
    if (user !== null) whole.users.add(user);
    whole.features.set(event, [...(whole.features.get(event) ?? []), user ?? ""]);
  }

  return {
    rollups,
    workspaceDays,
    attributeDays: byOwnerAndDay(known),
    pending: byOwnerAndDay(pending),
    activity,
    accountDays: Object.fromEntries(
      [...accountDays].map(([key, { events, users, features }]) => [
        key,
        {
          events,
          users: [...users].toSorted(),
          features: Object.fromEntries(
            [...features].map(([event, by]) => [
              event,
              [by.length, Math.min(MAX_COUNTED_USERS, new Set(by.filter((user) => user !== "")).size)],
            ]),
          ),
        },
      ]),
    ),
    timelines: Object.fromEntries(
      Object.keys(activity).map((account) => [account, timelineOf(known.get(account), lastDay)]),
    ),
  };
}

/** Lists the changes of complete days, without repeated values. */
function timelineOf(days: Attributes extends Map<string, infer Days> ? Days | undefined : never, lastDay: number) {
  const timeline: [number, Record<string, unknown>][] = [];
  const held: Record<string, unknown> = {};
  for (const [day, values] of [...(days ?? [])].toSorted(([a], [b]) => a - b)) {
    if (day > lastDay) continue;
    const changes = Object.entries(values).filter(([name, [value]]) => (held[name] ?? null) !== value);
    for (const [name, [value]] of changes) held[name] = value;
    if (changes.length > 0) timeline.push([day, Object.fromEntries(changes.map(([name, [value]]) => [name, value]))]);
  }
  return timeline;
}

function keepLatest(into: Attributes, owner: string, day: number, name: string, decided: Decided): void {
  const days = into.get(owner) ?? new Map<number, Record<string, Decided>>();
  into.set(owner, days);
  const values = days.get(day) ?? {};
  days.set(day, values);
  const before = values[name];
  const isLater = !before || decided[1] > before[1] || (decided[1] === before[1] && decided[2] > before[2]);
  if (isLater) values[name] = decided;
}

const byOwnerAndDay = (attributes: Attributes): Record<string, Record<string, Decided>> =>
  Object.fromEntries(
    [...attributes].flatMap(([owner, days]) => [...days].map(([day, values]) => [`${owner} ${day}`, values])),
  );
