/** Finds the names in a question, before and after a fold. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";

import { matchNames, nameLookup } from "../../../src/core/ask/reader/words/match-names.ts";
import { splitWords } from "../../../src/core/ask/reader/words/split-words.ts";
import { selectEventNames, selectNames } from "../../../src/db/ask/find-names.ts";
import { selectFreshness } from "../../../src/db/ask/freshness.ts";
import { MAX_TAIL } from "../../../src/db/ask/tail.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { fullScans } from "../costs/full-scans.ts";
import { capture, newMeter } from "../costs/meter.ts";
import { addNames, addTracks } from "../support/bulk-rows.ts";
import { emptyTables } from "../support/database.ts";
import { send } from "../support/send.ts";
import { admin } from "../support/workspace.ts";
import {
  DAY_MS,
  foldAll,
  messageOf,
  newToldWorkspace,
  NOW,
  TODAY,
  trackOf,
  type ToldWorkspace,
} from "./told-workspace.ts";

async function lookUp(workspace: WorkspaceRef, question: string, database: Env = env) {
  const words = splitWords(question);
  const sought = nameLookup(question, words);
  const batch = newBatch(database, workspace);
  const [readNames, readEvents] = [selectNames(batch, sought), selectEventNames(batch, sought.texts)];
  await batch.run();
  return { names: matchNames(words, sought, readNames()), events: readEvents() };
}

/** Finds the names in a text, as `type how id`. */
async function namesIn({ workspace }: Pick<ToldWorkspace, "workspace">, question: string): Promise<string[]> {
  const { names } = await lookUp(workspace, question);
  return [...new Set(names.map(({ type, matchedBy, externalId }) => `${type} ${matchedBy} ${externalId}`))].toSorted();
}

async function freshnessOf({ workspace }: ToldWorkspace) {
  const batch = newBatch(env, workspace);
  const read = selectFreshness(batch);
  await batch.run();
  return read();
}

const told = (account: string | null, user: string | null, event = "login") =>
  trackOf({ account, user, event, day: TODAY });

let there: ToldWorkspace;
beforeEach(async () => {
  there = await newToldWorkspace();
});

