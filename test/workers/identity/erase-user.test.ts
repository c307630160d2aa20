/** docs/wire/erasure.md §6.2: erasing a user leaves no personal data, and keeps counts. */
import { beforeAll, describe, expect, it } from "vitest";

import { tablesWith } from "../support/database.ts";
import { DAY, outcomesOf } from "../support/outcomes.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { daysAgo, found, withPerson } from "./person.ts";
import { idOf, jsonBearer, newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";

describe("§6.2 erasing a user", () => {
  it("§6.2 leaves no personal data in any table, folded or not", async () => {
    const one = await withPerson("qqwhole");
    await one.post("/api/v1/cdp", { type: "identify", userId: one.person, traits: { nick: "qqwholerole" } });
    expect(new Set((await found("qqwhole")).map((line) => line.split(":")[0]))).toEqual(
      new Set([
        "users",
        "accounts",
        "messages",
        "traits",
        "dimension_values",
        "identity_traits",
        "names",
        "rejections",
      ]),
    );
    const { status, body } = await one.erase(one.person);
    expect([status, body]).toEqual([200, { ok: true }]);
    expect(await found("qqwhole")).toEqual([]);
    expect(await rowsOf("SELECT * FROM user_erasures")).toEqual([]);
    await admin("POST", "/recompute");
    expect(await found("qqwhole")).toEqual([]);
  });

  it("§6.2 erases pending account attributes, folded or not", async () => {
    for (const folded of [true, false]) {
      const one = await newIdentifiedWorkspace();
      await one.post("/api/v1/cdp", { type: "identify", userId: "w", traits: { accountStage: "qqwaiting" } });
      if (folded) await admin("POST", "/recompute");
      expect((await tablesWith("qqwaiting")).toSorted()).toEqual(
        folded ? ["messages", "pending_attribute_days", "users"] : ["messages", "users"],
      );
      await one.erase("w");
      await admin("POST", "/recompute");
      expect(await tablesWith("qqwaiting")).toEqual([]);
    }
  });

  it("§6.2 keeps attributes that an account has received from its first user", async () => {
    for (const folded of [true, false]) {
      const one = await newIdentifiedWorkspace();
      const traits = { accountStage: "qqtrial", accountPlan: "qqplan" };
      await one.post("/api/v1/cdp", { type: "identify", userId: "w", traits, timestamp: daysAgo(9) });
      if (folded) await admin("POST", "/recompute");
      await one.post("/api/v1/cdp", { type: "group", userId: "w", groupId: "first", timestamp: daysAgo(5) });
      await one.erase("w");
      const { number } = await one.ref();
      const timeline = async () => {
        await admin("POST", "/recompute");
        return rowsOf(
          `SELECT v.timeline FROM account_progress v JOIN accounts a ON a.number = v.account
           WHERE a.workspace = ? AND a.external_id = 'first'`,
          number,
        );
      };
      const attributes = await timeline();
      expect(JSON.stringify(attributes), `folded: ${folded}`).toMatch(/qqtrial.*qqplan|qqplan.*qqtrial/);
      await admin("POST", `/workspaces/${one.id}/rebuild`);
      expect(await timeline(), `folded: ${folded}`).toEqual(attributes);
      expect(
        await rowsOf(
          "SELECT pending_attributes FROM users WHERE workspace = ? AND pending_attributes IS NOT NULL",
          number,
        ),
      ).toEqual([]);
    }
  });

  it("§6.2 erases the mappings of the user's messages only", async () => {
    const one = await newIdentifiedWorkspace();
    const sent = { type: "track", accountId: "acme", event: "qqSent As" };
    const batch = [{ userId: "qqmapped" }, { userId: "u2" }, {}].map((fields) => ({ ...sent, ...fields }));
    await one.post("/api/v1/cdp", { batch });
    await one.post("/api/v1/cdp", batch[0]);
    const { number } = await one.ref();
    const mappings = () =>
      rowsOf("SELECT mapping FROM messages WHERE workspace = ? AND event = 'qq.sent.as' ORDER BY seq", number);
    const mapping = '[1,1,"qqSent As"]';
    expect((await mappings()).map((row) => row["mapping"])).toEqual([mapping, mapping, mapping, mapping]);
    await one.erase("qqmapped");
    expect((await mappings()).map((row) => row["mapping"])).toEqual([null, mapping, mapping, null]);
  });

  it("§6.2 keeps counts and outcomes, also after a rebuild", async () => {
    const one = await withPerson("qqcount");
    const { number } = await one.ref();
    const counted = () =>
      rowsOf(
        `SELECT (SELECT count(*) FROM messages WHERE workspace = ?1) AS messages,
          (SELECT sum(count) FROM rollups r JOIN accounts a ON a.number = r.account WHERE a.workspace = ?1) AS events,
          (SELECT json_group_array(json_array(account, state, score)) FROM health WHERE workspace = ?1) AS health,
          (SELECT count(*) FROM user_accounts u JOIN users n ON n.number = u.user WHERE n.workspace = ?1) AS users,
          (SELECT json_group_array(id) FROM inbox_items WHERE workspace = ?1) AS items,
          (SELECT sum(count) FROM rejection_counts WHERE workspace = ?1) AS rejected`,
        number,
      );
    const before = await counted();
    expect(before[0]).toMatchObject({ messages: 43, rejected: 1 });
    await one.erase(one.person);
    expect(await counted()).toEqual(before);
    await admin("POST", `/workspaces/${one.id}/rebuild`);
    await admin("POST", "/recompute");
    expect(await counted()).toEqual(before);
  });

  it("§6.2 leaves other users and workspaces unchanged", async () => {
    const one = await withPerson("qqself");
    const other = await withPerson("qqelse");
    await one.post("/api/v1/cdp", { type: "identify", userId: "u1", traits: { role: "boss" } });
    await one.attach({ userId: "u1", traits: { name: "Jo" } });
    const of = async ({ get, person }: typeof one) =>
      (
        await Promise.all(
          ["users/u1", "accounts/acme", `users/${person}`, `accounts/${person}`].map((path) => get(`/api/v1/${path}`)),
        )
      ).map(({ text }) => text);
    const [mine, theirs] = [await of(one), await of(other)];
    await one.erase(one.person);
    expect((await of(one)).slice(0, 2)).toEqual(mine.slice(0, 2));
    expect(await of(other)).toEqual(theirs);
    const { body } = await one.get("/api/v1/events?limit=1");
    expect(body.events).toMatchObject([{ user: { externalId: "u1" }, properties: { text: "kept" } }]);
  });

  it("§6.2 keeps a company account with the same id as the user", async () => {
    const one = await newIdentifiedWorkspace();
    await one.post("/api/v1/cdp", [
      { type: "track", userId: "seven", event: "a" },
      { type: "track", userId: "u1", accountId: "seven", event: "a" },
      { type: "group", groupId: "seven", traits: { colour: "red" } },
    ]);
    await one.attach({ accountId: "seven", traits: { company: "Seven Ltd" } });
    const company = await idOf(one, "/api/v1/accounts/seven");
    await admin("POST", "/recompute");
    await one.erase("seven");
    const { body } = await one.get("/api/v1/accounts/seven");
    expect(body.account).toMatchObject({ id: company, kind: "company", identity: { company: "Seven Ltd" } });
    expect(await tablesWith("colour")).toEqual(["traits", "dimension_values"]);
    expect(await rowsOf("SELECT external_id FROM accounts WHERE kind = 'solo' AND external_id = 'seven'")).toEqual([]);
    const named = await rowsOf(
      "SELECT kind, source FROM names WHERE is_part = 0 AND key IN ('seven', 'seven ltd') ORDER BY source",
    );
    expect(named).toEqual([
      { kind: "account", source: "company" },
      { kind: "account", source: "external_id" },
    ]);
  });

  it("§6.2 a sender may use the internal id of an erased user as an external id", async () => {
    const one = await newIdentifiedWorkspace();
    const id = await idOf(one, "/api/v1/users/u1");
    await one.erase("u1");
    await one.post("/api/v1/cdp", { type: "identify", userId: id, traits: { role: "qqsame" } });
    expect((await one.attach({ userId: id, traits: { name: "Jo" } })).body.user).toMatchObject({ externalId: id });
    expect((await one.erase(id)).status).toBe(200);
    expect(await tablesWith("qqsame")).toEqual([]);
    expect(await rowsOf("SELECT * FROM users WHERE external_id = ?", id)).toEqual([]);
  });

  it("§6.2 erases rejected messages of a user who was never stored", async () => {
    const one = await newIdentifiedWorkspace();
    await one.post("/api/v1/cdp", {
      batch: [
        { type: "track", userId: "never", event: null },
        { type: "track", userId: "u1", event: null },
      ],
    });
    await one.erase("never");
    expect((await one.get("/api/v1/rejected")).body.rejected).toMatchObject([{ userId: "u1" }]);
  });
});

describe("§6.2 reads of an erased user", () => {
  let one: TestWorkspace & { person: string };
  let account: string;
  let user: string;
  beforeAll(async () => {
    one = await withPerson("qqread");
    await one.post("/api/v1/cdp", { type: "group", userId: one.person, groupId: "acme", messageId: "last" });
    user = await idOf(one, `/api/v1/users/${one.person}`);
    account = await idOf(one, `/api/v1/accounts/${one.person}`);
    await admin("POST", "/recompute");
    await one.erase(one.person);
  });

  it("§6.2 show events with internal ids, without external ids and properties", async () => {
    const { body } = await one.get("/api/v1/events?limit=200");
    const events = body.events?.filter(({ messageId }) => String(messageId).startsWith("qqread-")) ?? [];
    expect(events).toHaveLength(40);
    for (const event of events) {
      expect(event).toMatchObject({
        account: { id: account, externalId: null, kind: "solo" },
        user: { id: user, externalId: null },
        properties: {},
      });
    }
  });

  it("§6.2 find the user and the personal account only by internal ids", async () => {
    for (const path of [`users/${one.person}`, `accounts/${one.person}`]) {
      expect((await one.get(`/api/v1/${path}`)).status).toBe(404);
    }
    const { body } = await one.get(`/api/v1/users/${user}`);
    expect(body.user).toMatchObject({ externalId: null, traits: {}, account: { externalId: "acme" } });
    expect(body.user).not.toHaveProperty("identity");
    expect((await one.get(`/api/v1/accounts/${account}`)).body.account).toMatchObject({
      externalId: null,
      superseded: true,
      users: [{ id: user, externalId: null }],
    });
    for (const id of [user, `\u0001${user}`, `"\u0001${user}"`]) {
      const init = jsonBearer(one.key);
      expect((await one.post("/api/v1/ask", { question: `When was ${id} last seen?` }, init)).body["knows"]).toBe(
        false,
      );
    }
    expect((await one.attach({ userId: user, traits: { name: "x" } })).status).toBe(404);
    expect((await one.attach({ accountId: account, traits: { company: "x" } })).status).toBe(404);
  });

  it("§6.2 a repeated message is still a duplicate", async () => {
    const again = {
      type: "track",
      userId: one.person,
      event: "a",
      messageId: "qqread-0",
      properties: { text: "qqreadprop" },
    };
    expect((await one.post("/api/v1/cdp", again)).body).toMatchObject({
      deduped: true,
      stored: 0,
      duplicates: 1,
      account: { id: account, externalId: null },
      user: { id: user, externalId: null },
    });
    expect(await found("qqread")).toEqual(expect.not.arrayContaining(["messages: qqreadprop"]));
    expect((await one.get(`/api/v1/users/${one.person}`)).status).toBe(404);
  });

  it("§6.2 a later message with the id starts a new user and a new personal account", async () => {
    const { body } = await one.post("/api/v1/cdp", { type: "track", userId: one.person, event: "a", messageId: "new" });
    expect(body).toMatchObject({ stored: 1, user: { externalId: one.person }, account: { externalId: one.person } });
    expect(body.user?.id).not.toBe(user);
    expect(body.account?.id).not.toBe(account);
    expect((await one.get(`/api/v1/users/${one.person}`)).body.user).toMatchObject({ memberships: [], traits: {} });
  });
});

const numberOf = async (table: "accounts" | "users", id: string) =>
  Number((await rowsOf(`SELECT number FROM ${table} WHERE id = ?`, id))[0]?.["number"]);

describe("§6.2 the inbox", () => {
  it("§6.2 shows items of erased users without their names", async () => {
    const one = await newIdentifiedWorkspace();
    await one.post("/api/v1/cdp", [
      { type: "track", userId: "qqquiet", accountId: "globex", event: "a" },
      { type: "track", userId: "qqalone", event: "a" },
    ]);
    await admin("POST", "/recompute");
    const [alone, globex] = [await idOf(one, "/api/v1/accounts/qqalone"), await idOf(one, "/api/v1/accounts/globex")];
    const quiet = await numberOf("users", await idOf(one, "/api/v1/users/qqquiet"));
    const outcomes = await outcomesOf(one);
    await outcomes.item({ account: await numberOf("accounts", alone), kind: "gone_silent" });
    const ofQuiet = {
      account: await numberOf("accounts", globex),
      kind: "key_user_quiet",
      subject: String(quiet),
    } as const;
    await outcomes.item(ofQuiet);
    await outcomes.item({ ...ofQuiet, occurrence: 2, resolvedDay: DAY, resolution: "recovered" });
    const texts = async () =>
      (await Promise.all(["inbox", "inbox?status=resolved"].map((path) => one.get(`/api/v1/${path}`))))
        .map(({ text }) => text)
        .join();
    const before = await texts();
    expect(before).toContain("qqalone has gone silent");
    expect(before.match(/qqquiet at globex has gone quiet/g)).toHaveLength(2);
    for (const user of ["qqalone", "qqquiet"]) await one.erase(user);
    const after = await texts();
    expect(after).toContain('"title":"(erased) has gone silent"');
    expect(after).toContain('"externalId":null,"kind":"solo"');
    const quietItem =
      '"subject":{"type":"user","id":null,"externalId":null},"title":"A key user at globex has gone quiet"';
    expect(after.split(quietItem)).toHaveLength(3);
    expect(after).not.toMatch(/qqalone|qqquiet/);
    for (const path of ["accounts", "accounts/globex"])
      expect((await one.get(`/api/v1/${path}`)).text).not.toMatch(/qq/);
  });
});
