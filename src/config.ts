/**
 * Settings and limits of the deployment. Values in wrangler.toml win over the defaults here. Limits that are part of the
 * rules live in src/core.
 */
import { DAY_MS } from "./core/durations.ts";
import type { Day } from "./core/health/model.ts";

/** A whole request on the compatibility path, decoded. */
export const MAX_BATCH_BYTES = 512 * 1024;
/** A native capture, an identity call, and an administration call. */
export const MAX_EVENT_BYTES = 16 * 1024;
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

/** A question with its hints. */
export const MAX_ASK_BYTES = 4 * 1024;
export const MAX_QUESTION_CHARS = 500;

/** How long an edge caches a key, and a revoked key may still read there. Writes ask the workspace's limiter. */
export const KEY_CACHE_MS = 30_000;
/** How long an edge uses a cached key while the directory doesn't answer. */
export const KEY_OUTAGE_MS = 600_000;
export const MAX_CACHED_KEYS = 10_000;

/** The binding of the database with the directory, which may hold workspaces too. The others are `DB_1`, `DB_2` and so on. */
export const DIRECTORY = "DB";
/** Where Cloudflare can keep all that it stores: docs/decisions/0036-jurisdictions.md. */
const JURISDICTIONS = ["eu", "us", "fedramp"] as const;

/** Reads the deployment's jurisdiction; `undefined` without one. @throws RangeError that names the variable */
export function jurisdictionOf({ JURISDICTION: name }: { JURISDICTION?: unknown }) {
  if (name === undefined || name === "") return undefined;
  const jurisdiction = JURISDICTIONS.find((each) => each === name);
  if (jurisdiction === undefined)
    throw new RangeError(`JURISDICTION must be empty or one of ${JURISDICTIONS.join(", ")}`);
  return jurisdiction;
}

/**
 * D1 ends an invocation at 1,000 statements. A reconciliation asks every database, and then may send 850 to store a file
 * again.
 */
export const MAX_DATABASES = 100;

/** The tasks that a database serves beside its senders: docs/evidence.md#scale. */
export const TASKS_A_SECOND = 8;
/** More tasks than fit into this time begin faster, so that they don't wait for the next sweep. */
export const SPREAD_SECONDS = 240;

export const MIN_ADMIN_TOKEN_CHARS = 32;

/** An application of Cloudflare Access, which signs people in to the console. */
export interface AccessSettings {
  /** The team's URL, which issues the tokens. */
  team: string;
  /** The application's audience tag. */
  audience: string;
}

