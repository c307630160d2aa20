/**
 * The drill of docs/restore.md: databases of `npm start` go back to an earlier point while senders send, and
 * `npm run databases -- reconcile` repairs the rest. Every message is counted.
 */
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import type { Workspace } from "../harness/admin-client.ts";
import { startGroup } from "../harness/process-group.ts";
import { type Service, startService } from "../harness/service.ts";
import { oneOf } from "../thorough.ts";

const RUN_MS = 120_000;
const ROUND_MS = 300_000;
/** A round ends each of its stages after this many acknowledgements. */
const ACKNOWLEDGEMENTS = 60;
const MAX_REQUESTS = 20_000;

type Name = "DB" | "DB_1";

interface Sender extends Workspace {
  database: Name;
  acknowledged: Set<string>;
  /** Those acknowledged before the restore point. */
  kept: Set<string>;
}

let service: Service;
let senders: Sender[];
let files: Record<Name, string>;

beforeAll(async () => {
  service = await startService(2);
  senders = await Promise.all((["DB", "DB_1", "DB_1"] as const).map(newSender));
  const hashes = await databaseFiles();
  const holder = (id: string) => hashes.find((file) => holds(file, id)) ?? "";
  files = { DB: holder(senders[0]?.id ?? ""), DB_1: holder(senders[1]?.id ?? "") };
});
afterAll(() => service[Symbol.asyncDispose]());

async function newSender(database: Name): Promise<Sender> {
  const workspace = await service.createWorkspace({ writeLimit: 100_000, database });
  return { ...workspace, database, acknowledged: new Set(), kept: new Set() };
}

const folder = () => join(service.stateDir, "v3/d1/miniflare-D1DatabaseObject");
const databaseFiles = async () => (await readdir(folder())).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));

function holds(file: string, id: string): boolean {
  using database = new DatabaseSync(join(folder(), file), { readOnly: true });
  return database.prepare("SELECT 1 FROM workspace_states WHERE id = ?").get(id) !== undefined;
}

/** Copies a database with the log of its last transactions. */
async function copyDatabase(file: string, from: string, to: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) {
    await rm(join(to, file + suffix), { force: true });
    await copyFile(join(from, file + suffix), join(to, file + suffix)).catch(() => undefined); // there may be no log
  }
}

const post = ({ key }: Workspace, path: string, body: unknown): Promise<Response> =>
  fetch(service.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const track = (messageId: string, userId = `user ${messageId.slice(0, 1)}`) => {
  return { type: "track", messageId, userId, event: "Report Exported", properties: { id: messageId } };
};

/** Sends for all workspaces until `stop` is called or nothing answers. @returns also how far they are */
function stream(to: readonly Sender[]) {
  const stopping = new AbortController();
  let [requests, count] = [0, 0];
  const run = async (sender: Sender): Promise<void> => {
    while (!stopping.signal.aborted && (requests += 1) < MAX_REQUESTS) {
      const id = randomUUID();
      const response = await post(sender, "/v1/track", track(id)).catch(() => null);
      if (response?.status === 200) {
        sender.acknowledged.add(id);
        count += 1;
      }
      await response?.text().catch(() => undefined);
    }
  };
  const running = Promise.all(to.flatMap((sender) => [run(sender), run(sender)]));
  const until = (acknowledgements: number) =>
    expect.poll(() => count, { timeout: RUN_MS }).toBeGreaterThan(acknowledgements);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { until, stop, count: () => count };
}

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

/** Exports the ids of a workspace's messages. */
async function exported({ key }: Workspace): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | null = `/api/v1/export?from=${day(-1)}&to=${day(1)}`; path !== null;) {
    const response: Response = await fetch(new URL(path, service.url), { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    ids.push(
      ...(await response.text())
        .split("\n")
        .filter(Boolean)
        .map((line) => z.object({ message_id: z.string() }).parse(JSON.parse(line)).message_id),
    );
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
  }
  return ids;
}

/** Runs the command as the page says. */
async function reconcile(...options: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ADMIN_TOKEN: service.adminToken, PORT: new URL(service.url).port };
  const group = startGroup("npm", ["run", "databases", "--", "reconcile", ...options], { env });
  return { code: await group.end(RUN_MS), output: group.output() };
}

const lines = (output: string, finding: string): string[] =>
  output.split("\n").filter((line) => line.includes(` ${finding}:`));