describe.each([
  ["before the fold", async () => undefined],
  ["after the fold", () => foldAll(NOW)],
])("§15.2 %s", (__, fold) => {
  const tell = async (...messages: Parameters<ToldWorkspace["tell"]>[0]) => {
    await there.tell(messages);
    await fold();
  };

  it("§15.2 finds names in full, whatever the case, accents and punctuation", async () => {
    await tell(told("Ünïted_Corp.", "u.42"));
    for (const words of ["Ünïted_Corp.", "united corp", "UNITED-CORP", "ünïted  corp"])
      expect(await namesIn(there, words)).toContain("account folded Ünïted_Corp.");
    expect(await namesIn(there, "u.42")).toEqual(["user external_id u.42"]);
    expect(await namesIn(there, "nobody")).toEqual([]);
  });

  it("§15.2 prefers a name exactly as typed, and a whole name to a part", async () => {
    await tell(told("acme corp", null), told("Acme-Corp", null), told("acme", null));
    expect(await namesIn(there, "Acme-Corp")).toContain("account external_id Acme-Corp");
    expect(await namesIn(there, "Acme-Corp")).not.toContain("account folded acme corp");
    expect(await namesIn(there, "ACME")).toEqual(["account folded acme"]);
  });

  it("§15.2 finds a name by a word that few names contain", async () => {
    await tell(...["Halcyon Health", "North Health", "South Health", "East Health"].map((name) => told(name, null)));
    expect(await namesIn(there, "halcyon")).toEqual(["account part Halcyon Health"]);
    const several = await namesIn(there, "health");
    expect(several).toHaveLength(4);
    expect(several.every((name) => name.startsWith("account suggestion"))).toBe(true);
  });

  it("§15.2 finds a misspelled name, and proposes one with one more error", async () => {
    await tell(told("initech", null), told("Northwind Traders", null));
    expect(await namesIn(there, "initehc")).toEqual(["account fuzzy initech"]);
    expect(await namesIn(there, "Northwind Tradres")).toContain("account fuzzy Northwind Traders");
    expect(await namesIn(there, "initesh co")).toEqual(expect.arrayContaining([expect.stringContaining("initech")]));
    expect(await namesIn(there, "inxxech")).toEqual(["account suggestion initech"]);
    expect(await namesIn(there, "inzzzch")).toEqual([]);
  });

  it("§15.2 finds a whole name among many parts, and takes nobody for the only one of many", async () => {
    const accounts = Array.from({ length: 14 }, (_, place) => told(`acme ${"abcdefghijklmn"[place]}`, null));
    const users = Array.from({ length: 29 }, (_, place) => {
      const userId = `maria ${String.fromCharCode(97 + (place % 26))}${"xyz"[Math.floor(place / 26)]}`;
      return [told(null, userId), messageOf({ type: "group", userId, accountId: "globex", occurredAt: NOW + place })];
    });
    await tell(...accounts, told("acme", null), ...users.flat());
    expect(await namesIn(there, "acme")).toEqual(["account external_id acme"]);
    const marias = await namesIn(there, "maria");
    expect(marias.filter((name) => !name.includes(" suggestion "))).toEqual([]);
  });

  it("§15.2 never takes an id with a digit for another id", async () => {
    await tell(told("customer-1234", "user-77"));
    expect(await namesIn(there, "customer-1235 and user-78 and customer")).toEqual([]);
  });

  it("§15.2 finds accounts and users by internal ids", async () => {
    await tell(told("acme", "u1"));
    const { names } = await lookUp(there.workspace, "acme u1");
    expect(names).toHaveLength(2);
    for (const { id, type, externalId } of names)
      expect(await namesIn(there, id)).toEqual([`${type} internal_id ${externalId}`]);
  });

  it("§15.2 reads an id of both a company and a personal account as the company", async () => {
    await tell(told(null, "7"), told("7", null));
    const { names } = await lookUp(there.workspace, "7");
    const company = await env.DB.prepare("SELECT id FROM accounts WHERE workspace = ? AND kind = 'company'")
      .bind(there.workspace.number)
      .first<string>("id");
    expect(names.filter(({ type }) => type === "account").map(({ id }) => id)).toEqual([company]);
  });

  it("§15.2 doesn't find a personal account that its user has left", async () => {
    await tell(told(null, "loner"), messageOf({ type: "group", userId: "loner", accountId: "acme" }));
    expect(await namesIn(there, "loner")).toEqual(["user external_id loner"]);
  });

  it("§15.2 finds nothing of another workspace", async () => {
    await tell(told("acme", "u1", "report.exported"));
    const { names } = await lookUp(there.workspace, "acme u1");
    const other = await newToldWorkspace();
    const question = ["acme acmee u1 report.exported", ...names.map(({ id }) => id)].join(" ");
    expect(await lookUp(other.workspace, question)).toEqual({ names: [], events: [] });
  });

  it("§15.2 never finds a person who was erased", async () => {
    await tell(told(null, "gone"));
    const { names } = await lookUp(there.workspace, "gone");
    expect(names).toHaveLength(2);
    await send("DELETE", "/api/v1/users/gone", undefined, { headers: { Authorization: `Bearer ${there.key}` } });
    expect(await namesIn(there, ["gone", ...names.map(({ id }) => id)].join(" "))).toEqual([]);
    await admin("POST", "/recompute");
    expect(await namesIn(there, ["gone", ...names.map(({ id }) => id)].join(" "))).toEqual([]);
  });

  it("§15.2 lists event names", async () => {
    await tell(told("acme", "u1", "report.exported"), told("acme", "u1", "login"));
    expect((await lookUp(there.workspace, "")).events.toSorted()).toEqual(["login", "report.exported"]);
  });

  it("§15.3 reads the times of the first and last event", async () => {
    expect(await freshnessOf(there)).toMatchObject({ lastEventAt: null, firstDay: null, isBehind: false });
    await tell(
      trackOf({ account: "acme", user: null, event: "login", day: TODAY - 9 }),
      told("acme", "u1"),
      messageOf({ type: "identify", userId: "u1", occurredAt: NOW - 40 * DAY_MS }),
    );
    expect(await freshnessOf(there)).toMatchObject({
      lastEventAt: TODAY * DAY_MS,
      firstDay: TODAY - 9,
      isBehind: false,
    });
  });

  it.each(["'; DROP TABLE names; --", "<script>alert(1)</script>", '{"a":["\\u0000"]}', "日本 会社", "$.x[0]"])(
    "§15.2 finds an account called %s",
    async (name) => {
      await tell(told(name, null));
      expect(await namesIn(there, `"${name}"`)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^account (?:folded|external_id) /)]),
      );
    },
  );
});

