/** Section 1: query parameters of reads, and the pages of lists. */
import { beforeAll, describe, expect, it } from "vitest";

import { skipMessages } from "../support/half-changed.ts";
import { batch, tracks } from "../support/messages.ts";
import { DAY, outcomesOf } from "../support/outcomes.ts";
import { type Answer, refusal } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const EVENTS = "/api/v1/events";
const LISTS = [EVENTS, "/api/v1/rejected", "/api/v1/accounts", "/api/v1/inbox"];

const refused = (parameter: string) => refusal(400, "invalid_request", parameter);

describe("§1 query parameters", () => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await newWorkspace();
  });

  it.each(["0x10", "1e2", "%205", "5%20", "+5", "-1", "0", "201", "1.0", "01", "", "NaN"])(
    "§1 limit=%s is 400",
    async (limit) => {
      for (const path of LISTS) expect(await workspace.get(`${path}?limit=${limit}`)).toMatchObject(refused("limit"));
      expect(await admin("GET", `/workspaces?limit=${limit}`)).toMatchObject(refused("limit"));
    },
  );

  it.each([...LISTS, "/api/v1/users/u1", "/api/v1/accounts/acme"])(
    "§1 GET %s names an unknown parameter in issues",
    async (path) => {
      expect(await workspace.get(`${path}?company=acme`)).toMatchObject(refused("company"));
    },
  );

  it.each([
    [EVENTS, "limit=1&limit=2", "limit"],
    [EVENTS, "cursor=a&cursor=b", "cursor"],
    ["/api/v1/accounts", "state=poorly", "state"],
    ["/api/v1/accounts", "state=", "state"],
    ["/api/v1/accounts", "state=watch&state=healthy", "state"],
    ["/api/v1/accounts", "sort=name", "sort"],
    ["/api/v1/inbox", "status=closed", "status"],
    ["/api/v1/inbox", "kind=bad_mood", "kind"],
  ])("§1 GET %s?%s names %s in issues", async (path, query, parameter) => {
    expect(await workspace.get(`${path}?${query}`)).toMatchObject(refused(parameter));
  });

  it.each([
    [EVENTS, "limit=1&limit=2", "limit"],
    ["/api/v1/accounts", "state=watch&state=healthy", "state"],
    ["/api/v1/export", "from=2026-11-01&from=2026-11-02&to=2026-11-03", "from"],
  ])("§1 GET %s?%s says that %s must be given only once", async (path, query, parameter) => {
    const { body } = await workspace.get(`${path}?${query}`);
    expect(body.error?.issues).toEqual([{ path: parameter, message: "must be given only once" }]);
  });

  it("§9 are validated for administration too", async () => {
    expect(await admin("GET", "/workspaces?page=2")).toMatchObject(refused("page"));
  });

  it("§1 of writes and probes are ignored, because senders and monitors add some", async () => {
    expect((await workspace.post("/v1/batch?ip=1", { batch: [] })).status).toBe(200);
    expect((await workspace.get("/healthz?nocache=1")).status).toBe(200);
  });
});

const ids = ({ body }: Answer, list: "events" | "rejected" = "events") => body[list]?.map(({ messageId }) => messageId);
const idsDown = (from: number, count: number) => Array.from({ length: count }, (_, place) => `m${from - place}`);

const invalid = (count: number, prefix: string) => batch(tracks(count, prefix).map((one) => ({ ...one, event: null })));

/** Creates a workspace with the events m0 to m<count - 1>; the last one is the newest. */
async function withEvents(count: number): Promise<TestWorkspace> {
  const workspace = await newWorkspace({ writeLimit: 1_000 });
  expect(await workspace.post("/api/v1/cdp", batch(tracks(count)))).toMatchObject({ body: { stored: count } });
  return workspace;
}

describe("§1 a page", () => {
  it("§1 has 50 rows by default, and at most 200", async () => {
    const { get } = await withEvents(201);
    expect((await get(EVENTS)).body.events).toHaveLength(50);
    expect((await get(`${EVENTS}?limit=1`)).body.events).toHaveLength(1);
    const { body } = await get(`${EVENTS}?limit=200`);
    expect(body.events).toHaveLength(200);
    expect(body.nextCursor).toEqual(expect.any(String));
  });

  it("§1 that ends the list has no nextCursor, even if it is full", async () => {
    const { get } = await withEvents(3);
    expect((await get(`${EVENTS}?limit=2`)).body.nextCursor).toEqual(expect.any(String));
    expect((await get(`${EVENTS}?limit=3`)).body.nextCursor).toBeNull();
  });

  it("§1 starts where the one before ended, whatever arrived since, and whatever its limit", async () => {
    const { get, post } = await withEvents(10);
    const first = await get(`${EVENTS}?limit=4`);
    await post("/api/v1/cdp", batch(tracks(5, "later")));
    const second = await get(`${EVENTS}?limit=6&cursor=${first.body.nextCursor}`);
    expect([ids(first), ids(second)]).toEqual([idsDown(9, 4), idsDown(5, 6)]);
    expect(second.body.nextCursor).toBeNull();
  });

  it("§1 of rejected messages starts where the one before ended", async () => {
    const { get, post } = await newWorkspace();
    await post("/api/v1/cdp", invalid(6, "m"));
    const first = await get("/api/v1/rejected?limit=4");
    await post("/api/v1/cdp", invalid(3, "later"));
    const second = await get(`/api/v1/rejected?limit=4&cursor=${first.body.nextCursor}`);
    expect([ids(first, "rejected"), ids(second, "rejected")]).toEqual([idsDown(5, 4), idsDown(1, 2)]);
    expect(second.body.nextCursor).toBeNull();
  });

  it("§1 skips at most 5,000 messages that are not events, and may be empty with a nextCursor", async () => {
    const { get, post } = await newWorkspace({ writeLimit: 10_000 });
    await post("/api/v1/cdp", batch(tracks(3)));
    const identifies = batch(Array.from({ length: 1_000 }, () => ({ type: "identify", userId: "u1" })));
    for (let count = 0; count < 5; count += 1) await post("/api/v1/cdp", identifies);
    const first = await get(`${EVENTS}?limit=2`);
    expect(first.body).toMatchObject({ events: [], nextCursor: expect.any(String) });
    const second = await get(`${EVENTS}?limit=2&cursor=${first.body.nextCursor}`);
    expect(ids(second)).toEqual(idsDown(2, 2));
    const third = await get(`${EVENTS}?limit=2&cursor=${second.body.nextCursor}`);
    expect(third.body).toMatchObject({ events: [{ messageId: "m0" }], nextCursor: null });
  });
});