describe("§9 the drill", () => {
  it.each(oneOf<{ restored: Name[] }>([{ restored: ["DB_1"] }, { restored: ["DB"] }, { restored: ["DB", "DB_1"] }]))(
    "keeps every message that the restored state has, once, and nothing that was erased, after a restore of $restored",
    async ({ restored }) => {
      const doomed = await newSender("DB_1");
      const person = `person ${randomUUID()}`;
      const last = senders.at(-1) ?? doomed;
      await post(last, "/v1/track", track(`of ${person}`, person));
      const before = stream([...senders, doomed]);
      await before.until(ACKNOWLEDGEMENTS);
      await service.kill();
      await before.stop();
      for (const sender of senders) sender.kept = new Set(sender.acknowledged);
      const copies = join(service.stateDir, "copies");
      await mkdir(copies, { recursive: true });
      for (const name of restored) await copyDatabase(files[name], folder(), copies);
      await service.restart();

      const after = stream(senders);
      expect((await post(last, "/api/v1/users/erase", { userId: person })).status).toBe(200);
      expect((await service.admin("DELETE", `/admin/workspaces/${doomed.id}`)).ok).toBe(true);
      const later = await newSender("DB_1");
      const afterwards = stream([later]);
      await Promise.all([after.until(ACKNOWLEDGEMENTS), afterwards.until(10)]);
      await service.kill();
      await Promise.all([after.stop(), afterwards.stop()]);
      for (const name of restored) await copyDatabase(files[name], copies, folder());
      await service.restart();

      const during = stream(senders);
      const stranger = await newSender("DB_1");
      const { output, code } = await reconcile();
      expect([code, lines(output, "erased_again")]).toEqual([0, [expect.stringContaining(doomed.id)]]);
      expect(lines(output, "people_erased")).toHaveLength(restored.includes("DB_1") ? 1 : 0);
      expect(lines(output, "entry_missing")).toHaveLength(restored.includes("DB") ? 1 : 0);
      expect(lines(output, "state_missing")).toHaveLength(restored.includes("DB_1") ? 1 : 0);
      await during.until(ACKNOWLEDGEMENTS);
      await during.stop();
      await expect.poll(async () => (await reconcile()).output).toContain("Nothing to repair.");

      if (restored.includes("DB")) {
        const response = await service.admin("POST", `/admin/workspaces/${later.id}/keys`, {});
        later.key = z.object({ key: z.object({ key: z.string() }) }).parse(await response.json()).key.key;
      }
      if (restored.includes("DB_1")) later.acknowledged.clear();
      expect(await exported(stranger)).toEqual([]);
      const found = new Set(await exported(later));
      expect([...later.acknowledged].filter((id) => !found.has(id))).toEqual([]);
      // The kill may have cut off the answers to its two senders.
      expect(found.size - later.acknowledged.size).toBeLessThanOrEqual(restored.includes("DB_1") ? 0 : 2);
      for (const sender of senders) {
        const ids = await exported(sender);
        const own = new Set(ids);
        expect(ids).toHaveLength(own.size);
        const isRestored = restored.includes(sender.database);
        const expected = isRestored ? sender.kept : sender.acknowledged;
        expect([...expected].filter((id) => !own.has(id))).toEqual([]);
        expect([...own].filter((id) => id === `of ${person}`)).toEqual([]);
        // What was acknowledged between the point and the restore is gone, until the senders repeat it.
        const lost = [...sender.acknowledged].filter((id) => !own.has(id));
        expect(lost.length > 0).toBe(isRestored);
        for (const id of lost) expect((await post(sender, "/v1/track", track(id))).status).toBe(200);
        expect(new Set(await exported(sender))).toEqual(new Set([...own, ...sender.acknowledged]));
      }
      expect((await post(doomed, "/v1/track", track("x"))).status).toBe(401);
    },
    ROUND_MS,
  );
});

describe("§9 reconcile", () => {
  it("says that --start-empty named no lost workspace", async () => {
    const { code, output } = await reconcile("--start-empty", "ws_unknown");
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("--start-empty did nothing: ws_unknown has no finding data_lost."),
    ]);
  });

  it("ends with exit code 2 while a move only needs time", { timeout: RUN_MS }, async () => {
    const { id } = await newSender("DB_1");
    expect((await service.admin("POST", `/admin/workspaces/${id}/move`, { database: "DB" })).status).toBe(202);
    const { code, output } = await reconcile();
    expect([code, lines(output, "busy")]).toEqual([2, [expect.stringMatching(/It moves from DB_1 to DB: \w+\./)]]);
  });

  it("lists its options", async () => {
    const { code, output } = await reconcile("--help");
    expect([code, output]).toEqual([0, expect.stringContaining("[--erase-copies] [--start-empty WORKSPACE_ID]")]);
  });
});
