/** Section 2: keys that an isolate has cached, while the directory doesn't answer. The workspace's data is in another database. */
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { elsewhere } from "../databases/second-database.ts";
import {
  D1_BROKEN,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  failing,
  sendWith,
  splitIsolates,
} from "../support/faulty-env.ts";
import { objectStorage } from "../support/full-workspace.ts";
import { capture } from "../support/messages.ts";
import { runCron } from "../support/run-cron.ts";
import { refusal } from "../support/send.ts";
import { admin, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";

const EVENTS = "/api/v1/events";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

type Directory = ReturnType<typeof databaseWith>;
const post = (key: string, { DB }: Pick<Directory, "DB">) =>
  sendWith(envWith({ DB }), "POST", EVENTS, capture(), bearer(key));
const read = (key: string, { DB }: Pick<Directory, "DB">) =>
  sendWith(envWith({ DB }), "GET", EVENTS, undefined, bearer(key));
const statuses = async (...answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

const up = () => databaseWith((run) => run());
const down = () => databaseWith(failing(D1_OVERLOADED));

let workspace: Awaited<ReturnType<typeof elsewhere>>;
let start: number;
const at = (ms: number) => vi.setSystemTime(start + ms);

beforeAll(() => {
  splitIsolates();
});
/** The key is cached at 0 s. The tests of a file share an isolate: an answer of the directory ends what it remembers. */
beforeEach(async () => {
  await eraseAllWorkspaces();
  start = Date.now();
  at(0);
  workspace = await elsewhere();
  await post(workspace.key, up());
});
afterEach(() => {
  vi.useRealTimers();
});

describe("§2 while the directory doesn't answer, a cached key", () => {
  it.each([D1_OVERLOADED, D1_BROKEN])("§2 writes and reads for 10 minutes (%s)", async (fault) => {
    for (const ms of [31 * SECOND, 5 * MINUTE, 10 * MINUTE - 1]) {
      at(ms);
      const { DB } = databaseWith(failing(fault));
      expect(await statuses(post(workspace.key, { DB }), read(workspace.key, { DB }))).toEqual([200, 200]);
    }
    at(10 * MINUTE);
    expect((await read(workspace.key, down())).status).toBe(503);
    expect(await read(workspace.key, up())).toMatchObject({ status: 200, body: { events: [{}, {}, {}, {}] } });
  });

  it("§2 costs one question to the directory in five seconds", async () => {
    const directory = down();
    at(31 * SECOND);
    await post(workspace.key, directory);
    expect(directory.trips()).toBe(1);
    for (const ms of [31, 33, 35.9]) {
      at(ms * SECOND);
      await statuses(post(workspace.key, directory), read(workspace.key, directory), post(workspace.key, directory));
    }
    expect(directory.trips()).toBe(1);
    at(36 * SECOND);
    const all = Array.from({ length: 10 }, () => read(workspace.key, directory));
    expect(new Set(await statuses(...all))).toEqual(new Set([200]));
    expect(directory.trips()).toBe(2);
  });

  it("§2 doesn't wait for an answer that never comes, and other keys don't either", async () => {
    const other = await elsewhere();
    await post(other.key, up());
    const directory = databaseWith(() => new Promise(() => undefined));
    at(31 * SECOND);
    expect((await read(workspace.key, directory)).status).toBe(200);
    expect(await statuses(read(workspace.key, directory), post(other.key, directory))).toEqual([200, 200]);
    expect(directory.trips()).toBe(1);
  });

  it("§2 is looked up again once the directory answers", async () => {
    at(31 * SECOND);
    await read(workspace.key, down());
    at(36 * SECOND);
    const directory = up();
    for (const ms of [36, 37, 65.9]) {
      at(ms * SECOND);
      await read(workspace.key, directory);
    }
    expect(directory.trips()).toBe(1);
    at(66 * SECOND);
    await read(workspace.key, directory);
    expect(directory.trips()).toBe(2);
  });

  it("§2 that was revoked writes nothing, and reads until the directory answers", async () => {
    const keyId = (await env.DB.prepare("SELECT id FROM api_keys").first<string>("id")) ?? "";
    await admin("DELETE", `/workspaces/${workspace.id}/keys/${keyId}`);
    at(31 * SECOND);
    expect((await read(workspace.key, down())).status).toBe(200);
    at(36 * SECOND);
    expect(await read(workspace.key, up())).toMatchObject(refusal(401, "unauthorized"));
    at(37 * SECOND);
    expect(await read(workspace.key, down())).toMatchObject(refusal(503, "unavailable"));
  });

  it("§2 that was revoked is forgotten after its first write", async () => {
    const keyId = (await env.DB.prepare("SELECT id FROM api_keys").first<string>("id")) ?? "";
    await admin("DELETE", `/workspaces/${workspace.id}/keys/${keyId}`);
    at(31 * SECOND);
    expect(await post(workspace.key, down())).toMatchObject(refusal(401, "unauthorized"));
    expect(await read(workspace.key, down())).toMatchObject(refusal(503, "unavailable"));
    expect(await env.DB_1.prepare("SELECT count(*) AS n FROM messages").first("n")).toBe(1);
  });

  it.each([2, 9])(
    "§9 of an erased workspace gets 401 on a write after %i minutes, also from a restarted object",
    async (minutes) => {
      await admin("DELETE", `/workspaces/${workspace.id}`);
      await abortAllDurableObjects();
      at(minutes * MINUTE);
      expect(await post(workspace.key, down())).toMatchObject(refusal(401, "unauthorized"));
      expect(Object.keys((await objectStorage(workspace.id)).entries)).toEqual(["erasedUntil"]);
    },
  );

  it("§9.1 of a workspace that has moved reads its old database, which still has the messages, and writes to the new one", async () => {
    await admin("PATCH", "/databases/DB_2", { state: "open" });
    expect((await admin("POST", `/workspaces/${workspace.id}/move`, { database: "DB_2" })).status).toBe(202);
    for (const ms of [SECOND, 2 * SECOND, 9 * MINUTE]) {
      at(ms);
      await runCron(start + ms);
    }
    expect((await workspace.ref()).database).toBe("DB_2");
    expect(await read(workspace.key, down())).toMatchObject({ status: 200, body: { events: [{}] } });
    expect((await post(workspace.key, down())).status).toBe(200);
    expect(await env.DB_2.prepare("SELECT count(*) AS n FROM messages").first("n")).toBe(2);
  });
});

describe("§8 while the directory doesn't answer", () => {
  it("§8 a key that no isolate has cached gets 503, and junk 401", async () => {
    const { key } = await elsewhere();
    at(31 * SECOND);
    const directory = down();
    for (const each of [key, key]) expect(await read(each, directory)).toMatchObject(refusal(503, "unavailable"));
    expect(directory.trips()).toBe(2);
    expect((await read("bik_junk", directory)).status).toBe(401);
  });

  it("§8 a workspace in the directory's database gets 503", async () => {
    const { key } = await newWorkspace();
    await post(key, up());
    at(31 * SECOND);
    expect(await statuses(post(key, down()), read(key, down()))).toEqual([503, 503]);
  });

  it("§6.2 erasing a person gets 503, because it doesn't ask the limiter", async () => {
    at(31 * SECOND);
    const { DB } = down();
    const erasure = sendWith(envWith({ DB }), "DELETE", "/api/v1/users/u1", undefined, bearer(workspace.key));
    expect(await erasure).toMatchObject(refusal(503, "unavailable"));
  });

  it("§1 the service isn't ready, although it serves cached keys", async () => {
    at(31 * SECOND);
    const { DB } = down();
    expect((await sendWith(envWith({ DB }), "GET", "/readyz")).status).toBe(503);
    expect((await post(workspace.key, { DB })).status).toBe(200);
  });
});
