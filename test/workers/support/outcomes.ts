/** Inserts outcomes directly, so that tests of reads need no recompute. */
import { env } from "cloudflare:workers";

import type { Health, HealthState } from "../../../src/core/health/model.ts";
import type { InboxItem } from "../../../src/core/inbox/model.ts";
import { type Mark, markItem } from "../../../src/db/inbox/marks.ts";
import type { TestWorkspace } from "./workspace.ts";

export const DAY_MS = 86_400_000;

/** The last scored day, a Monday. */
export const DAY = Date.UTC(2030, 0, 7) / DAY_MS;
/** The time of the tests, the morning after. */
export const NOW = (DAY + 1) * DAY_MS + 6 * 3_600_000;

type Value = string | number | null;

async function insert(table: string, row: Record<string, Value>): Promise<number> {
  const names = Object.keys(row);
  const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
  const { meta } = await env.DB.prepare(sql)
    .bind(...Object.values(row))
    .run();
  return meta.last_row_id;
}

/** Inserts a row with the next number of its workspace, and returns the number. */
async function insertNumbered(table: string, row: Record<string, Value> & { workspace: number }): Promise<number> {
  const sql = `SELECT max(number) FROM ${table} WHERE workspace = ?`;
  const last = await env.DB.prepare(sql).bind(row.workspace).first<number>("max(number)");
  return insert(table, { number: (last ?? row.workspace * 2 ** 32) + 1, ...row });
}

const publicId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;

/** Replaces the records of runs by these, a second apart, in every workspace. */
export async function setRuns(...runs: { asOf: number; finished?: boolean; fault?: string }[]): Promise<void> {
  const { results } = await env.DB.prepare("SELECT number FROM workspace_states").all<{ number: number }>();
  await env.DB.batch([env.DB.prepare("DELETE FROM recompute_runs"), env.DB.prepare("UPDATE folds SET as_of = NULL")]);
  for (const { number: workspace } of results) {
    for (const [place, { asOf, finished = true, fault = null }] of runs.entries()) {
      const started_at = NOW + place * 1_000;
      const finished_at = finished ? started_at + 100 : null;
      await insert("recompute_runs", {
        id: publicId("run"),
        workspace,
        trigger: "cron",
        as_of: asOf,
        started_at,
        finished_at,
        fault,
      });
      if (!finished) continue;
      await env.DB.prepare(
        "INSERT INTO folds (workspace, watermark, as_of) VALUES (?1, ?1 << 32, ?2) ON CONFLICT DO UPDATE SET as_of = ?2",
      )
        .bind(workspace, asOf)
        .run();
    }
  }
}

export const healthOf = (fields: Partial<Health> = {}): Health => ({
  day: DAY,
  state: "healthy",
  band: "healthy",
  score: 80,
  uncapped: 80,
  coverage: 1,
  confidence: "high",
  losses: [0, 0, 10, 10, 0],
  modelVersion: 1,
  trend: 1.5,
  stage: "active",
  stageKnown: true,
  reasons: [],
  changes: [],
  missing: [],
  ...fields,
});

export interface AccountFields {
  kind?: "company" | "solo";
  /** Values by name; `null` for a cleared one. */
  attributes?: Record<string, Value>;
  /** `null` if the recompute has not read the account yet. */
  firstAt?: number | null;
  lastEventAt?: number | null;
  /** The changes of attributes as the recompute keeps them: the day, and the changed values. */
  timeline?: readonly (readonly [day: number, values: Record<string, Value>])[];
  /** `null` if the account is not scored yet. */
  health?: Partial<Health> | null;
}

export interface SeededAccount {
  number: number;
  id: string;
  externalId: string;
  kind: "company" | "solo";
}