const word = fc.constantFrom("acme", "Acme", "corp", "north", "norht", "wind", "exported", "é", "1", "-", ".");
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));

it("§15.2 finds the same names before and after a fold", { timeout: 60_000 }, async () => {
  const said = fc.record({ account: fc.option(name), user: name, event: fc.constantFrom("login", "a.corp") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 6 }),
      fc.array(name, { maxLength: 6 }),
      async (events, names) => {
        const fresh = await newToldWorkspace();
        const found = async () => {
          const { lastRecomputeAt: _, ...freshness } = await freshnessOf(fresh);
          return { names: await namesIn(fresh, names.join(" , ")), freshness };
        };
        await fresh.tellEvents(events.map((event) => ({ ...event, day: TODAY })));
        const before = await found();
        await fresh.fold();
        expect(await found()).toEqual(before);
      },
    ),
    { numRuns: 20 },
  );
});

describe("§15.8 bounds", () => {
  it("§15.8 is behind if more messages wait than an answer counts, and during a rebuild", async () => {
    await addTracks(there.workspace, MAX_TAIL, NOW);
    expect((await freshnessOf(there)).isBehind).toBe(false);
    await there.tell([told("acme", "u1")]);
    expect((await freshnessOf(there)).isBehind).toBe(true);
    await emptyTables(["messages"]);
    await there.tell([told("acme", "u1")]);
    await there.fold();
    expect((await freshnessOf(there)).isBehind).toBe(false);
    await admin("POST", `/workspaces/${there.id}/rebuild`);
    expect((await freshnessOf(there)).isBehind).toBe(true);
  });

  it("§15.8 a question takes two round trips, four if the key isn't cached or used that day, and no Durable Object call", async () => {
    const { workspace, post, request } = await newMeter();
    await post("/api/v1/events", capture());
    const json = { "Content-Type": "application/json" };
    const ask = (headers: Record<string, string>) =>
      request("POST", "/api/v1/ask", { question: "How many events did acme have today?" }, headers);
    expect(await ask(json)).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    const { key } = await workspace.newKey(["ask"]);
    const cold = { ...json, Authorization: `Bearer ${key}` };
    expect(await ask(cold)).toMatchObject({ status: 200, trips: 4, objectCalls: 0 });
  });

  it("§15.8 looks names up by index, and reads no more rows with ten times the accounts", async () => {
    const { workspace, env: metered, take } = await newMeter();
    const ref = await workspace.ref();
    const question = "How is Meridian Northwnd doing, and who uses reprots at quixotic";
    const cost = async () => {
      take();
      await lookUp(ref, question, metered);
      return take();
    };
    await addNames(ref, 0, 100);
    const before = await cost();
    await addNames(ref, 100, 900);
    const after = await cost();
    expect(after.trips).toBe(1);
    expect(after.read).toBeLessThan(before.read * 1.1);
    for (const { sql, values } of after.statements) expect(await fullScans(sql, values), sql).toEqual([]);
  });
});
