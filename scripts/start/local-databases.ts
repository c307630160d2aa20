/** The files of the local databases. */
import { createHash, createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { bindingOf } from "../wrangler-toml.ts";
import { MAX_DATABASES, type Settings, StartFailure } from "./settings.ts";

const CLASS = "miniflare-D1DatabaseObject";

/** Finds the file of a database with this id, which miniflare names as Durable Objects are named. */
export function fileOf(stateDir: string, databaseId: string): string {
  const key = createHash("sha256").update(CLASS).digest();
  const sign = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const name = sign(databaseId);
  return join(stateDir, "v3/d1", CLASS, `${Buffer.concat([name, sign(name)]).toString("hex")}.sqlite`);
}

/**
 * Fails when the folder has more databases than will run: requests of workspaces in the others would return 500.
 * @throws StartFailure
 */
export function requireAllDatabases({ stateDir, databases }: Settings): void {
  const numbers = Array.from({ length: MAX_DATABASES }, (_, number) => number);
  const last = numbers.findLast((number) => number > 0 && existsSync(fileOf(stateDir, bindingOf(number)))) ?? 0;
  if (last < databases) return;
  const text = `${stateDir} has ${last + 1} databases. Start all of them: DATABASES=${last + 1} npm start`;
  throw new StartFailure(text);
}