/** Returns functions that insert outcomes of a workspace. */
export async function outcomesOf(testWorkspace: TestWorkspace) {
  const ref = await testWorkspace.ref();
  const { number: workspace } = ref;

  async function account(externalId: string, fields: AccountFields = {}): Promise<SeededAccount> {
    const { kind = "company", attributes = {}, firstAt = NOW - 100 * DAY_MS, lastEventAt = NOW - DAY_MS } = fields;
    const stored = Object.entries(attributes).map(([name, value], place) => [name, [value, NOW, place]]);
    const id = publicId("acc");
    const number = await insertNumbered("accounts", {
      id,
      workspace,
      kind,
      external_id: externalId,
      attributes: JSON.stringify(Object.fromEntries(stored)),
      created_at: NOW - 50 * DAY_MS,
    });
    if (firstAt !== null) {
      await insert("account_progress", {
        workspace,
        account: number,
        first_at: firstAt,
        last_event_at: lastEventAt,
        score_from: DAY + 1,
        ...(fields.timeline && { timeline: JSON.stringify(fields.timeline) }),
      });
    }
    if (fields.health !== null) await setHealth(number, fields.health ?? {});
    return { number, id, externalId, kind };
  }

  async function setHealth(accountNumber: number, fields: Partial<Health>): Promise<void> {
    const health = healthOf(fields);
    await env.DB.prepare("DELETE FROM health WHERE account = ?").bind(accountNumber).run();
    await insert("health", {
      workspace,
      account: accountNumber,
      state: health.state,
      score: health.score,
      health: JSON.stringify(health),
    });
  }

  async function user(externalId: string, ofAccount: number | null = null): Promise<{ number: number; id: string }> {
    const id = publicId("usr");
    const number = await insertNumbered("users", {
      id,
      workspace,
      external_id: externalId,
      account: ofAccount,
      account_via: ofAccount === null ? null : "group",
      created_at: NOW,
    });
    return { number, id };
  }

  return {
    account,
    setHealth,
    user,
    /** Adds a personal account and its user, who may have left it for another account. */
    async soloAccount(externalId: string, fields: AccountFields = {}, leftFor?: number): Promise<SeededAccount> {
      const made = await account(externalId, { ...fields, kind: "solo" });
      await user(externalId, leftFor ?? made.number);
      return made;
    },
    eventName: (name: string) => insertNumbered("event_names", { workspace, name }),
    /** Adds the count of an event on a day, by default without a user. */
    rollup: (accountNumber: number, day: number, event: number, fields: { user?: number; count?: number } = {}) =>
      insert("rollups", {
        account: accountNumber,
        day,
        user: fields.user ?? 0,
        event,
        count: fields.count ?? 1,
        last_at: day * DAY_MS + 3_600_000,
      }),
    /** Adds a day with active users: how many, or which. */
    accountDay: (accountNumber: number, day: number, active: number | readonly number[]) =>
      insert("account_days", {
        account: accountNumber,
        day,
        events: typeof active === "number" ? active : active.length,
        user_days: typeof active === "number" ? active : active.length,
        users: JSON.stringify(typeof active === "number" ? [] : active),
        features: "{}",
      }),
    healthDay: (
      accountNumber: number,
      day: number,
      score: number | null,
      state: HealthState,
      uncapped: number | null = null,
    ) => insert("health_days", { account: accountNumber, day, state, score, uncapped, coverage: 1, losses: "[]" }),
    /** Adds a name by which searches find an account. */
    name: (key: string, subject: number, source: "external_id" | "company") =>
      insert("names", { workspace, key, kind: "account", subject, source, is_part: 0 }),
    /** Adds a trait as the newest message leaves it. */
    trait: (kind: "account" | "user", subject: number, key: string, value: Value | boolean) =>
      insert("traits", { subject_kind: kind, subject, key, value: JSON.stringify(value), occurred_at: 1, seq: 1 }),
    /** Replaces the scores of all days. */
    async setHealthDays(accountNumber: number, days: readonly { day: number; state: HealthState; score: number }[]) {
      await env.DB.prepare("DELETE FROM health_days WHERE account = ?").bind(accountNumber).run();
      for (const day of days)
        await insert("health_days", { account: accountNumber, ...day, coverage: 1, losses: "[]" });
    },
    /** Marks an item. */
    mark: ({ id }: { id: string }, mark: Mark, at = NOW, by = "Ada") =>
      markItem(env, ref, id, mark, { by, at, withIdentity: false }),
    /** Adds an item, by default about the whole workspace. */
    async item(fields: Partial<InboxItem> & { account?: number } = {}): Promise<{ number: number; id: string }> {
      const id = publicId("itm");
      const number = await insertNumbered("inbox_items", {
        id,
        workspace,
        account: fields.account ?? 0,
        kind: fields.kind ?? "usage_drop",
        subject: fields.subject ?? "",
        occurrence: fields.occurrence ?? 1,
        opened_day: fields.openedDay ?? DAY - 3,
        confirmed_day: fields.confirmedDay ?? DAY,
        resolved_day: fields.resolvedDay ?? null,
        resolution: fields.resolution ?? null,
        severity: fields.severity ?? "high",
        confidence: fields.confidence ?? "high",
        rank: fields.rank ?? 3,
        due_at: fields.dueAt ?? null,
        evidence: JSON.stringify(fields.evidence ?? []),
      });
      return { number, id };
    },
    /** Closes an item as the recompute does. */
    resolve: (itemNumber: number, day: number = DAY) =>
      env.DB.prepare("UPDATE inbox_items SET resolved_day = ?, resolution = 'recovered' WHERE number = ?")
        .bind(day, itemNumber)
        .run(),
  };
}

export type Outcomes = Awaited<ReturnType<typeof outcomesOf>>;
