/** docs/wire/export.md §17: other programs read the archive. */
import { mkdtempDisposable, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";

import { writeParquet } from "../../../src/archive/parquet.ts";
import type { ArchivedMessage } from "../../../src/core/archive/message.ts";
import { archiveKey } from "../../../src/core/archive/file-names.ts";
import { DAY_MS } from "../../../src/core/durations.ts";

const DAY = 20_780;

const messageOf = (day: number, place: number): ArchivedMessage => ({
  messageId: `m${place}`,
  type: place % 10 === 0 ? "identify" : "track",
  source: "cdp",
  accountId: place % 3 === 0 ? null : `account ${place % 3}`,
  accountKind: place % 3 === 0 ? null : "company",
  userId: `u${place % 7}`,
  event: place % 10 === 0 ? null : `event.${place % 2}`,
  properties: place % 10 === 0 ? null : JSON.stringify({ n: place, path: `/päge/${place}` }),
  attributes: null,
  occurredAt: day * DAY_MS + place,
  receivedAt: day * DAY_MS + place * 2,
  user: (place % 7) + 1,
});

it("§17 DuckDB reads files with their partitions, times and JSON", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "archive-"));
  for (const [day, count] of [
    [DAY, 3_000],
    [DAY + 1, 100],
  ] as const) {
    const path = join(folder.path, archiveKey("ws_1", { day, first: 1, last: count }));
    await mkdir(dirname(path), { recursive: true });
    const messages = Array.from({ length: count }, (_, place) => messageOf(day, place));
    await writeFile(path, new Uint8Array(writeParquet(messages)));
  }
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  const read = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowsJson();
  // Times are moments, whatever the time zone of the reader.
  await duckdb.run("SET TimeZone = 'America/New_York'");
  const source = `read_parquet('${folder.path}/v1/*/*/*.parquet', hive_partitioning = true)`;
  expect(await read(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`)).toEqual([
    ["message_id", "VARCHAR"],
    ["type", "VARCHAR"],
    ["source", "VARCHAR"],
    ["account_id", "VARCHAR"],
    ["account_kind", "VARCHAR"],
    ["user_id", "VARCHAR"],
    ["event", "VARCHAR"],
    ["properties", "VARCHAR"],
    ["attributes", "VARCHAR"],
    ["occurred_at", "TIMESTAMP WITH TIME ZONE"],
    ["received_at", "TIMESTAMP WITH TIME ZONE"],
    ["received_date", "DATE"],
  ]);
  expect(
    await read(`SELECT received_date, event, count(*)::INT, sum((properties->>'n')::INT)::INT FROM ${source}
      WHERE event IS NOT NULL GROUP BY ALL ORDER BY ALL`),
  ).toEqual([
    ["2026-11-23", "event.0", 1_200, 1_800_000],
    ["2026-11-23", "event.1", 1_500, 2_250_000],
    ["2026-11-24", "event.0", 40, 2_000],
    ["2026-11-24", "event.1", 50, 2_500],
  ]);
  expect(
    await read(
      `SELECT min(received_at)::VARCHAR, properties->>'path' FROM ${source} WHERE message_id = 'm1' GROUP BY 2`,
    ),
  ).toEqual([["2026-11-22 19:00:00.002-05", "/päge/1"]]);
});
