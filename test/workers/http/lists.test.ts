/** Section 1: pages of lists. */
import { describe, expect, it } from "vitest";

import type { Answer } from "../support/send.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const ids = ({ body }: Answer, list: "events" | "rejected" = "events") => body[list]?.map(({ messageId }) => messageId);
const idsDown = (from: number, count: number) => Array.from({ length: count }, (_, place) => `m${from - place}`);

/** A workspace with events m0 to m<count - 1>, the last one newest. */
async function withEvents(count: number): Promise<TestWorkspace> {
  const workspace = await newWorkspace({ writeLimit: 1_000 });
  expect(await workspace.post("/api/v1/cdp", batch(tracks(count)))).toMatchObject({ body: { stored: count } });
  return workspace;
}

/** A batch of invalid messages. */
const invalid = (from: number, count: number) =>
  batch(Array.from({ length: count }, (_, place) => track({ messageId: `m${from + place}`, event: null })));

describe("§1 limit", () => {
  it("§1 limit is 50 by default", async () => {
    const { get } = await withEvents(51);
    const { body } = await get("/api/v1/events");
    expect(body.events).toHaveLength(50);
    expect(body.nextCursor).toEqual(expect.any(String));
  });

  it("§1 limit takes 1 and 200", async () => {
    const { get } = await withEvents(201);
    expect((await get("/api/v1/events?limit=1")).body.events).toHaveLength(1);
    expect((await get("/api/v1/events?limit=200")).body.events).toHaveLength(200);
  });

  it.each(["0", "201", "-1", "1.5", "x", "", "1e9", "NaN", "5&limit=6"])(
    "§1 limit=%s is 400 invalid_request",
    async (limit) => {
      const { get } = await newWorkspace();
      for (const path of ["/api/v1/events", "/api/v1/rejected"]) {
        expect(await get(`${path}?limit=${limit}`), `of ${path}`).toMatchObject({
          status: 400,
          body: { error: { code: "invalid_request", issues: [{ path: expect.stringContaining("limit") }] } },
        });
      }
    },
  );

  it("§1 a list that just fills its page has no next one", async () => {
    const { get } = await withEvents(3);
    expect(await get("/api/v1/events?limit=3")).toMatchObject({ body: { nextCursor: null } });
    expect((await get("/api/v1/events?limit=2")).body.nextCursor).not.toBeNull();
  });
});

describe("§1 cursors", () => {
  it("§1 pages together hold every event once, the newest first", async () => {
    const { get } = await withEvents(20);
    const seen: unknown[] = [];
    let cursor: string | null | undefined = null;
    do {
      const page = await get(`/api/v1/events?limit=7${cursor === null ? "" : `&cursor=${cursor}`}`);
      seen.push(...(ids(page) ?? []));
      cursor = page.body.nextCursor;
    } while (typeof cursor === "string");
    expect(seen).toEqual(idsDown(19, 20));
  });

  it("§1 a cursor is stable under inserts", async () => {
    const { get, post } = await withEvents(10);
    const first = await get("/api/v1/events?limit=4");
    await post("/api/v1/cdp", batch(tracks(5, "later")));
    const second = await get(`/api/v1/events?limit=4&cursor=${first.body.nextCursor}`);
    expect([ids(first), ids(second)]).toEqual([idsDown(9, 4), idsDown(5, 4)]);
  });

  it("§1 a page passes over no more than 5,000 messages that are no events, and leads on to what lies behind them", async () => {
    const { get, post } = await newWorkspace({ writeLimit: 10_000 });
    await post("/api/v1/cdp", batch(tracks(3)));
    const identifies = batch(Array.from({ length: 1_000 }, () => ({ type: "identify", userId: "u1" })));
    for (let count = 0; count < 5; count += 1) await post("/api/v1/cdp", identifies);
    const first = await get("/api/v1/events?limit=2");
    expect(first.body).toMatchObject({ events: [], nextCursor: expect.any(String) });
    await post("/api/v1/cdp", batch(tracks(2, "later")));
    const second = await get(`/api/v1/events?limit=2&cursor=${first.body.nextCursor}`);
    expect(ids(second)).toEqual(idsDown(2, 2));
    const third = await get(`/api/v1/events?limit=2&cursor=${second.body.nextCursor}`);
    expect(third.body).toMatchObject({ events: [{ messageId: "m0" }], nextCursor: null });
  });

  it("§1 a cursor may go with another limit", async () => {
    const { get } = await withEvents(10);
    const { body } = await get("/api/v1/events?limit=4");
    expect(ids(await get(`/api/v1/events?limit=6&cursor=${body.nextCursor}`))).toEqual(idsDown(5, 6));
  });

  it("§1 a cursor is bound to its workspace", async () => {
    const [one, other] = [await withEvents(3), await withEvents(3)];
    const { body } = await one.get("/api/v1/events?limit=1");
    expect(await other.get(`/api/v1/events?limit=1&cursor=${body.nextCursor}`)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", issues: [{ path: "cursor" }] } },
    });
  });

  it("§1 a cursor is bound to its operation", async () => {
    const workspace = await withEvents(3);
    await workspace.post("/api/v1/cdp", batch([1, 2].map((userId) => ({ type: "track", userId }))));
    await newWorkspace();
    const events = (await workspace.get("/api/v1/events?limit=1")).body.nextCursor;
    const rejected = (await workspace.get("/api/v1/rejected?limit=1")).body.nextCursor;
    const workspaces = (await admin("GET", "/workspaces?limit=1")).body.nextCursor;
    const refused = { status: 400, body: { error: { code: "invalid_request" } } };
    for (const cursor of [rejected, workspaces]) {
      expect(await workspace.get(`/api/v1/events?cursor=${cursor}`)).toMatchObject(refused);
    }
    for (const cursor of [events, workspaces]) {
      expect(await workspace.get(`/api/v1/rejected?cursor=${cursor}`)).toMatchObject(refused);
    }
    for (const cursor of [events, rejected]) {
      expect(await admin("GET", `/workspaces?cursor=${cursor}`)).toMatchObject(refused);
    }
  });

  it.each(["x", "%00", "AAAA", "bnVsbA", "NQ", "WzVd", "W10", "W251bGxd", "é", "😀", "a".repeat(5_000), "m9"])(
    "§1 cursor=%s, which was never given out, is 400",
    async (cursor) => {
      const { get } = await newWorkspace();
      for (const path of ["/api/v1/events", "/api/v1/rejected"]) {
        expect(await get(`${path}?cursor=${cursor}`), `of ${path}`).toMatchObject({
          status: 400,
          body: { error: { code: "invalid_request" } },
        });
      }
    },
  );

  it("§1 the list of rejected messages goes by the same rules", async () => {
    const { get, post } = await newWorkspace();
    await post("/api/v1/cdp", invalid(0, 6));
    const first = await get("/api/v1/rejected?limit=4");
    await post("/api/v1/cdp", invalid(6, 3));
    const second = await get(`/api/v1/rejected?limit=4&cursor=${first.body.nextCursor}`);
    expect([ids(first, "rejected"), ids(second, "rejected")]).toEqual([idsDown(5, 4), idsDown(1, 2)]);
    expect(second.body.nextCursor).toBeNull();
  });
});
