/** Reads a workspace's fold, with names instead of numbers. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";

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

const rows = async (sql: string, { number }: WorkspaceRef): Promise<Record<string, string | number | null>[]> =>
  (await env.DB.prepare(sql).bind(number).all<Record<string, string | number | null>>()).results;

const ACCOUNT = "(SELECT kind || ':' || external_id FROM accounts WHERE number = t.account)";
const USER = "(SELECT external_id FROM users WHERE number = t.user)";
const OWN_ACCOUNT = "t.account IN (SELECT number FROM accounts WHERE workspace = ?1)";

/** Reads the log, in the order of arrival. */
export async function readLog(workspace: WorkspaceRef): Promise<LoggedMessage[]> {
  const found = await rows(
    `SELECT seq, type, ${ACCOUNT} AS account, ${USER} AS user, event, attributes, occurred_at
     FROM messages t WHERE workspace = ?1 ORDER BY seq`,
    workspace,
  );
  return found.map((row) => ({
    seq: Number(row["seq"]),
    type: String(row["type"]),
    account: textOrNull(row["account"]),
    user: textOrNull(row["user"]),
    event: textOrNull(row["event"]),
    attributes: row["attributes"] == null ? null : JSON.parse(String(row["attributes"])),
    occurredAt: Number(row["occurred_at"]),
  }));
}

export async function readFold(workspace: WorkspaceRef): Promise<Fold> {
  const [rollups, workspaceDays, attributeDays, pending, activity, accountDays, users, events] = await Promise.all([
    rows(
      `SELECT ${ACCOUNT} AS account, day, coalesce(${USER}, '') AS user, n.name AS event, count, last_at
       FROM rollups t JOIN event_names n ON n.number = t.event AND n.workspace = ?1 WHERE ${OWN_ACCOUNT}`,
      workspace,
    ),
    rows("SELECT day, events FROM workspace_days t WHERE workspace = ?1", workspace),
    rows(`SELECT ${ACCOUNT} AS account, day, attributes FROM attribute_days t WHERE ${OWN_ACCOUNT}`, workspace),
    rows(
      `SELECT ${USER} AS user, day, attributes FROM pending_attribute_days t
       WHERE user IN (SELECT number FROM users WHERE workspace = ?1)`,
      workspace,
    ),
    rows(`SELECT ${ACCOUNT} AS owner, * FROM activity t WHERE workspace = ?1`, workspace),
    rows(`SELECT ${ACCOUNT} AS owner, * FROM account_days t WHERE ${OWN_ACCOUNT}`, workspace),
    rows("SELECT number, external_id FROM users WHERE workspace = ?1", workspace),
    rows("SELECT number, name FROM event_names WHERE workspace = ?1", workspace),
  ]);
  const userNames = new Map(users.map((row) => [Number(row["number"]), String(row["external_id"])]));
  const eventNames = new Map(events.map((row) => [row["number"], String(row["name"])]));
  return {
    rollups: Object.fromEntries(
      rollups.map((row) => [
        [row["account"], row["day"], row["user"], row["event"]].join(" "),
        { count: Number(row["count"]), lastAt: Number(row["last_at"]) },
      ]),
    ),
    workspaceDays: Object.fromEntries(workspaceDays.map((row) => [String(row["day"]), Number(row["events"])])),
    attributeDays: Object.fromEntries(
      attributeDays.map((row) => [`${row["account"]} ${row["day"]}`, JSON.parse(String(row["attributes"]))]),
    ),
    pending: Object.fromEntries(
      pending.map((row) => [`${row["user"]} ${row["day"]}`, JSON.parse(String(row["attributes"]))]),
    ),
    activity: Object.fromEntries(
      activity.map((row) => [
        String(row["owner"]),
        {
          firstAt: Number(row["first_at"]),
          lastEventAt: row["last_event_at"] == null ? null : Number(row["last_event_at"]),
        },
      ]),
    ),
    accountDays: Object.fromEntries(
      accountDays.map((row) => {
        const numbers: number[] = JSON.parse(String(row["users"]));
        const features: Record<string, [number, number[]]> = JSON.parse(String(row["features"]));
        if (numbers.length !== Number(row["user_days"])) throw new Error("a day has other users than user-days");
        return [
          `${row["owner"]} ${row["day"]}`,
          {
            events: Number(row["events"]),
            users: numbers.map((user) => userNames.get(user) ?? "?").toSorted(),
            features: Object.fromEntries(
              Object.entries(features).map(([feature, [count, its]]) => [
                eventNames.get(Number(feature)) ?? "?",
                [count, its.length],
              ]),
            ),
          },
        ];
      }),
    ),
    timelines: Object.fromEntries(activity.map((row) => [String(row["owner"]), JSON.parse(String(row["timeline"]))])),
  };
}

const textOrNull = (value: string | number | null | undefined): string | null => (value == null ? null : String(value));
