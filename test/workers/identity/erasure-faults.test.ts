/** Section 6: an erasure that is cut short, and one that ingest, folds and other erasures come between. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { eraseUser, finishUserErasures } from "../../../src/db/users/erase-user.ts";
import worker from "../../../src/index.ts";
import { batchOf } from "../db/message-arbitraries.ts";
import { tablesWith } from "../support/database.ts";
import {
  D1_BROKEN,
  D1_LOST,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { admin } from "../support/workspace.ts";
import { type IdentifiedWorkspace, jsonBearer, newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";

/** So far apart are a person's events that the log between them is walked in three steps. */
const LOG_ROWS = 50_000;

let workspace: IdentifiedWorkspace;
/** Begins all texts of a test, since its database is that of the file. */
let mark = "qq0";
beforeEach(async () => {
  workspace = await newIdentifiedWorkspace();
  mark = `qq${(await workspace.ref()).number}`;
});

const first = () => `${mark}first`;
const last = () => `${mark}last`;

const track = (userId: string, text: string) => ({ type: "track", userId, event: "a", properties: { text } });

/** With the person's events at both ends of a long log, of which there is little left between them; and a warm key. */
async function withLongLog(logRows = LOG_ROWS): Promise<void> {
  const { number } = await workspace.ref();
  await workspace.post("/api/v1/cdp", [{ ...track("person", first()), messageId: "first" }]);
  await env.DB.prepare(
    `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, occurred_at, received_at)
     VALUES ((?1 << 32) + ?2, ?1, 'cdp', 'filler', 1, 'identify', 1, 1)`,
  )
    .bind(number, logRows)
    .run();
  await workspace.post("/api/v1/cdp", [track("person", last())]);
  await sendWith(envWith({}), "GET", "/api/v1/events?limit=1", undefined, jsonBearer(workspace.key));
}