/** Reads the application that signs people in; `null` without one. @throws RangeError that names the variable */
export function accessSettings(env: {
  ACCESS_TEAM_DOMAIN?: string | undefined;
  ACCESS_AUD?: string | undefined;
}): AccessSettings | null {
  const { ACCESS_TEAM_DOMAIN: team = "", ACCESS_AUD: audience = "" } = env;
  if (team === "" && audience === "") return null;
  const url = URL.parse(team);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
  if (url === null || !isSafe || url.href !== `${url.origin}/`)
    throw new RangeError("ACCESS_TEAM_DOMAIN must be the URL of a team, such as https://team.cloudflareaccess.com");
  if (!/^\S+$/.test(audience)) throw new RangeError("ACCESS_AUD must be the audience tag of the team's application");
  return { team: url.origin, audience };
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Messages in 10 s. One Durable Object decides 1,000 requests a second, so such a sender must batch: docs/evidence.md. */
export const MAX_WRITE_LIMIT = 100_000;

export const DEFAULT_PAGE_ROWS = 50;
export const MAX_PAGE_ROWS = 200;

/** How far ahead an inbox item can be snoozed: a year, even a leap year. */
export const MAX_SNOOZE_DAYS = 366;

export const RETRY_AFTER_FAULT_SECONDS = 1;
/** The periods of `CLIENT_LIMITER` and `SIGN_IN_LIMITER` in `wrangler.toml`. */
export const CLIENT_LIMIT_SECONDS = 10;
export const SIGN_IN_LIMIT_SECONDS = 60;
/** The period of `SEND_LIMITER`. */
export const SEND_LIMIT_SECONDS = 60;
/** The period of `READ_LIMITER`. */
export const READ_LIMIT_SECONDS = 10;
/** The cron has to make room first. */
export const RETRY_AFTER_FULL_SECONDS = 60;
/** The workspace's messages have to be archived first. */
export const RETRY_AFTER_STORAGE_FULL_SECONDS = 3_600;

/** A sender may set its own request id. A longer one is replaced. */
export const MAX_REQUEST_ID_CHARS = 64;

/** The grace period after a run's budget. Then its lease is stale, and another run may start. */
export const MAX_RECOMPUTE_STALL_MS = 120_000;

// Each DEFAULT_… holds where wrangler.toml has no value for the variable of that name.
const DEFAULT_RECOMPUTE_BUDGET_MS = 20_000;
const DEFAULT_HOT_DAYS = 30;
const MIN_HOT_DAYS = 7;
const DEFAULT_ARCHIVE_DAYS = 400;
/** Days of messages that stay in a database with little room left. */
export const MIN_HOT_DAYS_IN_NEED = 3;
/** The size at which D1 refuses to grow. */
const DEFAULT_MAX_DATABASE_BYTES = 10_000_000_000;
const DEFAULT_HISTORY_DAYS = 800;
/** Scoring looks back up to 400 days: it leaves out the days of outages. */
const MIN_HISTORY_DAYS = 500;

/**
 * Reads how many days messages stay in the database, and then in the archive, and how many days counts and scores stay.
 * Messages are deleted if no days are archived.
 * @throws RangeError that names the variable, because a wrong retention would delete what is to be kept
 */
export const retentionSettings = (env: Env): { hotDays: number; archiveDays: number; historyDays: number } => ({
  hotDays: wholeNumber("HOT_DAYS", env.HOT_DAYS, MIN_HOT_DAYS, DEFAULT_HOT_DAYS),
  archiveDays: wholeNumber("ARCHIVE_DAYS", env.ARCHIVE_DAYS, 0, DEFAULT_ARCHIVE_DAYS),
  historyDays: wholeNumber("HISTORY_DAYS", env.HISTORY_DAYS, MIN_HISTORY_DAYS, DEFAULT_HISTORY_DAYS),
});

/**
 * Decides when messages leave the database, and when they leave the archive.
 * @returns the first day whose messages are still in the database (`hot`) and in the archive (`kept`), and whether there is
 *   no archive, so that messages are deleted (`isOff`)
 */
export function retentionBounds(env: Env, now: number): { hot: Day; kept: Day; isOff: boolean } {
  const { hotDays, archiveDays } = retentionSettings(env);
  const hot = Math.floor(now / DAY_MS) - hotDays;
  return { hot, kept: hot - archiveDays, isOff: archiveDays === 0 };
}

/** The first day whose counts are kept. */
export const historyFrom = (env: Env, now: number): Day =>
  Math.floor(now / DAY_MS) - retentionSettings(env).historyDays;

/**
 * Reads the settings of the recompute from the deployment's variables.
 * @throws RangeError, as `retentionSettings` does
 */
export const recomputeSettings = (env: Env): { budgetMs: number; historyDays: number } => ({
  budgetMs: wholeNumber("RECOMPUTE_BUDGET_MS", env.RECOMPUTE_BUDGET_MS, 1, DEFAULT_RECOMPUTE_BUDGET_MS),
  historyDays: retentionSettings(env).historyDays,
});

/** Reads how large a database may become. @throws RangeError, as `retentionSettings` does */
export const maxDatabaseBytes = (env: Env): number =>
  wholeNumber("MAX_DATABASE_BYTES", env.MAX_DATABASE_BYTES, 1, DEFAULT_MAX_DATABASE_BYTES);

/** Whether destinations on loopback are allowed, for receivers on a laptop. */
export const allowsLocalDestinations = (env: object): boolean =>
  "ALLOW_LOCAL_DESTINATIONS" in env && env.ALLOW_LOCAL_DESTINATIONS === "true";

/** Reads the fraction of successful requests that is logged. Without a valid one, all are. */
export function successSamplingRate({ SUCCESS_SAMPLING_RATE: text }: { SUCCESS_SAMPLING_RATE?: string }): number {
  const rate = Number(text);
  return rate > 0 && rate <= 1 ? rate : 1;
}

function wholeNumber(name: string, text: string | undefined, min: number, fallback: number): number {
  if (text === undefined || text === "") return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < min) {
    throw new RangeError(`${name} must be a whole number of at least ${min}`);
  }
  return number;
}
