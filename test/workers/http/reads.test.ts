/** Section 1: the responses of reads. */
import { afterEach, describe, expect, it, vi } from "vitest";

import { tablesWith } from "../support/database.ts";
import { batch, capture, track } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";

const NOW = Date.UTC(2030, 4, 6, 7, 8, 9, 10);
const ACCOUNT_ID = expect.stringMatching(/^acc_/);
const USER_ID = expect.stringMatching(/^usr_/);

afterEach(() => {
  vi.useRealTimers();
});

describe("§1 GET /api/v1/events", () => {
  it("§1 lists events, newest first, with all their fields", async () => {
    const { get, post } = await newWorkspace();
    vi.setSystemTime(NOW);
    await post(
      "/api/v1/cdp",
      track({ messageId: "m1", properties: { pages: 3 }, timestamp: "2030-05-01T00:00:00+02:00" }),
    );
    await post("/api/v1/events", capture(), { headers: { "Idempotency-Key": "i1" } });
    const { status, body } = await get("/api/v1/events");
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      events: [
        {
          messageId: "i1",
          name: "report.exported",
          account: { id: ACCOUNT_ID, externalId: "acme", kind: "company" },
          user: { id: USER_ID, externalId: "u1" },
          properties: {},
          occurredAt: "2030-05-06T07:08:09.010Z",
          receivedAt: "2030-05-06T07:08:09.010Z",
          source: "native",
        },
        {
          messageId: "m1",
          name: "report.exported",
          account: { id: ACCOUNT_ID, externalId: "u1", kind: "solo" },
          user: { id: USER_ID, externalId: "u1" },
          properties: { pages: 3 },
          occurredAt: "2030-04-30T22:00:00.000Z",
          receivedAt: "2030-05-06T07:08:09.010Z",
          source: "cdp",
        },
      ],
      nextCursor: null,
      archivedUntil: null,
    });
  });

  it("§1 lists events without a user", async () => {
    const { get, post } = await newWorkspace();
    await post("/api/v1/cdp", { type: "track", event: "x", properties: { accountId: "acme" } });
    expect((await get("/api/v1/events")).body.events).toMatchObject([{ user: null, account: { externalId: "acme" } }]);
  });

  it("§1 orders events by arrival, not by the sender's clock", async () => {
    const { get, post } = await newWorkspace();
    await post(
      "/api/v1/cdp",
      batch([track({ messageId: "m1", timestamp: "2020-01-02" }), track({ messageId: "m2", timestamp: "2020-01-01" })]),
    );
    expect((await get("/api/v1/events")).body.events?.map(({ messageId }) => messageId)).toEqual(["m2", "m1"]);
  });
});

const traits = (from: number) => Object.fromEntries(Array.from({ length: 200 }, (_, key) => [`k${from + key}`, key]));

describe("§1 GET /api/v1/users/{externalId}", () => {
  it("§1, §13.2 returns the first 256 traits of a user and of an account, whatever they add up to", async () => {
    const { get, post } = await newWorkspace();
    for (const from of [1_000, 1_200]) {
      await post("/api/v1/cdp", { type: "identify", userId: "u1", traits: traits(from) });
      await post("/api/v1/cdp", { type: "group", userId: "u1", groupId: "acme", traits: traits(from) });
    }
    const { user } = (await get("/api/v1/users/u1")).body;
    const { account } = (await get("/api/v1/accounts/acme")).body;
    for (const shown of [user, account])
      expect(Object.keys(Reflect.get(shown ?? {}, "traits"))).toEqual(
        Array.from({ length: 256 }, (_, key) => `k${1_000 + key}`),
      );
  });

  it("§1 returns the account, memberships and traits", async () => {
    const { get, post } = await newWorkspace();
    vi.setSystemTime(NOW);
    await post(
      "/api/v1/cdp",
      batch([
        { type: "identify", userId: "u1", traits: { role: "admin" } },
        { type: "group", userId: "u1", groupId: "acme" },
      ]),
    );
    const acme = { id: ACCOUNT_ID, externalId: "acme", kind: "company" };
    expect(await get("/api/v1/users/u1")).toMatchObject({
      status: 200,
      body: {
        user: {
          id: USER_ID,
          externalId: "u1",
          account: acme,
          memberships: [{ account: acme, groupedAt: "2030-05-06T07:08:09.010Z" }],
          traits: { role: "admin" },
          createdAt: "2030-05-06T07:08:09.010Z",
        },
      },
    });
  });

  it("§1 returns kind solo for a personal account, and null without an account", async () => {
    const { get, post } = await newWorkspace();
    await post("/api/v1/cdp", batch([track(), { type: "identify", userId: "u2" }]));
    expect(await get("/api/v1/users/u1")).toMatchObject({
      body: { user: { account: { externalId: "u1", kind: "solo" } } },
    });
    expect(await get("/api/v1/users/u2")).toMatchObject({
      body: { user: { account: null, memberships: [], traits: {} } },
    });
  });

  it("§1 accepts the internal id", async () => {
    const { get, post } = await newWorkspace();
    const { body } = await post("/api/v1/cdp", track());
    const byExternal = await get("/api/v1/users/u1");
    expect(await get(`/api/v1/users/${body.user?.id}`)).toMatchObject({ status: 200, body: byExternal.body });
  });
});

