/**
 * A directory entry that was inserted by hand after a restore may have the number of another workspace. Its keys can then do
 * nothing with that one's data: every transaction and every read of a key compares the id too.
 */
import * as fc from "fast-check";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { configureLimiter } from "../../../src/limiter/call-limiter.ts";
import { DIRECTORY_TABLES } from "../guard/workspace-databases.ts";
import { emptyTables } from "../support/database.ts";
import { setEntry } from "../support/half-changed.ts";
import { runCron } from "../support/run-cron.ts";
import { send } from "../support/send.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { CANARIES, newTenant, START, type Tenant, withOutcomes } from "./tenant.ts";
import { OPERATIONS } from "./tenant-operations.ts";
import { requestOf } from "./tenant-play.ts";
import { rowsOfWorkspace } from "./workspace-rows.ts";
import { cases } from "../../thorough.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(START);
});
afterEach(() => {
  vi.useRealTimers();
});

const [THEIRS, OWN] = CANARIES;
const LAST = "DELETE /admin/workspaces/:id";
const DRAWS = fc.sample(fc.array(fc.nat(2_519), { minLength: 16, maxLength: 16 }), { seed: 1, numRuns: cases(6) });

/** Gives the number of a workspace to another id in the directory. */
async function withWrongEntry(theirs: Tenant): Promise<Tenant> {
  const id = `ws_00000000000000000${theirs.number}`;
  await setEntry(theirs.workspace, { id, name: "Wrong" });
  await emptyTables(["api_keys", "agreements"]);
  const { body } = await admin("POST", `/workspaces/${id}/keys`, {});
  const { key = "", id: keyId = "" } = body.key ?? {};
  await configureLimiter(env, id, { limit: 1_000, database: "DB_1" });
  const workspace: TestWorkspace = { ...theirs.workspace, id, key, keyId };
  return { ...theirs, canary: OWN, workspace, ref: { ...theirs.ref, id } };
}

/** What the database holds under the number. */
async function held({ ref }: Tenant): Promise<Record<string, string[]>> {
  const rows = Object.entries(await rowsOfWorkspace(ref));
  return Object.fromEntries(rows.filter(([table]) => !DIRECTORY_TABLES.has(table)));
}

describe("§1 an entry with another workspace's number", () => {
  it("§1 reads and changes nothing of the other, by any operation", { timeout: 300_000 }, async () => {
    const made = await newTenant(THEIRS);
    await admin("POST", "/recompute");
    const theirs = await withOutcomes(made);
    const own = await withWrongEntry(theirs);
    const before = await held(theirs);
    expect(JSON.stringify(before)).toContain(THEIRS);
    const routes = Object.keys(OPERATIONS).filter((route) => route !== LAST);
    for (const route of [...routes, LAST]) {
      for (const draws of DRAWS) {
        const { method, path, body, init } = requestOf(own, theirs, { by: 0, route, draws });
        const { text } = await send(method, path, body, init);
        // A question is repeated in its answer.
        const asksForTheirs = `${path} ${JSON.stringify(body)}`.includes(THEIRS);
        expect(asksForTheirs ? "" : text, route).not.toContain(THEIRS);
        expect(await held(theirs), route).toEqual(before);
      }
    }
  });

  it("§9 shows no figures of the other, and doesn't move, archive or rebuild it", async () => {
    const theirs = await newTenant(THEIRS);
    const { workspace } = await withWrongEntry(theirs);
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({ id: workspace.id, counters: { stored: 0, rejected: 0 } });
    const before = await held(theirs);
    await admin("POST", `/workspaces/${workspace.id}/archive`, { through: new Date().toISOString().slice(0, 10) });
    await admin("POST", `/workspaces/${workspace.id}/move`, { database: "DB_2" });
    for (let run = 0; run < 3; run += 1) await runCron(Date.now());
    const after = await held(theirs);
    expect(after["messages"]).toEqual(before["messages"]);
    expect(after["workspace_states"]).toEqual(before["workspace_states"]);
  });
});
