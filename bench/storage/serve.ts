/** Serves the Worker that lets days pass, with empty workspaces. */
import { fileURLToPath } from "node:url";

import { buildWorker } from "../../test/harness/build-worker.ts";
import { migrate } from "../../test/harness/migrate.ts";
import { serveWorker } from "../../test/harness/serve-worker.ts";
import { type Day, DayFigures } from "./day.ts";

export const DATABASE_BYTES = 10_000_000_000;

const CREATE_WORKSPACE = `
INSERT INTO workspaces (number, id, name, write_limit, "database", created_at) VALUES (?1, 'ws_' || ?1, 'Bench', 100, 'DB', 0)`;
const CREATE_STATE = "INSERT INTO workspace_states (number, id, state) VALUES (?1, 'ws_' || ?1, 'live')";

export interface StorageWorker extends AsyncDisposable {
  /** Stores the messages of a day, and does everything that is due at its end. */
  passDay(day: Day): Promise<DayFigures>;
  /** Runs SQL. Returns the first column of the first row, and the size of the database. */
  ask(sql: string): Promise<{ value: number; bytes: number }>;
}

/** @param scale of the database: its size is divided by this number */
export async function serveStorage(workspaces: number, scale: number): Promise<StorageWorker> {
  const entry = fileURLToPath(new URL("worker.ts", import.meta.url));
  const worker = await serveWorker(await buildWorker(entry), {
    vars: { MAX_DATABASE_BYTES: String(DATABASE_BYTES / scale) },
    async prepare(database) {
      await migrate(database);
      for (let number = 1; number <= workspaces; number += 1) {
        await database.batch([CREATE_WORKSPACE, CREATE_STATE].map((sql) => database.prepare(sql).bind(number)));
      }
    },
  });
  return {
    async passDay(day) {
      const response = await fetch(worker.url, { method: "POST", body: JSON.stringify(day) });
      if (!response.ok) throw new Error(await response.text());
      return DayFigures.parse(await response.json());
    },
    async ask(sql) {
      const { results, meta } = await worker.database.prepare(sql).run<Record<string, number>>();
      return { value: Object.values(results[0] ?? {})[0] ?? 0, bytes: meta.size_after };
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
