/** Section 2: the ways to present a key, and which of them counts. */
import { beforeAll, describe, expect, it } from "vitest";

import { batch, capture, type Fields, track } from "../support/messages.ts";
import { send } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Presented = { headers: Record<string, string>; fields: Fields };

const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` });
const inHeaders = (headers: Record<string, string>): Presented => ({ headers, fields: {} });

const WAYS: [way: string, present: (key: string) => Presented][] = [
  ["Authorization: Bearer", (key) => inHeaders({ Authorization: `Bearer ${key}` })],
  ["Authorization: Basic, the key and a colon", (key) => inHeaders(basic(`${key}:`))],
  ["X-Write-Key", (key) => inHeaders({ "X-Write-Key": key })],
  ["the body's writeKey", (key) => ({ headers: {}, fields: { writeKey: key } })],
];
const BODIES: [what: string, path: string, body: Fields][] = [
  ["a native capture", "/api/v1/events", capture()],
  ["a native capture, unversioned", "/api/events", capture()],
  ["a lone message", "/api/v1/cdp", track()],
  ["a batch", "/api/cdp", batch([track()])],
  ["a client library's batch", "/v1/batch", batch([track()])],
  ["a client library's message", "/v1/t", { userId: "u1", event: "x" }],
];

const NOT_KEYS = ["", "x", "bik_000000000000000000000000000000"];
const REFUSED = { status: 401, body: { ok: false, error: { code: "unauthorized" } } };

const both = (one: Presented, other: Presented) =>
  send(
    "POST",
    "/api/v1/cdp",
    { ...track(), ...one.fields, ...other.fields },
    { headers: { ...one.headers, ...other.headers } },
  );

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 10_000 });
});

describe("§2 four ways to present a key", () => {
  it.each(
    BODIES.flatMap(([what, path, body]) => WAYS.map(([way, present]) => [what, path, way, body, present] as const)),
  )("§2 %s to %s takes it as %s", async (_what, path, _way, body, present) => {
    const { headers, fields } = present(workspace.key);
    expect(await send("POST", path, { ...body, ...fields }, { headers })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  });

  it.each(WAYS)("§2 %s does not take a key that is none", async (_way, present) => {
    for (const notKey of NOT_KEYS) {
      const { headers, fields } = present(notKey);
      expect(await send("POST", "/api/v1/cdp", { ...track(), ...fields }, { headers })).toMatchObject(REFUSED);
    }
  });

  it.each([
    ["bearer in lower case", (key: string) => ({ Authorization: `bearer ${key}` })],
    ["basic in lower case", (key: string) => ({ Authorization: `basic ${btoa(`${key}:`)}` })],
    ["blanks around X-Write-Key", (key: string) => ({ "X-Write-Key": ` ${key} ` })],
  ])("§2 takes %s", async (_what, headers) => {
    expect((await send("POST", "/api/v1/cdp", track(), { headers: headers(workspace.key) })).status).toBe(200);
  });

  it.each([
    ["a header with no scheme", (key: string) => ({ Authorization: key })],
    ["another scheme", (key: string) => ({ Authorization: `Token ${key}` })],
    ["a bearer with nothing after it", () => ({ Authorization: "Bearer" })],
    ["two keys in one header", (key: string) => ({ Authorization: `Bearer ${key} ${key}` })],
    ["a basic that is no base64", (key: string) => ({ Authorization: `Basic ${key}:` })],
    ["the key as a basic's password", (key: string) => basic(`:${key}`)],
  ])("§2 does not take %s", async (_what, headers) => {
    expect(await send("POST", "/api/v1/cdp", track(), { headers: headers(workspace.key) })).toMatchObject(REFUSED);
  });

  it.each([
    ["a number", 5],
    ["an object", { key: "x" }],
    ["an array", ["x"]],
    ["null", null],
  ])("§2 does not take a writeKey that is %s", async (_what, writeKey) => {
    expect(await send("POST", "/api/v1/cdp", { ...track(), writeKey })).toMatchObject(REFUSED);
  });

  it("§2 takes a writeKey at the top level of the body only", async () => {
    expect(await send("POST", "/api/v1/cdp", batch([track({ writeKey: workspace.key })]))).toMatchObject(REFUSED);
    expect(await send("POST", "/api/v1/cdp", [track({ writeKey: workspace.key })])).toMatchObject(REFUSED);
    expect(await send("POST", "/api/v1/cdp", track({ properties: { writeKey: workspace.key } }))).toMatchObject(
      REFUSED,
    );
  });

  it("§2 does not take a key from the query", async () => {
    const { key } = workspace;
    expect(await send("POST", `/api/v1/cdp?writeKey=${key}&key=${key}&api_key=${key}`, track())).toMatchObject(REFUSED);
  });
});

describe("§2 reads take the bearer alone", () => {
  it.each(WAYS.slice(1, 3))("§2 GET does not take %s", async (_way, present) => {
    const { headers } = present(workspace.key);
    for (const path of ["/api/v1/events", "/api/v1/rejected", "/api/v1/users/u1"]) {
      expect(await send("GET", path, undefined, { headers }), `of ${path}`).toMatchObject(REFUSED);
    }
  });
});

describe("§2 the first credentials found count", () => {
  const orders: [
    first: string,
    second: string,
    firstOf: (key: string) => Presented,
    secondOf: (key: string) => Presented,
  ][] = [];
  for (const [place, [first, firstOf]] of WAYS.entries()) {
    if (place === 1) continue; // One header can't be both.
    for (const [second, secondOf] of WAYS.slice(Math.max(2, place + 1)))
      orders.push([first, second, firstOf, secondOf]);
  }
  it.each(orders)("§2 %s goes before %s", async (_first, _second, first, second) => {
    expect((await both(first(workspace.key), second("bad"))).status).toBe(200);
    expect((await both(first("bad"), second(workspace.key))).status).toBe(401);
  });

  it("§2 what a good header opens is not what the body's writeKey would", async () => {
    const other = await newWorkspace();
    const answer = await other.post("/api/v1/cdp", { ...track({ messageId: "mine" }), writeKey: workspace.key });
    expect(answer.status).toBe(200);
    expect((await other.get("/api/v1/events")).body.events).toMatchObject([{ messageId: "mine" }]);
    expect((await workspace.get("/api/v1/events?limit=1")).body.events).not.toMatchObject([{ messageId: "mine" }]);
  });
});
