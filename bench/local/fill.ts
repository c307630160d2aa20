/** Fills a database with SQL, in the form that ingest stores. Requests would take longer than the measurement. */
import { DAY_MS } from "../../src/core/durations.ts";

export const WORKSPACE = 1;
/** The number before a workspace's first row. */
export const base = (workspace: number): number => workspace * 2 ** 32;
/** The number of the bench workspace's row `n`, in SQL. */
export const own = (n: string): string => `(${base(WORKSPACE)} + ${n})`;
/** A Thursday, five minutes past midnight. The day before was a working day and is complete. */
export const NOW = Date.UTC(2026, 10, 19, 0, 5);
export const TODAY = Math.floor(NOW / DAY_MS);

/** Keeps a statement well below a second. */
const ROWS_PER_STATEMENT = 50_000;

/** Spreads the numbers of a column `i` evenly and repeatably, differently for each `place`. */
export const spread = (i: string, over: number | string, place: 0 | 1 | 2 | 3): string =>
  `((((${i} * ${[2_654_435_761, 2_246_822_519, 3_266_489_917, 668_265_263][place]}) & 0xffffffff) >> 11) % ${over})`;

/** Runs a statement for the numbers from 1 to `count`, in `n(i)`. */
export async function forEachNumber(database: D1Database, count: number, sql: string): Promise<void> {
  const [into = "", select = ""] = sql.split("SELECT", 2);
  const statement = database.prepare(
    `${into} WITH RECURSIVE n(i) AS (SELECT cast(?1 AS integer) UNION ALL SELECT i + 1 FROM n WHERE i < ?2) SELECT ${select}`,
  );
  for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
    await statement.bind(from, Math.min(from + ROWS_PER_STATEMENT - 1, count)).run();
  }
}

/** Creates a workspace with accounts, and the same number of users for each, in order. */
export async function fillWorkspace(database: D1Database, accounts: number, usersEach: number): Promise<void> {
  await database.batch(
    [
      "INSERT INTO workspaces (number, id, name, write_limit, database, created_at) VALUES (?1, 'ws_bench', 'Bench', 1000, 'DB', 0)",
      "INSERT INTO workspace_states (number, id, state) VALUES (?1, 'ws_bench', 'live')",
    ].map((sql) => database.prepare(sql).bind(WORKSPACE)),
  );
  await forEachNumber(
    database,
    accounts,
    `INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
     SELECT ${own("i")}, printf('acc_%024x', i), ${WORKSPACE}, 'company', 'company-' || i, 0 FROM n`,
  );
  await forEachNumber(
    database,
    accounts * usersEach,
    `INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at)
     SELECT ${own("i")}, printf('usr_%024x', i), ${WORKSPACE}, 'user-' || i, ${own(`(i - 1) / ${usersEach} + 1`)}, 'implied', 0 FROM n`,
  );
}

/** The beginning of an INSERT, before the values. */
export const INSERT_MESSAGES = `
INSERT INTO messages (workspace, source, ingest_id, type, seq, message_id, account, user, event, properties, attributes,
  occurred_at, received_at)`;

/** The accounts and users that the log names, its event names, and its days. */
export const LOG = { accounts: 2_000, usersEach: 5, events: 8, days: 90 };
/** One in this many messages has attributes of its account. */
const ATTRIBUTED = 20;

/** Inserts messages of random users and events, spread over the days before today. */
export async function fillLog(database: D1Database, workspace: number, messages: number): Promise<void> {
  const [account, user, event] = [
    spread("i", LOG.accounts, 0),
    spread("i", LOG.usersEach, 1),
    spread("i", LOG.events, 2),
  ];
  const occurredAt = `${NOW - LOG.days * DAY_MS} + i * ${(LOG.days - 1) * DAY_MS} / ${messages}`;
  await forEachNumber(
    database,
    messages,
    `${INSERT_MESSAGES}
     SELECT ${workspace}, 'cdp', i / 1000, 'track', ${base(workspace)} + i, printf('%08x-%08x', ${spread("i", 2 ** 21, 3)}, i),
       ${base(workspace)} + ${account} + 1, ${base(workspace)} + ${account} * ${LOG.usersEach} + ${user} + 1, 'report.event-' || ${event},
       '{"pages":12,"format":"pdf","source":"dashboard"}',
       iif(i % ${ATTRIBUTED} = 0, json_object('plan', 'team', 'seats', 5 + ${account} % 7, 'mrr', 400, 'currency', 'EUR'), NULL),
       ${occurredAt}, ${occurredAt} + 2000
     FROM n`,
  );
}
