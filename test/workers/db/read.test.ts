/** Readers read in batches that check the workspace. Nothing else compiles. */
import { count, eq } from "drizzle-orm";
import { env } from "cloudflare:workers";
import { describe, expect, expectTypeOf, it } from "vitest";

import { newBatch } from "../../../src/db/client/batch.ts";
import type { Database, WorkspaceRef } from "../../../src/db/client/database.ts";
import { expression } from "../../../src/db/client/expression.ts";
import { prepareQuery } from "../../../src/db/client/prepare.ts";
import { newReadSession, readQueries, readStatements } from "../../../src/db/client/read.ts";
import { users } from "../../../src/db/schema/schema.ts";
import { capture } from "../support/messages.ts";
import { newWorkspace } from "../support/workspace.ts";

const COUNT_USERS = prepareQuery(
  { users: expression<number>("count(*)") },
  (columns) => `SELECT ${columns} FROM users WHERE workspace = :workspace`,
);
const queryUsers = (db: Database, { number }: WorkspaceRef) =>
  db.select({ users: count() }).from(users).where(eq(users.workspace, number));

/** The three ways to read. */
const WAYS = {
  readQueries: async (workspace: WorkspaceRef) =>
    (await readQueries(env, workspace, (db) => [queryUsers(db, workspace)]))[0][0]?.users,
  readStatements: async (workspace: WorkspaceRef) =>
    (await readStatements(env, workspace, [COUNT_USERS.bind({ workspace: workspace.number })]))[0].results[0]?.users,
  newBatch: async (workspace: WorkspaceRef) => {
    const batch = newBatch(env, workspace);
    const read = batch.add(COUNT_USERS);
    await batch.run();
    return read()[0]?.users;
  },
};

describe.each(Object.entries(WAYS))("%s", (_, read) => {
  it("reads the rows of a workspace", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", capture());
    expect(await read(await workspace.ref())).toBe(1);
  });

  it("throws for the number of another workspace", async () => {
    const workspace = await newWorkspace();
    const id = "ws_000000000000000000000000";
    await expect(read({ ...(await workspace.ref()), id })).rejects.toMatchObject({ kind: "absent" });
  });
});

describe("readQueries", () => {
  it("types rows by their queries", () => {
    const own = { id: "ws_0", number: 1, database: "DB" };
    const read = () => readQueries(env, own, (db) => [queryUsers(db, own), db.select({ id: users.id }).from(users)]);
    expectTypeOf<Awaited<ReturnType<typeof read>>[0]>().toEqualTypeOf<{ users: number }[]>();
    expectTypeOf<Awaited<ReturnType<typeof read>>[1]>().toEqualTypeOf<{ id: string }[]>();
  });

  it("doesn't compile with a query that runs inside of it", () => {
    const own = { id: "ws_0", number: 1, database: "DB" };
    // @ts-expect-error the list is a promise
    const awaiting = () => readQueries(env, own, (db) => queryUsers(db, own).then((rows) => [rows]));
    // @ts-expect-error a promise is no query
    const running = () => readQueries(env, own, (db) => [queryUsers(db, own).execute()]);
    expect([awaiting, running]).toHaveLength(2);
  });
});

describe("a session", () => {
  it("demands of its later calls what D1 has told the first one", async () => {
    const session = newReadSession(env, "DB");
    expect(session.getBookmark()).toBeNull();
    await session.batch([session.prepare("SELECT 1")]);
    expect(session.getBookmark()).toEqual(expect.any(String));
  });
});
