/**
 * Sends strings that try to break out of SQL, JSON, JSON paths, patterns and object keys through every operation that
 * stores something. They come back unchanged, nothing else changes, and no SQL text contains them.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { admin, ADMIN_HEADERS, type TestWorkspace } from "../support/workspace.ts";
import { rowsOfWorkspace } from "./workspace-rows.ts";
import { cases } from "../../thorough.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Marks each string, so that the test finds it anywhere. */
const MARK = "qqmark";

const FRAGMENTS = [
  ..."' \" ` \\ '' /* */ -- ; ?1 :a $1 % _ * [ ] [0] $ $.a $[#-1] # . { } , [] {} null char(1) 1e999 -0 NaN".split(" "),
  ..."__proto__ constructor toString hasOwnProperty &amp; ${a} {{a}} acc_0123456789abcdef01234567 İ ﬁ é 😀 𐀀".split(
    " ",
  ),
  "'; DROP TABLE messages; --",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  '$."a"',
  '":"',
  " ",
  "é".normalize("NFD"),
  // Right-to-left override and zero-width space.
  String.fromCodePoint(0x20_2e),
  String.fromCodePoint(0x20_0b),
];
const hostile = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 5 })
  .map((fragments) => `${MARK}${fragments.join("")}${MARK}`);
/** Values may contain characters that names must not. */
const value = fc.oneof(
  hostile,
  fc.constantFrom("\u0000", "\u0001", "\ud800", "\r\n", "\u2028").map((one) => `${MARK}${one}${MARK}`),
);
/** Returns the stored form: UTF-8 has no lone surrogates. */
const asStored = (text: string): string => text.toWellFormed();

const at = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`;

/** Returns all rows of a workspace, except the time of its last fold. */
async function rowsBut({ ref }: TestWorkspace): Promise<Record<string, string[]>> {
  const { folds: _folds, ...rows } = await rowsOfWorkspace(await ref());
  return rows;
}

/** Wraps the database, and records the text of each statement. */
function recordingDatabase(): { DB: D1Database; statements: Set<string> } {
  const statements = new Set<string>();
  const DB = new Proxy(env.DB, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === "prepare") {
        return (sql: string) => {
          statements.add(sql);
          return target.prepare(sql);
        };
      }
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { DB, statements };
}

describe("§3 §4 §5 hostile strings", () => {
  it("§3 §4 §6 §9 come back unchanged, are in no SQL text, and change no other workspace", async () => {
    const bystander = await newIdentifiedWorkspace();
    await admin("POST", "/recompute");
    const untouched = await rowsBut(bystander);
    const { DB, statements } = recordingDatabase();
    const changed = envWith({ DB });

    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, value, async (accountId, userId, key, text) => {
        const { id, key: bearer } = await newIdentifiedWorkspace();
        const send = (method: string, path: string, body?: unknown) =>
          sendWith(changed, method, path, body, {
            headers: {
              ...ADMIN_HEADERS,
              ...(path.startsWith("/admin") ? {} : { Authorization: `Bearer ${bearer}` }),
            },
          });
        const read = async (path: string) => {
          const { status, body, text: told } = await send("GET", path);
          expect(status, `${path}: ${told}`).toBe(200);
          return body;
        };
        const properties = { [key]: text, deep: [{ [key]: text }] };
        const stored = { [key]: asStored(text), deep: [{ [key]: asStored(text) }] };

        await send("POST", "/api/v1/events", { accountId, userId, event: "a.b", accountPlan: key, properties });
        const traits = { [key]: text };
        // The strings may be equal, but message ids must differ.
        const { body: batch } = await send("POST", "/api/v1/cdp", [
          { type: "group", groupId: accountId, userId, traits, messageId: `${key}1` },
          { type: "identify", userId, traits, messageId: `${userId}2` },
          { type: "track", userId, event: key, properties, messageId: `${accountId}3` },
          { type: "track", userId, event: null, properties, messageId: "rejected" },
        ]);
        expect(batch.rejected).toHaveLength(1);
        const identity = { company: accountId, name: userId };
        await send("POST", "/api/v1/identity", { accountId, userId, traits: identity });
        await send("PATCH", `/admin/workspaces/${id}`, { name: key });
        await send("PUT", `/admin/workspaces/${id}/dpa`, { acceptedBy: key, version: userId });
        await send("POST", "/admin/recompute");

        const ref = { externalId: accountId, kind: "company" };
        const { events = [] } = await read("/api/v1/events");
        expect(events.slice(0, 2).map((event) => event["properties"])).toEqual([stored, stored]);
        expect(events.slice(0, 2)).toMatchObject([
          { account: ref, user: { externalId: userId } },
          { account: ref, user: { externalId: userId } },
        ]);
        const { user } = await read(at("/api/v1/users", userId));
        expect(user).toMatchObject({ externalId: userId, account: ref, identity: { name: userId } });
        expect(Object(user).traits).toEqual({ [key]: asStored(text) });
        const { account } = await read(at("/api/v1/accounts", accountId));
        expect(account).toMatchObject({ ...ref, attributes: { plan: key }, identity: { company: accountId } });
        const { rejected = [] } = await read("/api/v1/rejected");
        expect(rejected[0]).toMatchObject({ messageId: "rejected", userId, properties: stored });
        const { workspace } = await read(`/admin/workspaces/${id}`);
        expect(workspace).toMatchObject({ name: key, dpa: { acceptedBy: key, version: userId } });

        for (const question of [`How many events did "${accountId}" have?`, `What plan is ${accountId} on?`, text]) {
          const { status } = await send("POST", "/api/v1/ask", { question, accountId, userId, feature: key });
          expect(status).toBe(200);
        }
        expect((await send("DELETE", at("/api/v1/users", userId))).status).toBe(200);
        expect((await send("GET", at("/api/v1/users", userId))).status).toBe(404);
        await admin("DELETE", `/workspaces/${id}`);
      }),
      { numRuns: cases(12) },
    );

    expect(statements.size).toBeGreaterThan(50);
    expect([...statements].filter((sql) => sql.toLowerCase().includes(MARK))).toEqual([]);
    expect(await rowsBut(bystander)).toEqual(untouched);
  });
});
