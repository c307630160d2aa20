/** docs/wire/erasure.md §6.2: interrupted erasures, long logs, and concurrent messages and erasures. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { continueUserErasures, eraseUserRows } from "../../../src/db/users/erase-user-rows.ts";
import { batchOf } from "../db/message-arbitraries.ts";
import { tablesWith } from "../support/database.ts";
import { D1_BROKEN, D1_LOST, databaseWith, envWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { addMessageAt } from "../support/half-changed.ts";
import { heldQueue, runCron } from "../support/run-cron.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { jsonBearer, newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";

/** The distance between a person's events: the walk through the log takes three steps. */
const LOG_ROWS = 50_000;

let workspace: TestWorkspace;
/** Starts all texts of a test, because the tests of a file share the database. */
let mark = "qq0";
beforeEach(async () => {
  workspace = await newIdentifiedWorkspace();
  mark = `qq${(await workspace.ref()).number}`;
});

const first = () => `${mark}first`;
const last = () => `${mark}last`;

const track = (userId: string, text: string) => ({ type: "track", userId, event: "a", properties: { text } });

/** Puts the person's events at both ends of a long, sparse log, and caches the key. */
async function withLongLog(logRows = LOG_ROWS): Promise<void> {
  await workspace.post("/api/v1/cdp", [{ ...track("person", first()), messageId: "first" }]);
  await addMessageAt(await workspace.ref(), logRows);
  await workspace.post("/api/v1/cdp", [track("person", last())]);
  await sendWith(envWith({}), "GET", "/api/v1/events?limit=1", undefined, jsonBearer(workspace.key));
}

/** A message of a user without an account: its attributes are pending. */
const BACK: Message = {
  index: 0,
  type: "identify",
  messageId: "again",
  userId: "ghost",
  accountId: null,
  event: null,
  properties: null,
  accountTraits: null,
  traits: { role: "qqback" },
  attributes: { plan: "qqback" },
  occurredAt: 1,
  mapping: {},
};

const erasing = (trip: Trip) => {
  const { DB, trips } = databaseWith(trip);
  return sendWith(envWith({ DB }), "DELETE", "/api/v1/users/person", undefined, jsonBearer(workspace.key)).then(
    ({ status }) => ({ status, trips: trips() }),
  );
};
const pending = async () => rowsOf("SELECT * FROM user_erasures WHERE workspace = ?", (await workspace.ref()).number);

describe("§6.2 an interrupted erasure", () => {
  it("§6.2 makes the user unknown at once, and the queue continues where it stopped", async () => {
    await withLongLog();
    expect(await erasing((run, number) => (number > 4 ? Promise.reject(new Error(D1_BROKEN)) : run()))).toEqual({
      status: 500,
      trips: 5,
    });
    expect((await workspace.get("/api/v1/users/person")).status).toBe(404);
    expect(await tablesWith(first())).toEqual([]);
    expect(await tablesWith(last())).toEqual(["messages"]);
    expect(await pending()).toMatchObject([{ next_seq: expect.any(Number) }]);
    await admin("POST", "/recompute");
    await runCron(Date.UTC(2100, 0, 1, 6, 7));
    expect([await tablesWith(last()), await pending()]).toEqual([[], []]);
  });
});

describe("§6.2 a log too long for one call", () => {
  it("§6.2 returns 202, and the id is unknown at once", async () => {
    await withLongLog(5_000_000);
    await workspace.post("/api/v1/cdp", { type: "identify", userId: "person", traits: { role: `${mark}role` } });
    await workspace.attach({ userId: "person", traits: { name: `${mark}name` } });
    const { TASKS, queued } = heldQueue();
    const held = envWith({ TASKS });
    const answers = [];
    for (let call = 0; call < 3; call += 1) {
      answers.push(await sendWith(held, "DELETE", "/api/v1/users/person", undefined, jsonBearer(workspace.key)));
      expect((await workspace.get("/api/v1/users/person")).status).toBe(404);
      for (const text of ["role", "name"]) expect(await tablesWith(`${mark}${text}`)).toEqual([]);
    }
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 200]);
    expect(queued).toMatchObject([{ task: "erase_users" }, { task: "erase_users" }]);
    expect([await tablesWith(first()), await tablesWith(last()), await pending()]).toEqual([[], [], []]);
  });

  it("§6.2 the queue continues it within a number of steps per task", async () => {
    await withLongLog();
    const ref = await workspace.ref();
    expect(await eraseUserRows(env, ref, "person", 1)).toMatchObject({ outcome: "in_progress" });
    expect(await continueUserErasures(env, ref, 1)).toBe(false);
    expect(await tablesWith(last())).toEqual(["messages"]);
    expect(await continueUserErasures(env, ref, 1)).toBe(true);
    expect([await tablesWith(last()), await pending()]).toEqual([[], []]);
  });

  it("§6.2 erasures that start together share one walk", async () => {
    await withLongLog();
    for (const person of ["a", "b"]) await workspace.post("/api/v1/cdp", [track(person, `${mark}${person}`)]);
    for (const person of ["a", "b", "person"]) await eraseUserRows(env, await workspace.ref(), person, 0);
    const { DB, trips } = databaseWith((run) => run());
    await continueUserErasures(envWith({ DB }), await workspace.ref());
    // The list of pending erasures, three steps and the end.
    expect(trips()).toBe(5);
    expect([await tablesWith(mark), await pending()]).toEqual([[], []]);
  });

  it("§6.2 a later erasure does not delay an earlier one", async () => {
    await workspace.post("/api/v1/cdp", [track("later", `${mark}later`)]);
    await withLongLog();
    await eraseUserRows(env, await workspace.ref(), "person", 2);
    await eraseUserRows(env, await workspace.ref(), "later", 1);
    expect([await tablesWith(last()), await tablesWith(`${mark}later`)]).toEqual([[], ["messages"]]);
    expect(await eraseUserRows(env, await workspace.ref(), "nobody")).toMatchObject({ outcome: "erased" });
    expect([await tablesWith(mark), await pending()]).toEqual([[], []]);
  });
});