describe("§17 a list of events after messages were archived", () => {
  it("ends with the oldest event that is left, without empty pages for the others", async () => {
    const workspace = await withEvents(1);
    await skipMessages(await workspace.ref(), 10_000);
    expect((await workspace.get(EVENTS)).body).toMatchObject({ events: [{ messageId: "m0" }], nextCursor: null });
  });
});

/** Creates a workspace with at least two rows in each list and for each filter. */
async function withAllLists(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  const outcomes = await outcomesOf(workspace);
  for (const name of ["a", "b"]) {
    const { number } = await outcomes.account(name);
    await outcomes.item({ account: number });
    await outcomes.item({ account: number, subject: "resolved", resolvedDay: DAY });
  }
  await workspace.post("/api/v1/cdp", batch(tracks(2)));
  await workspace.post("/api/v1/cdp", invalid(2, "bad"));
  return workspace;
}

describe("§1 a cursor", () => {
  it("§1 §13 is valid only for its own workspace, operation, filter and sort", async () => {
    const [own, other] = [await withAllLists(), await withAllLists()];
    const cursorOf = async (list: string) => {
      const { body } = await own.get(`/api/v1/${list}&limit=1`);
      expect(body.nextCursor, list).toEqual(expect.any(String));
      return String(body.nextCursor);
    };
    const foreign: [asked: TestWorkspace, list: string, from: string][] = [
      [other, "events?", "events?"],
      [own, "events?", "rejected?"],
      [other, "accounts?", "accounts?"],
      [own, "accounts?", "inbox?"],
      [own, "accounts?", "accounts?state=healthy"],
      [own, "accounts?", "accounts?sort=mrr"],
      [own, "accounts?state=healthy", "accounts?"],
      [own, "accounts?state=watch", "accounts?state=healthy"],
      [own, "accounts?sort=mrr", "accounts?"],
      [other, "inbox?", "inbox?"],
      [own, "inbox?", "accounts?"],
      [own, "inbox?", "inbox?status=resolved"],
      [own, "inbox?", "inbox?kind=usage_drop"],
      [own, "inbox?status=resolved", "inbox?"],
      [own, "inbox?kind=usage_drop", "inbox?"],
    ];
    for (const [{ get }, list, from] of foreign) {
      const answer = await get(`/api/v1/${list}&cursor=${await cursorOf(from)}`);
      expect(answer, `${from} at ${list}`).toMatchObject(refused("cursor"));
    }
    const workspaces = (await admin("GET", "/workspaces?limit=1")).body.nextCursor;
    expect(await own.get(`/api/v1/rejected?cursor=${workspaces}`)).toMatchObject(refused("cursor"));
    const events = await cursorOf("events?");
    expect(await admin("GET", `/workspaces?cursor=${events}`)).toMatchObject(refused("cursor"));
    // Defaults may be given or left out, and the limit may change.
    for (const [list, from] of [
      ["accounts?sort=score&limit=5", "accounts?"],
      ["inbox?status=open&limit=3", "inbox?"],
    ] as const) {
      expect((await own.get(`/api/v1/${list}&cursor=${await cursorOf(from)}`)).status).toBe(200);
    }
  });

  it.each(["null", "[1]", '["1",2]', "[1,2.5]", "[1e999,1]"])("§13 with the position %s is 400", async (position) => {
    const { id, get } = await newWorkspace();
    const cursor = btoa(`[${position},"accounts","${id}","score",""]`).replaceAll("=", "");
    expect(await get(`/api/v1/accounts?cursor=${encodeURIComponent(cursor)}`)).toMatchObject(refused("cursor"));
  });

  it.each(["x", "%00", "AAAA", "bnVsbA", "NQ", "WzVd", "W251bGxd", "😀", "a".repeat(5_000), "m9"])(
    "§1 that the service did not make is 400: %s",
    async (cursor) => {
      const { get } = await newWorkspace();
      for (const path of LISTS) expect(await get(`${path}?cursor=${cursor}`)).toMatchObject(refused("cursor"));
    },
  );
});
