/** Computes costs, compares the figures with their thresholds, and prints them for people. */
import { max, sum } from "d3-array";

import { PRICES } from "../cost/prices.ts";
import { atLeast, atMost, number, row, type Threshold, thresholdRow } from "../local/table.ts";
import type { ArchiveCost } from "./archive.ts";
import { type StorageBill, storageBillOf } from "./bill.ts";
import { AT_LIMIT, messagesOf } from "./day.ts";
import type { Year } from "./year.ts";

const SECONDS_PER_DAY = 86_400;
const DAYS_PER_MONTH = 365 / 12;
const BYTES_IN_GB = 1_000_000_000;
/** Where a task stops. D1 allows 1,000. */
const MAX_STATEMENTS = 800;
const DERIVED = new Set(["rollups", "account_days", "health_days"]);
const SHOWN_DAYS = [30, 91, 182, 273, 365];

export interface Report {
  thresholds: Threshold[];
  archive: ArchiveCost;
  bill: StorageBill;
  year: Year;
  /** The bytes of an account's rollups, summaries and health for a day. */
  accountDayBytes: number;
  /** A month at the end of the year, in dollars and GB. */
  month: { archivedGigabytes: number; database: number; archive: number; moving: number; allInDatabase: number };
}

export function reportOf(archive: ArchiveCost, year: Year): Report {
  const bill = storageBillOf(archive);
  const millionsPerMonth = (year.messagesPerDay * DAYS_PER_MONTH) / 1_000_000;
  const millions = year.archivedMessages / 1_000_000;
  const derived = year.tables.filter(({ name }) => DERIVED.has(name));
  const accountDays = year.tables.find(({ name }) => name === "account_days")?.rows ?? 0;
  const database = (year.bytes / BYTES_IN_GB) * PRICES.databaseGigabytes.each;
  return {
    thresholds: [
      atMost("Share of the database, the most", max(year.shares) ?? 0, 0.6),
      atLeast("Cost of a stored message-year, D1 against R2", (12 * bill.hotMonth) / bill.archivedYear, 10),
      atLeast(
        "Messages archived against stored at the limit",
        (archive.messagesPerSecond * SECONDS_PER_DAY) / messagesOf(AT_LIMIT),
        10,
      ),
      atMost("Statements of an invocation", year.statements, MAX_STATEMENTS),
    ],
    archive,
    bill,
    year,
    accountDayBytes: sum(derived, ({ bytes }) => bytes) / accountDays,
    month: {
      archivedGigabytes: (millionsPerMonth * archive.archivedBytes) / 1_000,
      database,
      archive: (millions * bill.archivedYear) / 12,
      moving: millionsPerMonth * bill.move,
      allInDatabase: database + millions * bill.hotMonth,
    },
  };
}

export function table({ thresholds, archive, bill, year, accountDayBytes, month }: Report): string {
  const days = SHOWN_DAYS.filter((day) => day <= year.shares.length);
  const { fileMessages, hotBytes, archivedBytes, rows, messagesPerSecond } = archive;
  return [
    ...thresholds.map(thresholdRow),
    "",
    row("Day", days.map(number)),
    row(
      "Share of the database",
      days.map((day) => number(year.shares[day - 1] ?? 0)),
    ),
    "",
    row("Tables at the end", ["rows", "GB", "bytes each"]),
    ...year.tables.map(({ name, rows: count, bytes }) =>
      row(`  ${name}`, [count, bytes / BYTES_IN_GB, bytes / count].map(number)),
    ),
    "",
    row("Bytes of an account-day, without its messages", [number(accountDayBytes)]),
    row("Messages of a full file; archived per second", [fileMessages, messagesPerSecond].map(number)),
    row("Bytes of a message: in D1, in R2", [hotBytes, archivedBytes].map(number)),
    row("D1 rows to archive a message: read, written", [rows.read, rows.written].map(number)),
    row(
      "Dollars per million: a month in D1, moving, a year in R2",
      [bill.hotMonth, bill.move, bill.archivedYear].map(number),
    ),
    row("R2, GB more each month", [number(month.archivedGigabytes)]),
    row("Dollars a month at the end: D1, R2, moving", [month.database, month.archive, month.moving].map(number)),
    row("The same with all messages in D1", [number(month.allInDatabase)]),
  ].join("\n");
}
