/** Starts the three Workers, each on its own workerd. */
import { fileURLToPath } from "node:url";

import { buildWorker } from "../../test/harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../test/harness/serve-worker.ts";
import { CREATE_EVENTS } from "./workers/naive-table.ts";

/** The highest limit that a workspace may have: 10,000 messages a second. */
const WRITE_LIMIT = 100_000;
/** Enough workspaces to admit everything that one machine can send. */
const WORKSPACES = 8;

export interface Services extends AsyncDisposable {
  floor: ServedWorker;
  naive: ServedWorker;
  ours: ServedWorker;
  /** Keys of workspaces that admit everything. */
  keys: string[];
  /** A key of a workspace with the default limit. */
  limitedKey: string;
}

const createEvents = (database: D1Database) => database.prepare(CREATE_EVENTS).run();
const file = (name: string) => fileURLToPath(new URL(`workers/${name}`, import.meta.url));

export async function startServices(): Promise<Services> {
  await using stack = new AsyncDisposableStack();
  const baseline = async (entry: string) => {
    const config = file("wrangler.toml");
    return stack.use(await serveWorker(await buildWorker(file(entry), config), { config, prepare: createEvents }));
  };
  const floor = await baseline("floor.ts");
  const naive = await baseline("naive.ts");
  const ours = stack.use(await serveWorker(await buildWorker()));
  const keys: string[] = [];
  while (keys.length < WORKSPACES) keys.push((await ours.createWorkspace({ writeLimit: WRITE_LIMIT })).key);
  const { key: limitedKey } = await ours.createWorkspace();
  const started = stack.move();
  return { floor, naive, ours, keys, limitedKey, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