describe("§6.2 concurrent requests", () => {
  it("§2 a revoked key that an isolate has cached erases nobody", async () => {
    const { key, keyId } = await workspace.newKey();
    await sendWith(envWith({}), "GET", "/api/v1/events?limit=1", undefined, jsonBearer(key));
    await workspace.revoke(keyId);
    expect((await sendWith(envWith({}), "DELETE", "/api/v1/users/u1", undefined, jsonBearer(key))).status).toBe(401);
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(200);
  });

  it("§6.2 a message during the walk starts a new user, whom the walk leaves unchanged", async () => {
    await withLongLog();
    const answer = await erasing(async (run, number) => {
      if (number === 4)
        await workspace.post("/api/v1/cdp", [
          { type: "identify", userId: "person", traits: { role: "qqnew" } },
          track("person", "qqnew"),
        ]);
      return run();
    });
    expect(answer.status).toBe(200);
    expect((await tablesWith("qqnew")).toSorted()).toEqual(["messages", "traits"]);
    expect((await workspace.get("/api/v1/users/person")).body.user).toMatchObject({ traits: { role: "qqnew" } });
    expect(await tablesWith(last())).toEqual([]);
  });

  it("§6.2 concurrent events are stored once each, under the old or the new user", async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = `person${round}`;
      const sent = Array.from({ length: 8 }, (_, place) =>
        workspace.post("/api/v1/cdp", [
          { ...track(person, `qq${round}`), messageId: `${round}-${place}` },
          { type: "identify", userId: person, traits: { role: `qq${round}` }, messageId: `${round}-${place}-i` },
        ]),
      );
      const answers = await Promise.all([...sent, workspace.erase(person), workspace.erase(person)]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const rows = await rowsOf(
        `SELECT u.external_id, m.properties, t.value FROM messages m JOIN users u ON u.number = m.user
         LEFT JOIN traits t ON t.subject_kind = 'user' AND t.subject = u.number
         WHERE m.type = 'track' AND m.message_id GLOB '${round}-*' AND m.workspace = ?`,
        (await workspace.ref()).number,
      );
      expect(rows).toHaveLength(8);
      const [of, text] = [Map.groupBy(rows, (row) => row["external_id"] === person), `qq${round}`];
      expect(of.get(false)?.filter((row) => row["properties"] !== null || row["value"] !== null) ?? []).toEqual([]);
      expect(of.get(true)?.filter((row) => !String(row["properties"]).includes(text)) ?? []).toEqual([]);
      await workspace.erase(person);
      expect(await tablesWith(`qq${round}`)).toEqual([]);
    }
    expect(await pending()).toEqual([]);
  });

  it.each(["before", "after"])("§6.2 the retry of a lost write puts nothing back %s the walk", async (when) => {
    const [marked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ref = await workspace.ref();
    const erase = () => {
      const { DB } = databaseWith(async (run, number) => {
        if (number === 2) {
          marked.resolve();
          if (when === "before") await stored.promise;
        }
        return run();
      });
      return eraseUserRows(envWith({ DB }), ref, "ghost");
    };
    let erased: Promise<unknown> = Promise.resolve();
    const { DB, trips } = databaseWith(async (run, number) => {
      const done = await run();
      if (number > 1) return done;
      erased = erase();
      await (when === "before" ? marked.promise : erased);
      throw new Error(D1_LOST);
    });
    await storeBatch(envWith({ DB }), ref, "key_1", batchOf([BACK]));
    expect(trips()).toBe(2);
    stored.resolve();
    await erased;
    expect(await tablesWith("qqback")).toEqual([]);
  });
});
