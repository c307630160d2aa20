/** The filters of the console's account list and its CSV, as conditions on accounts with their health and owner. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { foldName } from "../../core/ask/normalize-names.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { HealthState, Stage } from "../../core/health/model.ts";
import { stageOf } from "../ask/query/stage-sql.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { accountDays, accountOwners, accounts, health, names, traits, users, workspaceDays } from "../schema/schema.ts";

/** The value of the filter `owner` for accounts without an owner. */
export const NOBODY = "(nobody)";
/** The contract ends within so many days, or has ended. */
export const RENEWALS = ["30", "90", "180", "past"] as const;
/** Under 50 % of the seats are in use, 50 to 90 %, or more. */
export const SEAT_USES = ["low", "medium", "high"] as const;

export interface AccountConditions {
  state?: HealthState | undefined;
  stage?: Stage | undefined;
  plan?: string | undefined;
  owner?: string | undefined;
  renewal?: (typeof RENEWALS)[number] | undefined;
  seats?: (typeof SEAT_USES)[number] | undefined;
  /** By the key of a trait: a text, a number or a boolean, as text. */
  traits: Readonly<Record<string, string>>;
}

export interface Reader {
  withIdentity: boolean;
  /** Days since the epoch, UTC. */
  today: number;
}

export const ACTIVE_DAYS = 28;
/** The most days of accounts and of users that an order or a filter by active users reads. A page reads 5 rows an account beside them. */
export const MAX_USER_ROWS = 500_000;

const accountDay = alias(accountDays, "accountDay");
const workspaceDay = alias(workspaceDays, "workspaceDay");
export const name = alias(names, "name");

const attribute = (key: string) => sql.raw(`("accounts"."attributes" ->> '$.${key}[0]')`);

/** Counts the distinct users of an account on the last complete days. */
export const activeUsers = (today: number) => sql<number>`(SELECT count(DISTINCT active.value)
  FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay.users}) active
  WHERE ${accountDay.account} = ${accounts.number} AND ${accountDay.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`;

/** Whether the workspace has too many active users to count those of every account. SQLite evaluates it once per statement. */
export const hasTooManyUsers = ({ number }: WorkspaceRef, today: number) =>
  sql<number>`(SELECT coalesce(sum(coalesce(${workspaceDay.accounts}, 0) + coalesce(${workspaceDay.userDays}, 0)), 0) > ${MAX_USER_ROWS}
  FROM ${workspaceDays} "workspaceDay" WHERE ${workspaceDay.workspace} = ${number} AND ${workspaceDay.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`;

/** The same count for orders and filters, which need it for all accounts; NULL with too many. */
export const boundedActiveUsers = (workspace: WorkspaceRef, today: number) =>
  sql<number | null>`iif(${hasTooManyUsers(workspace, today)}, NULL, ${activeUsers(today)})`;

export const daysUntilContractEnd = (today: number) =>
  sql<number | null>`(unixepoch(date(${attribute("contractEndsAt")})) / ${sql.raw(String(DAY_MS / 1_000))} - ${today})`;

/** @param search part of a name or an id of the account or of its users; empty for all accounts */
export function meets(
  workspace: WorkspaceRef,
  wanted: AccountConditions,
  reader: Reader,
  search = "",
): SQL | undefined {
  const { state, stage, plan, owner, renewal, seats } = wanted;
  return and(
    state && eq(health.state, state),
    stage && sql`${sql.raw(stageOf(`("accounts"."attributes" ->> '$.stage[0]')`))} = ${stage}`,
    plan === undefined ? undefined : sql`${attribute("plan")} = ${plan}`,
    owner === undefined ? undefined : owner === NOBODY ? isNull(accountOwners.owner) : eq(accountOwners.owner, owner),
    renewal && renews(daysUntilContractEnd(reader.today), renewal),
    seats && usesSeats(boundedActiveUsers(workspace, reader.today), seats),
    ...Object.entries(wanted.traits).map(
      ([key, value]) => sql`EXISTS (SELECT 1 FROM ${traits} WHERE ${traits.subjectKind} = 'account'
        AND ${traits.subject} = ${accounts.number} AND ${traits.key} = ${key} AND ${traits.value} IN (${value}, ${JSON.stringify(value)}))`,
    ),
    search === "" ? undefined : matchesSearch(workspace, search, reader.withIdentity),
  );
}

const renews = (days: SQL, renewal: (typeof RENEWALS)[number]) =>
  renewal === "past" ? sql`${days} < 0` : sql`${days} BETWEEN 0 AND ${Number(renewal)}`;

function usesSeats(active: SQL, use: (typeof SEAT_USES)[number]): SQL {
  const share = sql`${active} * 1.0 / nullif(CAST(${attribute("seats")} AS REAL), 0)`;
  if (use === "medium") return sql`${share} BETWEEN 0.5 AND 0.9`;
  return use === "low" ? sql`${share} < 0.5` : sql`${share} > 0.9`;
}

/** @param withIdentity whether the reader may see names of companies and people */
export const isShownName = ({ number }: Pick<WorkspaceRef, "number">, withIdentity: boolean): SQL =>
  withIdentity
    ? sql`(${name.source} = 'external_id' OR ${sql.raw(isAgreed(String(number)))})`
    : sql`${name.source} = 'external_id'`;

/**
 * Matches accounts whose id or company name contains the text, ignoring case, accents and punctuation, and the accounts of
 * users whose id, name or e-mail address has a word that begins with it. An index finds the users; the search reads all accounts.
 * @param withIdentity whether names of companies and people match
 */
function matchesSearch({ number }: WorkspaceRef, text: string, withIdentity: boolean): SQL {
  // Ids of erased accounts begin with a control character.
  const byId = sql`${accounts.externalId} >= ' ' AND instr(lower(${accounts.externalId}), lower(${text})) > 0`;
  const words = foldName(text);
  if (words === "") return sql`(${byId})`;
  const isShown = isShownName({ number }, withIdentity);
  return sql`(${byId} OR EXISTS (SELECT 1 FROM ${names} name WHERE ${name.workspace} = ${number} AND ${name.kind} = 'account'
      AND ${name.subject} = ${accounts.number} AND ${isShown} AND instr(${name.key}, ${words}) > 0)
    OR ${accounts.number} IN (SELECT ${users.account} FROM ${names} name CROSS JOIN ${users} ON ${users.number} = ${name.subject}
      WHERE ${name.workspace} = ${number} AND ${name.key} >= ${words} AND ${name.key} < ${`${words}\u{10ffff}`}
        AND ${name.kind} = 'user' AND ${isShown}))`;
}