/** Of somebody without an account: its traits are theirs, and its attributes wait. */
const BACK: Message = {
  index: 0,
  type: "identify",
  messageId: "again",
  userId: "ghost",
  accountId: null,
  event: null,
  properties: null,
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
const grant = async () => ({ keyId: workspace.keyId, workspace: await workspace.ref(), scopes: null });

describe("§6 an erasure that is cut short", () => {
  it("§6 makes the person unknown at once, and goes on where it stopped, by the cron", async () => {
    await withLongLog();
    expect(await erasing((run, number) => (number > 2 ? Promise.reject(new Error(D1_BROKEN)) : run()))).toEqual({
      status: 500,
      trips: 3,
    });
    expect((await workspace.get("/api/v1/users/person")).status).toBe(404);
    expect(await tablesWith(first())).toEqual([]);
    expect(await tablesWith(last())).toEqual(["messages"]);
    expect(await pending()).toMatchObject([{ next_seq: expect.any(Number) }]);
    await admin("POST", "/recompute");
    const scheduledTime = new Date(Date.UTC(2100, 0, 1, 6, 7));
    await worker.scheduled(createScheduledController({ scheduledTime, cron: "*/5 * * * *" }), env);
    expect([await tablesWith(last()), await pending()]).toEqual([[], []]);
  });

  it("§6 is finished by the same call made again", async () => {
    await withLongLog();
    await erasing((run, number) => (number > 1 ? Promise.reject(new Error(D1_OVERLOADED)) : run()));
    expect(await tablesWith(first())).toEqual(["messages"]);
    expect(await erasing((run) => run())).toEqual({ status: 200, trips: 5 });
    expect([await tablesWith(first()), await tablesWith(last()), await pending()]).toEqual([[], [], []]);
  });

  it.each([1, 2, 3, 4, 5])("§6 whose answer of round trip %i is lost is done all the same", async (at) => {
    await withLongLog();
    const lost: Trip = async (run, number) => {
      const done = await run();
      if (number === at) throw new Error(D1_LOST);
      return done;
    };
    const { status, trips } = await erasing(lost);
    expect(status).toBe(200);
    // A step that is asked for once more goes on from where it had come.
    expect(trips).toBe(at === 2 || at === 3 ? 5 : 6);
    expect([await tablesWith(first()), await tablesWith(last()), await pending()]).toEqual([[], [], []]);
  });

  it("§6 refused by an overloaded database has changed nothing", async () => {
    await withLongLog();
    expect(await erasing(() => Promise.reject(new Error(D1_OVERLOADED)))).toEqual({ status: 503, trips: 1 });
    expect((await workspace.get("/api/v1/users/person")).status).toBe(200);
    expect(await tablesWith(first())).toEqual(["messages"]);
  });

  it("§9 goes with its workspace", async () => {
    await withLongLog();
    await erasing((run, number) => (number > 1 ? Promise.reject(new Error(D1_BROKEN)) : run()));
    expect(await pending()).toHaveLength(1);
    const { number } = await workspace.ref();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    expect(await rowsOf("SELECT * FROM user_erasures WHERE workspace = ?", number)).toEqual([]);
    await finishUserErasures(env);
  });
});

describe("§6 a log that is too long for one call", () => {
  it("§6 is walked by as many as it takes: 503 until the erasure is through, though the id is unknown at once", async () => {
    await withLongLog(5_000_000);
    await workspace.post("/api/v1/cdp", { type: "identify", userId: "person", traits: { role: `${mark}role` } });
    await workspace.attach({ userId: "person", traits: { name: `${mark}name` } });
    const answers = [];
    for (let call = 0; call < 3; call += 1) {
      answers.push(await workspace.erase("person"));
      expect((await workspace.get("/api/v1/users/person")).status).toBe(404);
      for (const text of ["role", "name"]) expect(await tablesWith(`${mark}${text}`)).toEqual([]);
    }
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.body.error).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("in progress"),
    });
    expect(answers[0]?.headers.get("Retry-After")).toMatch(/^[1-9]/);
    expect([await tablesWith(first()), await tablesWith(last()), await pending()]).toEqual([[], [], []]);
  });

  it("§6 the cron goes on with it, so many steps a run", async () => {
    await withLongLog();
    expect(await eraseUser(env, await grant(), "person", 1)).toBe("in_progress");
    await finishUserErasures(env, 1);
    expect(await tablesWith(last())).toEqual(["messages"]);
    await finishUserErasures(env, 1);
    expect([await tablesWith(last()), await pending()]).toEqual([[], []]);
  });

  it("§6 erasures that began together are one walk", async () => {
    await withLongLog();
    for (const person of ["a", "b"]) await workspace.post("/api/v1/cdp", [track(person, `${mark}${person}`)]);
    for (const person of ["a", "b", "person"]) await eraseUser(env, await grant(), person, 0);
    const { DB, trips } = databaseWith((run) => run());
    await finishUserErasures(envWith({ DB }));
    // What is pending, three steps, and the end.
    expect(trips()).toBe(5);
    expect([await tablesWith(mark), await pending()]).toEqual([[], []]);
  });

  it("§6 one that came far is not held up by those that begin after it", async () => {
    await workspace.post("/api/v1/cdp", [track("later", `${mark}later`)]);
    await withLongLog();
    await eraseUser(env, await grant(), "person", 2);
    await eraseUser(env, await grant(), "later", 1);
    expect([await tablesWith(last()), await tablesWith(`${mark}later`)]).toEqual([[], ["messages"]]);
    expect(await eraseUser(env, await grant(), "nobody")).toBe("erased");
    expect([await tablesWith(mark), await pending()]).toEqual([[], []]);
  });

  it("§6 the erasures of one workspace that fail leave those of others to the same run", async () => {
    const other = await newIdentifiedWorkspace();
    await withLongLog();
    await other.post("/api/v1/cdp", [track("person", `${mark}other`)]);
    await eraseUser(env, await grant(), "person", 0);
    await eraseUser(env, { keyId: other.keyId, workspace: await other.ref(), scopes: null }, "person", 0);
    const { DB } = databaseWith((run, number) => (number === 2 ? Promise.reject(new Error(D1_BROKEN)) : run()));
    await expect(finishUserErasures(envWith({ DB }))).rejects.toThrow(D1_BROKEN);
    expect([await tablesWith(`${mark}other`), await tablesWith(last())]).toEqual([[], ["messages"]]);
    await finishUserErasures(env);
    expect([await tablesWith(last()), await pending()]).toEqual([[], []]);
  });
});

describe("§6 what comes between", () => {
  it("§2 a key that was revoked erases nobody, though an isolate knows it", async () => {
    const { keyId } = await workspace.newKey();
    await workspace.revoke(keyId);
    expect(await eraseUser(env, { ...(await grant()), keyId }, "u1")).toBe("key_gone");
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(200);
  });

  it("§6 a message that arrives while the log is walked begins a new user, whom the walk leaves alone", async () => {
    await withLongLog();
    const answer = await erasing(async (run, number) => {
      if (number === 3)
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

  it("§6 events sent while the person is erased, many times at once, are stored once each, with the old user or the new", async () => {
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

  it.each(["before", "after"])(
    "§6 a write whose answer was lost, and which runs again %s the walk, puts nothing back",
    async (when) => {
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
        return eraseUser(envWith({ DB }), { keyId: workspace.keyId, workspace: ref, scopes: null }, "ghost");
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
    },
  );

  it("§6 several people of a workspace are erased at once", async () => {
    for (const person of ["a", "b", "c"]) await workspace.post("/api/v1/cdp", [track(person, "qqmany")]);
    await Promise.all(["a", "b", "c", "a"].map((person) => workspace.erase(person)));
    expect([await tablesWith("qqmany"), await pending()]).toEqual([[], []]);
  });
});
