/**
 * Simulates a database day by day, scaled down: accounts, messages and the size of the database are divided by the same
 * number, and days are not. So its share of the limit is the same as in full size, but files are smaller.
 */
import { AT_LIMIT, messagesOf, ORDINARY } from "./day.ts";
import { DATABASE_BYTES, serveStorage } from "./serve.ts";

/** A few simulated workspaces send the messages of all these, scaled down. */
const ORDINARY_WORKSPACES = 200;
const SIMULATED_WORKSPACES = 2;

const FIRST_DAY = 20_000;
/** The days in each printed line of progress. */
const DAYS_PER_LINE = 30;

const TABLES = ["messages", "rollups", "account_days", "health_days", "archive_files"];

/** The figures of a year, at full size. */
export interface Year {
  messagesPerDay: number;
  /** The size after each day, as a share of the database's limit. */
  shares: number[];
  /** The maximum number in an invocation, as simulated. */
  statements: number;
  bytes: number;
  archivedMessages: number;
  tables: { name: string; rows: number; bytes: number }[];
}

export async function simulateYear(scale: number, days: number): Promise<Year> {
  const accounts = (ORDINARY.accounts * ORDINARY_WORKSPACES) / SIMULATED_WORKSPACES / scale;
  const ordinary = Array.from({ length: SIMULATED_WORKSPACES }, () => ({ ...ORDINARY, accounts }));
  const senders = [{ ...AT_LIMIT, accounts: AT_LIMIT.accounts / scale }, ...ordinary];
  await using worker = await serveStorage(senders.length, scale);
  const shares: number[] = [];
  let statements = 0;
  for (let day = 1; day <= days; day += 1) {
    const figures = await worker.passDay({ day: FIRST_DAY + day, senders });
    shares.push((figures.bytes * scale) / DATABASE_BYTES);
    statements = Math.max(statements, figures.statements);
    if (day % DAYS_PER_LINE === 0) console.error(`done: day ${day}`);
  }
  const { value: archived } = await worker.ask("SELECT sum(last - first + 1) FROM archive_files");
  const { value: hot, bytes } = await worker.ask("SELECT count(*) FROM messages");
  const perDay = senders.reduce((sum, sender) => sum + messagesOf(sender), 0);
  if (archived + hot !== perDay * days) throw new Error(`${perDay * days} messages became ${archived + hot}.`);

  // D1 doesn't say how large a table is, but how much smaller the database is without it.
  const tables: Year["tables"] = [];
  for (const name of TABLES) {
    const before = await worker.ask(`SELECT count(*) FROM ${name}`);
    const after = await worker.ask(`DELETE FROM ${name}`);
    tables.push({ name, rows: before.value * scale, bytes: (before.bytes - after.bytes) * scale });
  }
  const [messagesPerDay, archivedMessages] = [perDay * scale, archived * scale];
  return { messagesPerDay, shares, statements, bytes: bytes * scale, archivedMessages, tables };
}
