/** The three Workers, side by side: each on a workerd of its own. */
import { fileURLToPath } from "node:url";

import { buildWorker } from "../../test/harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../test/harness/serve-worker.ts";
import { CREATE_EVENTS } from "./workers/naive-table.ts";

/** A workspace may have no higher limit: 10,000 messages a second. */
const WRITE_LIMIT = 100_000;
/** So many take what one machine can send. */
const WORKSPACES = 8;

export interface Services extends AsyncDisposable {
  floor: ServedWorker;
  naive: ServedWorker;
  ours: ServedWorker;
  /** Of workspaces that let in all that is sent. */
  keys: string[];
  /** Of a workspace with the usual limit. */
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
