/** The filters of the console's account list and its CSV, as conditions on accounts with their health and owner. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { foldName } from "../../core/ask/normalize-names.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { HealthState, Stage } from "../../core/health/model.ts";
import { stageOf } from "../ask/query/stage-sql.ts";
import { ownRange, type WorkspaceRef } from "../client/database.ts";
import { MAX_READ_UNITS } from "../ask/query/shared-statement.ts";
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
/** What an order or a filter by active users leaves for the rest of its page. */
const RESERVED_ROWS = 30_000;
/** The most rows of users that are read for each account of a page, and for a page, if the workspace has more. */
const MAX_USER_ROWS_OF_ACCOUNT = 5_000;
const MAX_USER_ROWS_OF_PAGE = 51 * MAX_USER_ROWS_OF_ACCOUNT;

/** A search by a letter or two may match most users. */
const MAX_FOUND_USERS = 50_000;

const accountDay = alias(accountDays, "accountDay");
const workspaceDay = alias(workspaceDays, "workspaceDay");
export const name = alias(names, "name");

const attribute = (key: string) => sql.raw(`("accounts"."attributes" ->> '$.${key}[0]')`);

const recentDays = (today: number) => sql`${accountDay.account} = ${accounts.number}
  AND ${accountDay.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1}`;

/** Counts the distinct users of an account on the last complete days, or since a later day. */
const activeUsersSince = (today: number, first: SQL) => sql<number>`(SELECT count(DISTINCT active.value)
  FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay.users}) active
  WHERE ${recentDays(today)} AND ${accountDay.day} >= ${first})`;

/** The rows with the users of all accounts on the last complete days. SQLite evaluates it once per statement. */
const userRows = ({ number }: WorkspaceRef, today: number) =>
  sql`(SELECT coalesce(sum(coalesce(${workspaceDay.accounts}, 0) + coalesce(${workspaceDay.userDays}, 0)), 0)
  FROM ${workspaceDays} "workspaceDay" WHERE ${workspaceDay.workspace} = ${number} AND ${workspaceDay.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`;

/**
 * The columns of a page's accounts: their active users, and whether there may be more, because an account has too many for a
 * page and only its newest days are counted.
 */
export function activeUsersColumns(workspace: WorkspaceRef, today: number, most = MAX_USER_ROWS_OF_ACCOUNT) {
  const all = sql`${userRows(workspace, today)} <= ${51 * most}`;
  /** The first day since which there are not too many. */
  const first = sql`iif(${all}, 0, (SELECT coalesce(max(day) + 1, 0) FROM (
    SELECT ${accountDay.day} AS day, sum(${accountDay.userDays}) OVER (ORDER BY ${accountDay.day} DESC) AS total
    FROM ${accountDays} "accountDay" WHERE ${recentDays(today)}) WHERE total > ${most}))`;
  return {
    activeUsers: activeUsersSince(today, first).as("active_users"),
    hasMoreUsers: sql`${first} > 0`.mapWith(Boolean).as("has_more_users"),
  };
}

/** What a page of accounts reads, to tell whether it can also count the users of every account. */
export interface ReadRows {
  /** How often it counts them. */
  counts: number;
  /** For each account of the workspace. */
  perAccount: number;
  /** For its own accounts, at most. */
  page: number;
}

/** What a list with filters reads beside the count of users. */
export function readRowsOf(wanted: AccountConditions, sort: string, search: string): ReadRows {
  const { owner, seats } = wanted;
  return {
    counts: (seats === undefined ? 0 : 1) + (sort === "users" ? 1 : 0),
    perAccount:
      6 +
      (owner === undefined ? 0 : 1) +
      Object.keys(wanted.traits).length +
      (sort === "name" ? 2 : 0) +
      (search === "" ? 0 : 3),
    // The order by users has counted those of the page.
    page: sort === "users" ? 0 : MAX_USER_ROWS_OF_PAGE,
  };
}

/** Whether the workspace has too many active users to count those of every account. */
export function hasTooManyUsers(workspace: WorkspaceRef, today: number, { counts, perAccount, page }: ReadRows) {
  const { first, last } = ownRange(workspace);
  const all = userRows(workspace, today);
  const known = sql`(SELECT coalesce(max(number) - ${first - 1}, 0) FROM ${accounts} WHERE number BETWEEN ${first} AND ${last})`;
  return sql<number>`(${all} * ${counts} + min(${all}, ${page}) + ${known} * ${counts + perAccount} > ${MAX_READ_UNITS - RESERVED_ROWS})`;
}

/** The count of users for orders and filters, which need it for all accounts; NULL with too many. */
export const boundedActiveUsers = (workspace: WorkspaceRef, today: number, read: ReadRows) =>
  sql<number | null>`iif(${hasTooManyUsers(workspace, today, read)}, NULL, ${activeUsersSince(today, sql`0`)})`;

export const daysUntilContractEnd = (today: number) =>
  sql<number | null>`(unixepoch(date(${attribute("contractEndsAt")})) / ${sql.raw(String(DAY_MS / 1_000))} - ${today})`;

/** @param search part of a name or an id of the account or of its users; empty for all accounts */
export function meets(
  workspace: WorkspaceRef,
  wanted: AccountConditions,
  reader: Reader,
  readRows: ReadRows,
  search = "",
): SQL | undefined {
  const { state, stage, plan, owner, renewal, seats } = wanted;
  return and(
    state && eq(health.state, state),
    stage && sql`${sql.raw(stageOf(`("accounts"."attributes" ->> '$.stage[0]')`))} = ${stage}`,
    plan === undefined ? undefined : sql`${attribute("plan")} = ${plan}`,
    owner === undefined ? undefined : owner === NOBODY ? isNull(accountOwners.owner) : eq(accountOwners.owner, owner),
    renewal && renews(daysUntilContractEnd(reader.today), renewal),
    seats && usesSeats(boundedActiveUsers(workspace, reader.today, readRows), seats),
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
export const isShownName = ({ number }: Pick<WorkspaceRef, "number">, withIdentity: boolean, row = "name"): SQL =>
  sql.raw(`(${row}.source = 'external_id'${withIdentity ? ` OR ${isAgreed(String(number))}` : ""})`);

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
  const isShown = (row: "name" | "found") => isShownName({ number }, withIdentity, row);
  return sql`(${byId} OR EXISTS (SELECT 1 FROM ${names} name WHERE ${name.workspace} = ${number} AND ${name.kind} = 'account'
      AND ${name.subject} = ${accounts.number} AND ${isShown("name")} AND instr(${name.key}, ${words}) > 0)
    OR ${accounts.number} IN (SELECT ${users.account} FROM ${usersNamed(number, words)} found
      CROSS JOIN ${users} ON ${users.number} = found.subject WHERE ${isShown("found")}))`;
}

/** The names of users that begin with the words: as many as a search reads. */
const usersNamed = (workspace: number, words: string, limit = MAX_FOUND_USERS) => sql`(SELECT * FROM ${names} name
  WHERE ${name.workspace} = ${workspace} AND ${name.key} >= ${words} AND ${name.key} < ${`${words}\u{10ffff}`}
    AND ${name.kind} = 'user' LIMIT ${limit})`;

/** Whether a search leaves users out because too many match. */
export function findsTooManyUsers({ number }: WorkspaceRef, search: string): SQL {
  const words = foldName(search);
  if (words === "") return sql`0`;
  return sql`((SELECT count(*) FROM ${usersNamed(number, words, MAX_FOUND_USERS + 1)}) > ${MAX_FOUND_USERS})`;
}
