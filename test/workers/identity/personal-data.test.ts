/** docs/wire/personal-data.md §5, docs/wire/identity.md §6: identity traits are stored only in their own tables. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { tablesWith } from "../support/database.ts";
import { D1_BROKEN, D1_OVERLOADED, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { send } from "../support/send.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { IDENTITY, jsonBearer, newIdentityWorkspace } from "./identified-workspace.ts";

const DAY_MS = 86_400_000;
const TRAITS = { company: "Qqacme Holding", name: "Qqjo Doe", email: "qqjo@qqmail.example" };
const BODY = { accountId: "acme", userId: "u1", traits: TRAITS };
/** The traits as sent, and as names fold them. */
const SECRETS = [...Object.values(TRAITS), "qqacme holding", "qqjo doe", "qqjo qqmail example"];
const OWN_TABLES = new Set(["identity_traits", "names"]);

const lines: string[] = [];
let workspace: TestWorkspace;
beforeAll(async () => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void lines.push(words.map(String).join(" ")));
  }
  workspace = await newIdentityWorkspace();
});
afterAll(() => {
  vi.restoreAllMocks();
});

async function elsewhere(secrets = SECRETS): Promise<string[]> {
  const found = [];
  for (const secret of secrets) {
    for (const table of await tablesWith(secret)) if (!OWN_TABLES.has(table)) found.push(`${table}: ${secret}`);
  }
  return [...found, ...lines.filter((line) => line.toLowerCase().includes("qq"))];
}

/** Sends the events of a user who falls silent, so that outcomes mention them. */
async function sendHistory(): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const batch = Array.from({ length: 120 }, (_, ago) => {
    const timestamp = new Date(today - (ago + 1) * DAY_MS).toISOString();
    const busy = ["u2", "u3"].map((userId) => ({ type: "track", userId, accountId: "globex", event: "a", timestamp }));
    const quiet = { type: "track", userId: "u1", accountId: "acme", event: "a", timestamp };
    return ago > 30 ? [...busy, quiet] : busy;
  }).flat();
  expect((await workspace.post("/api/v1/cdp", { batch })).status).toBe(200);
}

describe("§6 identity traits", () => {
  it("§6 are in no table and no log line if the call is refused", async () => {
    await sendHistory();
    expect((await workspace.attach(BODY)).status).toBe(403);
    await workspace.accept();
    const bodies = [
      { ...BODY, userId: "nobody" },
      { ...BODY, traits: { ...TRAITS, email: "qqjo" } },
      { ...BODY, traits: { ...TRAITS, name: "Qqjo\nDoe" } },
      { ...BODY, traits: [TRAITS] },
      `{"traits":{"name":"Qqjo Doe"`,
      `"qqjo@qqmail.example"`,
    ];
    for (const body of bodies) expect([400, 404]).toContain((await workspace.attach(body)).status);
    const plain = { headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "text/plain" } };
    expect((await send("POST", IDENTITY, BODY, plain)).status).toBe(415);
    const found = await elsewhere();
    for (const secret of SECRETS) found.push(...(await tablesWith(secret)));
    expect(found).toEqual([]);
  });

  it("§6 are in no log line and no response if D1 fails at any round trip", async () => {
    await sendWith(envWith({}), "GET", "/api/v1/users/u1", undefined, jsonBearer(workspace.key));
    for (const message of [D1_BROKEN, D1_OVERLOADED]) {
      for (const at of [1, 2, 3]) {
        const { DB } = databaseWith((run, number) => (number === at ? failing(message)(run, number) : run()));
        const answer = await sendWith(envWith({ DB }), "POST", IDENTITY, BODY, jsonBearer(workspace.key));
        expect(answer.status).toBeGreaterThanOrEqual(500);
        expect(answer.text.toLowerCase()).not.toContain("qq");
      }
    }
    expect(await elsewhere()).toEqual([]);
    expect(lines.length).toBeGreaterThan(6);
  });

  it("§6 are only in their own tables, not in outcomes or reads", async () => {
    expect((await workspace.attach(BODY)).status).toBe(200);
    await admin("POST", "/recompute");
    expect(await elsewhere()).toEqual([]);
    const { get } = await workspace.newKey(["read"]);
    const { body } = await get("/api/v1/inbox");
    expect(body["items"]).not.toEqual([]);
    const paths = ["events", "accounts", "accounts/acme", "users/u1", "inbox", "inbox?status=resolved", "rejected"];
    for (const path of paths) {
      const { status, text } = await get(`/api/v1/${path}`);
      expect(status).toBe(200);
      expect(text.toLowerCase(), path).not.toContain("qq");
    }
  });

  it("§6 are nowhere after they were removed", async () => {
    const traits = { company: null, name: null, email: null };
    expect((await workspace.attach({ ...BODY, traits })).status).toBe(200);
    for (const secret of SECRETS) expect(await tablesWith(secret), secret).toEqual([]);
    expect(await elsewhere()).toEqual([]);
  });

  it("§5 are removed from messages", async () => {
    const traits = { ...TRAITS, role: "admin" };
    await workspace.post("/api/v1/cdp", { type: "identify", userId: "u1", traits });
    await workspace.post("/api/v1/cdp", {
      type: "group",
      userId: "u1",
      groupId: "acme",
      traits: { name: "Qqacme Holding" },
    });
    for (const secret of SECRETS) expect(await tablesWith(secret), secret).toEqual([]);
  });
});
