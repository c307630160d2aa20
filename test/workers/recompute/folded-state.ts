/** Reads a workspace's fold, with names instead of numbers. */
import { env } from "cloudflare:workers";

import { directory, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { runBatch } from "../../../src/db/client/run-statements.ts";
import { bound } from "../support/bound.ts";

type Decided = [value: unknown, occurredAt: number, seq: number];

/** Keys are `account day`. Accounts are named by kind: `company:7` is not `solo:7`. */
export interface Fold {
  /** Keys are account, day, user ("" for none) and event. */
  rollups: Record<string, { count: number; lastAt: number }>;
  workspaceDays: Record<string, number>;
  attributeDays: Record<string, Record<string, Decided>>;
  /** Keys are user and day. */
  pending: Record<string, Record<string, Decided>>;
  activity: Record<string, { firstAt: number; lastEventAt: number | null }>;
  /** Complete days only. */
  accountDays: Record<string, { events: number; users: string[]; features: Record<string, [number, number]> }>;
  timelines: Record<string, [day: number, values: Record<string, unknown>][]>;
}

/** A stored message, as the fold reads it. */
export interface LoggedMessage {
  seq: number;
  type: string;
  account: string | null;
  user: string | null;
  event: string | null;
  attributes: Record<string, unknown> | null;
  occurredAt: number;
}

const ACCOUNT = "(SELECT kind || ':' || external_id FROM accounts WHERE number = t.account)";
const USER = "(SELECT external_id FROM users WHERE number = t.user)";
const OWN_ACCOUNT = "t.account IN (SELECT number FROM accounts WHERE workspace = ?1)";

/** Reads the log, in the order of arrival. */
export async function readLog({ number }: WorkspaceRef): Promise<LoggedMessage[]> {
  const [{ results }] = await runBatch(directory(env), [
    bound<Omit<LoggedMessage, "attributes"> & { attributes: string | null }>(
      `SELECT seq, type, ${ACCOUNT} AS account, ${USER} AS user, event, attributes, occurred_at AS occurredAt
       FROM messages t WHERE workspace = ?1 ORDER BY seq`,
      number,
    ),
  ]);
  return results.map((row) => ({ ...row, attributes: row.attributes === null ? null : JSON.parse(row.attributes) }));
}

type RollupRow = { key: string; count: number; lastAt: number };
type AttributesRow = { key: string; attributes: string };
type ActivityRow = { key: string; firstAt: number; lastEventAt: number | null; timeline: string };
type DayRow = { key: string; events: number; userDays: number; users: string; features: string };
type NameRow = { number: number; name: string };

export async function readFold({ number }: WorkspaceRef): Promise<Fold> {
  const [rollups, workspaceDays, attributeDays, pending, activity, accountDays, users, events] = await runBatch(
    directory(env),
    [
      bound<RollupRow>(
        `SELECT ${ACCOUNT} || ' ' || day || ' ' || coalesce(${USER}, '') || ' ' || n.name AS key, count, last_at AS lastAt
         FROM rollups t JOIN event_names n ON n.number = t.event AND n.workspace = ?1 WHERE ${OWN_ACCOUNT}`,
        number,
      ),
      bound<{ day: number; events: number }>("SELECT day, events FROM workspace_days WHERE workspace = ?1", number),
      bound<AttributesRow>(
        `SELECT ${ACCOUNT} || ' ' || day AS key, attributes FROM attribute_days t WHERE ${OWN_ACCOUNT}`,
        number,
      ),
      bound<AttributesRow>(
        `SELECT ${USER} || ' ' || day AS key, attributes FROM pending_attribute_days t
         WHERE user IN (SELECT number FROM users WHERE workspace = ?1)`,
        number,
      ),
      bound<ActivityRow>(
        `SELECT ${ACCOUNT} AS key, first_at AS firstAt, last_event_at AS lastEventAt, timeline
         FROM account_progress t WHERE workspace = ?1`,
        number,
      ),
      bound<DayRow>(
        `SELECT ${ACCOUNT} || ' ' || day AS key, events, user_days AS userDays, users, features
         FROM account_days t WHERE ${OWN_ACCOUNT}`,
        number,
      ),
      bound<NameRow>("SELECT number, external_id AS name FROM users WHERE workspace = ?1", number),
      bound<NameRow>("SELECT number, name FROM event_names WHERE workspace = ?1", number),
    ],
  );
  const userNames = namesByNumber(users);
  const eventNames = namesByNumber(events);
  const base = number * 2 ** 32;
  return {
    rollups: byKey(rollups, ({ count, lastAt }) => ({ count, lastAt })),
    workspaceDays: Object.fromEntries(workspaceDays.results.map(({ day, events: count }) => [day, count])),
    attributeDays: byKey(attributeDays, ({ attributes }) => JSON.parse(attributes)),
    pending: byKey(pending, ({ attributes }) => JSON.parse(attributes)),
    activity: byKey(activity, ({ firstAt, lastEventAt }) => ({ firstAt, lastEventAt })),
    accountDays: byKey(accountDays, (row) => {
      const numbers: number[] = JSON.parse(row.users);
      const features: Record<string, [number, number[]]> = JSON.parse(row.features);
      if (numbers.length !== row.userDays) throw new Error("a day has other users than user-days");
      const named = Object.entries(features).map(([feature, [count, its]]) => [
        eventNames.get(base + Number(feature)) ?? "?",
        [count, its.length],
      ]);
      return {
        events: row.events,
        users: numbers.map((user) => userNames.get(base + user) ?? "?").toSorted(),
        features: Object.fromEntries(named),
      };
    }),
    timelines: byKey(activity, ({ timeline }) => JSON.parse(timeline)),
  };
}

const byKey = <Row extends { key: string }, Value>({ results }: D1Result<Row>, valueOf: (row: Row) => Value) =>
  Object.fromEntries(results.map((row) => [row.key, valueOf(row)]));

const namesByNumber = ({ results }: D1Result<NameRow>): Map<number, string> =>
  new Map(results.map(({ number, name }) => [number, name]));
