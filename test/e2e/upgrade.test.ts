/**
 * The upgrade from version 0.2.0 on a filled database. While it is deployed, old code runs on the new schema, because
 * migrations come first. New code runs on the old schema when somebody has forgotten the migrations.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";

import { type Client, createClient, dataOf } from "../../clients/typescript/src/client.ts";
import { DAY_MS } from "../../src/core/durations.ts";
import { buildWorker, type WorkerModule } from "../harness/build-worker.ts";
import { migrate, migrationFiles } from "../harness/migrate.ts";
import { PROJECT_ROOT } from "../harness/project-root.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";

/** The last commit of version 0.2.0: the next one begins `Unreleased` in CHANGELOG.md. */
const RELEASE = "bf05a68d21b9c8d6e5fb1d1cd0c36841f58d8281";

let folder: string;
let oldConfig: string;
let [oldCode, newCode]: WorkerModule[][] = [];
let newMigrations: string[];
let storage: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  const root = join(folder, "old");
  mkdirSync(root);
  execFileSync("tar", ["-x", "-C", root], { input: archiveOf(RELEASE) });
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  oldConfig = join(root, "wrangler.toml");
  const old = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  for (const name of old) {
    const [then, now] = [root, PROJECT_ROOT].map((from) => readFileSync(join(from, "migrations", name), "utf8"));
    if (then !== now) throw new Error(`migrations/${name} has changed since 0.2.0. Databases have applied it already.`);
  }
  newMigrations = migrationFiles().filter((name) => !old.includes(name));
  [oldCode, newCode] = await Promise.all([buildWorker(undefined, oldConfig), buildWorker()]);
});
beforeEach(() => {
  storage = mkdtempSync(join(folder, "storage-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function archiveOf(commit: string): Buffer {
  const parts = ["src", "migrations", "wrangler.toml", "package.json", "tsconfig.json", "tsconfig.base.json"];
  try {
    return execFileSync("git", ["archive", commit, ...parts], { cwd: PROJECT_ROOT, maxBuffer: 50_000_000 });
  } catch (cause) {
    throw new Error("This test needs the code of version 0.2.0. Fetch the whole history: git fetch --unshallow.", {
      cause,
    });
  }
}

const serveOld = (prepare = nothing) => serveWorker(oldCode ?? [], { config: oldConfig, storage, prepare });
const serveNew = () => serveWorker(newCode ?? [], { storage, prepare: nothing });
const nothing = (_database: D1Database): Promise<unknown> => Promise.resolve();
const onOldSchema = (database: D1Database) =>
  migrate(
    database,
    migrationFiles().filter((name) => !newMigrations.includes(name)),
  );

interface Sender {
  id: string;
  key: string;
}

const clientOf = ({ url }: ServedWorker, { key }: Sender): Client => createClient({ url, key, maxAttempts: 1 });

/** Sixty days of two accounts; globex has been silent for two weeks. */
function history(event: string) {
  const messages = [];
  for (let ago = 60; ago > 0; ago -= 1) {
    const timestamp = new Date(Date.now() - ago * DAY_MS);
    if (timestamp.getUTCDay() % 6 === 0) continue;
    for (const accountId of ago > 14 ? ["acme", "globex"] : ["acme"])
      messages.push(track(`${event}-${accountId}-${ago}`, accountId, event, timestamp));
  }
  return messages;
}

const track = (messageId: string, accountId: string, event: string, timestamp = new Date()) => ({
  type: "track" as const,
  messageId,
  userId: `${accountId}-user`,
  event,
  timestamp: timestamp.toISOString(),
  properties: { accountId, accountSeats: 8, accountMrr: 400, accountCurrency: "USD" },
});

const send = (client: Client, batch: ReturnType<typeof history>) =>
  dataOf(client.POST("/api/v1/cdp", { body: { batch } }));

const capture = (client: Client) =>
  dataOf(client.POST("/api/v1/events", { body: { accountId: "acme", userId: "acme-user", event: "captured" } }));

async function recompute(worker: ServedWorker, { id }: Sender): Promise<void> {
  await expect
    .poll(async () => (await worker.admin("POST", `/admin/workspaces/${id}/recompute`)).json())
    .toMatchObject({ complete: true });
}

/** Reads what people see first: accounts and items. */
async function read(client: Client) {
  const [{ accounts }, { items }] = await Promise.all([
    dataOf(client.GET("/api/v1/accounts")),
    dataOf(client.GET("/api/v1/inbox")),
  ]);
  return {
    accounts: accounts.map(({ externalId }) => String(externalId)).toSorted(),
    items: items.map(({ kind, account }) => `${kind} of ${account?.externalId}`).toSorted(),
  };
}

/** Reads each feature's events, first day and last day. */
const features = (client: Client) =>
  Promise.all(
    ["events", "first_seen", "last_seen"].map(async (measure) => {
      const query = { find: "features", show: "list", measure, window: { all: true } } as const;
      const answer = await dataOf(client.POST("/api/v1/query", { body: query }));
      return answer.knows ? answer.value : answer.reason;
    }),
  );

/** Serves old code on a filled database of its own version. */
async function fill(): Promise<Sender> {
  await using old = await serveOld(onOldSchema);
  const sender = await old.createWorkspace({ writeLimit: 100_000 });
  expect((await send(clientOf(old, sender), history("report_exported"))).rejected).toEqual([]);
  await recompute(old, sender);
  return sender;
}

/** What docs/operations.md says to run once the new code has all the traffic. */
function eventDays(): string {
  const guide = readFileSync(join(PROJECT_ROOT, "docs/operations.md"), "utf8");
  const [, statement] = /wrangler d1 execute DB --remote --command "(UPDATE event_names [^"]+)"/.exec(guide) ?? [];
  if (statement === undefined) throw new Error("docs/operations.md has no statement for event names.");
  return statement;
}

/** Counts the stored messages with the new code alone, instead of what earlier runs have counted. */
async function rebuild(worker: ServedWorker, sender: Sender): Promise<void> {
  expect((await worker.admin("POST", `/admin/workspaces/${sender.id}/rebuild`)).status).toBe(202);
  await recompute(worker, sender);
}

it("old code works on the new schema, and the new code reads what it has written", async () => {
  const sender = await fill();
  const during = history("board_shared");
  /** Uses the old code: it stores, reads and folds. */
  const useOld = async (batch: ReturnType<typeof history>, prepare?: typeof nothing) => {
    await using old = await serveOld(prepare);
    const client = clientOf(old, sender);
    expect(await read(client)).toEqual({ accounts: ["acme", "globex"], items: ["health_dropped of globex"] });
    expect(await send(client, batch)).toMatchObject({ stored: batch.length, duplicates: 0 });
    await capture(client);
    expect((await old.admin("GET", "/readyz")).status).toBe(200);
    await recompute(old, sender);
  };
  /** Uses the new code, and compares what the old code has counted with a rebuild. @returns the events of each feature */
  const useNew = async () => {
    await using upgraded = await serveNew();
    const client = clientOf(upgraded, sender);
    expect((await upgraded.admin("GET", "/readyz")).status).toBe(200);
    expect(await send(client, during)).toMatchObject({ stored: 0, duplicates: during.length });
    await send(client, [track(`new-${Math.random()}`, "acme", "board_shared")]);
    await capture(client);
    await recompute(upgraded, sender);
    await upgraded.database.prepare(eventDays()).run();
    const counted = [await read(client), await features(client)];
    await rebuild(upgraded, sender);
    expect([await read(client), await features(client)]).toEqual(counted);
    return z.array(z.object({ externalId: z.string(), events: z.number() })).parse((await features(client))[0]);
  };

  await useOld(during, (database) => migrate(database, newMigrations));
  const reports = history("report_exported").length;
  expect(await useNew()).toEqual(
    expect.arrayContaining([
      { externalId: "board_shared", events: during.length + 1 },
      { externalId: "report_exported", events: reports },
      { externalId: "captured", events: 2 },
    ]),
  );
  // After a rollback, and when the new code is deployed again.
  await useOld(history("board_printed"));
  expect(await useNew()).toContainEqual({ externalId: "captured", events: 4 });
});

it("new code on the old schema says what is missing, and stores what it accepts once the migrations have run", async () => {
  const sender = await fill();
  const batch = history("board_shared");
  {
    await using early = await serveNew();
    const client = clientOf(early, sender);
    const ready = await early.admin("GET", "/readyz");
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      {
        code: "unavailable",
        message: expect.stringMatching(/^A migration is missing\. DB: no such (table|column): \w/),
      },
    ]);
    for (const call of [() => send(client, batch), () => capture(client), () => read(client)])
      await expect(call()).rejects.toMatchObject({ code: "unavailable", response: { status: 503 } });
    expect((await early.admin("POST", `/admin/workspaces/${sender.id}/recompute`)).status).toBeGreaterThanOrEqual(500);
    await migrate(early.database, newMigrations);
  }
  await using complete = await serveNew();
  const client = clientOf(complete, sender);
  expect((await complete.admin("GET", "/readyz")).status).toBe(200);
  expect(await send(client, batch)).toMatchObject({ stored: batch.length, duplicates: 0 });
  await recompute(complete, sender);
  const counted = [await read(client), await features(client)];
  await rebuild(complete, sender);
  expect([await read(client), await features(client)]).toEqual(counted);
});