describe("§1 §13.2 an id of a user or an account in a path", () => {
  it.each(["a/b", "100%", "a?b#c", "😀", "%2F", "a+b", "x".repeat(256)])(
    "§1 may be %.40j, percent-encoded",
    async (id) => {
      const { get, post } = await newWorkspace();
      await post("/api/v1/cdp", track({ userId: id, accountId: id }));
      const encoded = encodeURIComponent(id);
      expect((await get(`/api/v1/users/${encoded}`)).body.user).toMatchObject({ externalId: id });
      expect((await get(`/api/v1/accounts/${encoded}`)).body.account).toMatchObject({ externalId: id });
    },
  );

  it.each(
    ["nobody", "usr_000000000000000000000000", "acc_000000000000000000000000", "%E0%A4%A", "%", "%00", "%ff"].concat([
      "a/b",
      "a%252Fb",
      "..%2F..%2Fevents",
      "%2e%2e%2fevents",
      "x".repeat(2_000),
    ]),
  )("§1 is 404 if it is unknown: %.40s", async (id) => {
    const { get, post } = await newWorkspace();
    await post("/api/v1/cdp", track({ userId: "a/b", accountId: "a/b" }));
    for (const path of ["users", "accounts"]) {
      expect(await get(`/api/v1/${path}/${id}`), path).toMatchObject(refusal(404, "not_found"));
    }
  });
});

describe("§1 §4.5 GET /api/v1/rejected", () => {
  it("§4.5 lists invalid native captures", async () => {
    const { get, post } = await newWorkspace();
    vi.setSystemTime(NOW);
    expect((await post("/api/v1/events", capture({ event: "Not dotted" }))).status).toBe(400);
    await post("/api/v1/events", capture(), { headers: { "Idempotency-Key": "k".repeat(300) } });
    await post("/api/v1/events", { event: "a.b" });
    expect((await get("/api/v1/rejected")).body).toMatchObject({
      rejected: [
        // In this list the reason stands without its path.
        {
          path: "Idempotency-Key",
          message: "Idempotency-Key must have 1 to 255 characters.",
          event: "report.exported",
        },
        { path: "event", accountId: "acme", userId: "u1" },
      ],
      counts: [{ code: "invalid_message", count: 3 }],
    });
  });

  it("§4.5 keeps none of a rejected message's other fields", async () => {
    const { get, post } = await newWorkspace();
    const other = {
      context: { ip: "qqmarker" },
      integrations: { a: "qqmarker" },
      sentAt: "qqmarker",
      extra: "qqmarker",
    };
    await post("/api/v1/cdp", batch([track({ timestamp: "soon", ...other })]));
    expect((await get("/api/v1/rejected")).body.rejected).toMatchObject([{ path: "timestamp" }]);
    expect(await tablesWith("qqmarker")).toEqual([]);
  });
});
