/** Counts the rows that D1 bills for messages that go through the real ingest and the real recompute. */
import { storeBatch } from "../../src/db/ingest/store-messages.ts";
import { recompute } from "../../src/services/recompute/recompute-workspaces.ts";
import { CREATE_EVENTS } from "../ingest/workers/naive-table.ts";
import { environmentOf, withDatabase } from "../local/database.ts";
import { Meter } from "../local/meter.ts";
import type { Workload } from "./workloads.ts";

export interface Rows {
  read: number;
  written: number;
}

export interface Measured {
  name: string;
  /** Messages in a request. */
  size: number;
  /** Rows per message. */
  ingest: Rows;
  recompute: Rows;
}

const MESSAGES = 3_000;
const WORKSPACE = { id: "ws_cost", number: 1, database: "DB" };
const NOON_OF_THE_NEXT_DAY = Date.UTC(2026, 10, 2, 12);

export const measure = (workload: Workload): Promise<Measured> =>
  withDatabase(async (database) => {
    await database
      .prepare("INSERT INTO workspace_states (number, id, state) VALUES (?, ?, 'live')")
      .bind(WORKSPACE.number, WORKSPACE.id)
      .run();
    const meter = new Meter(database);
    const send = async (messages: number) => {
      for (let sent = 0; sent < messages; sent += workload.size) {
        await storeBatch(environmentOf(meter), WORKSPACE, "key_1", workload.next());
      }
      return rowsEach(meter, messages);
    };
    // New users and accounts cost more, but only once.
    await send(MESSAGES);
    const ingest = await send(MESSAGES);
    await recompute(environmentOf(meter), {
      now: NOON_OF_THE_NEXT_DAY,
      trigger: "admin",
      clock: Date.now,
      budgetMs: 60_000,
    });
    return { name: workload.name, size: workload.size, ingest, recompute: rowsEach(meter, 2 * MESSAGES) };
  });

/** Counts the rows of the naive Worker, which are the same in a batch. */
export const measureNaive = (): Promise<Rows> =>
  withDatabase(async (database) => {
    await database.prepare(CREATE_EVENTS).run();
    const meter = new Meter(database);
    await meter.prepare("INSERT INTO events (message_id, type) VALUES (?, ?)").bind("m1", "track").run();
    return rowsEach(meter, 1);
  });

function rowsEach(meter: Meter, messages: number): Rows {
  const { rowsRead, rowsWritten } = meter.take();
  return { read: rowsRead / messages, written: rowsWritten / messages };
}
