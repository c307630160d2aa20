/** Section 19: browser keys, the settings of browser libraries, and beacons. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { newMeter } from "../costs/meter.ts";
import { logged } from "../support/logged.ts";
import { batch, capture, track } from "../support/messages.ts";
import { refusal, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PAGE = "https://app.example.com";
const OTHERS = [
  undefined,
  "null",
  "https://example.com",
  "https://app.example.com.evil.example",
  "https://evilapp.example.com",
  "http://app.example.com",
  "https://app.example.com:8443",
];

let workspace: TestWorkspace;
let key: string;
beforeEach(async () => {
  workspace = await newWorkspace();
  key = await browserKey(workspace);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function browserKey({ id }: TestWorkspace): Promise<string> {
  const { body, text } = await admin("POST", `/workspaces/${id}/keys`, { origins: [PAGE], writeLimit: 40 });
  if (body.key === undefined) throw new Error(text);
  return body.key.key;
}

const basic = (user: string) => ({ Authorization: `Basic ${btoa(`${user}:`)}` });
const from = (origin: string | undefined, headers = {}) => ({
  headers: { ...(origin !== undefined && { Origin: origin }), ...headers },
});
const beacon = () => send("POST", `/beacon/v1/batch?writeKey=${key}`, batch([track()]), from(PAGE));
const stored = async () => (await workspace.get("/api/v1/events")).body.events;

/** Every place for a key. */
const PLACES: [place: string, write: (origin: string | undefined) => ReturnType<typeof send>][] = [
  ["Bearer", (origin) => send("POST", "/api/v1/events", capture(), from(origin, { Authorization: `Bearer ${key}` }))],
  ["Basic", (origin) => send("POST", "/v1/t", track(), from(origin, basic(key)))],
  ["X-Write-Key", (origin) => send("POST", "/api/v1/cdp", batch([track()]), from(origin, { "X-Write-Key": key }))],
  ["the body", (origin) => send("POST", "/v1/b", { ...batch([track()]), writeKey: key }, from(origin))],
  ["a beacon's URL", (origin) => send("POST", `/beacon/v1/batch?writeKey=${key}`, batch([track()]), from(origin))],
];

describe.each(PLACES)("§19 a browser key in %s", (_, write) => {
  it("§19 stores what a page of its origin sends", async () => {
    expect((await write(PAGE)).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  it("§19 is refused on all other pages, which can read why, and stores and charges nothing", async () => {
    for (const origin of OTHERS) {
      const answer = await write(origin);
      expect(answer).toMatchObject(refusal(403, "origin_not_allowed"));
      expect(answer.headers.get("RateLimit")).toBeNull();
      expect(["*", origin ?? null]).toContain(answer.headers.get("Access-Control-Allow-Origin"));
    }
    expect(await stored()).toEqual([]);
    expect((await write(PAGE)).headers.get("RateLimit")).toMatch(/r=39;/);
  });
});

const SETTINGS: [library: string, path: (key: string) => string, expected: () => object][] = [
  [
    "Segment's",
    (text) => `/v1/projects/${text}/settings?cache=1`,
    () => ({
      integrations: { "Segment.io": { apiKey: key, apiHost: "ingest.test/v1", protocol: "https" } },
      metrics: { sampleRate: 0 },
    }),
  ],
  [
    "RudderStack's",
    (text) => `/sourceConfig/?p=npm&v=3.34.1&writeKey=${text}&lockPluginsVersion=false`,
    () => ({
      source: { id: expect.stringMatching(/^key_/), name: "Browser", enabled: true, config: {}, destinations: [] },
    }),
  ],
];

describe.each(SETTINGS)("§19 the settings of %s library", (_, path, expected) => {
  it("§19 are what it needs to start, and may be cached by the browser", async () => {
    for (const origin of [PAGE, undefined]) {
      const { status, body, headers } = await send("GET", path(key), undefined, from(origin));
      expect([status, body]).toEqual([200, expected()]);
      expect(headers.get("Cache-Control")).toBe("private, max-age=300");
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
    const head = await send("HEAD", path(key), undefined, from(PAGE));
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("§19 are refused to unknown keys, to keys without origins and to other pages", async () => {
    for (const [text, origin, refused] of [
      ["nobody's", PAGE, refusal(401, "unauthorized")],
      [workspace.key, PAGE, refusal(403, "forbidden")],
      [key, "https://evil.example", refusal(403, "origin_not_allowed")],
      [key, "null", refusal(403, "origin_not_allowed")],
    ] as const) {
      const answer = await send("GET", path(text), undefined, from(origin));
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });
});

it("§19 RudderStack's settings take the key as the user name too, and need one", async () => {
  expect((await send("GET", "/sourceConfig", undefined, from(PAGE, basic(key)))).status).toBe(200);
  expect(await send("GET", "/sourceConfig")).toMatchObject(refusal(401, "unauthorized"));
});

it("§19 a beacon needs a browser key, in its URL only", async () => {
  for (const [query, headers, refused] of [
    [`?writeKey=${workspace.key}`, {}, refusal(403, "forbidden")],
    ["", basic(key), refusal(401, "unauthorized")],
  ] as const)
    expect(await send("POST", `/beacon/v1/batch${query}`, batch([track()]), from(PAGE, headers))).toMatchObject(
      refused,
    );
  expect(await stored()).toEqual([]);
});

const PREFLIGHTS = [
  ["GET", "/v1/projects/KEY/settings"],
  ["GET", "//v1/projects/KEY/settings"],
  ["HEAD", "/sourceConfig/"],
  ["POST", "/beacon/v1/batch?writeKey=KEY"],
  ["POST", "/v1/t"],
] as const;

it.each(PREFLIGHTS)("§19 a preflight of %s %s allows the method and every header", async (method, path) => {
  const asked = { "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization,x-any" };
  const { status, headers } = await send("OPTIONS", path.replace("KEY", key), undefined, from(PAGE, asked));
  expect(status).toBe(204);
  expect(["*", PAGE]).toContain(headers.get("Access-Control-Allow-Origin"));
  expect(headers.get("Access-Control-Allow-Methods")).toContain(method);
  expect(headers.get("Access-Control-Allow-Headers")).toBe("authorization,x-any");
});

it("§19 preflights and the settings of a cached key read no database and write nothing", async () => {
  const meter = await newMeter();
  const text = await browserKey(meter.workspace);
  const settings = [`/v1/projects/${text}/settings`, `/sourceConfig/?writeKey=${text}`];
  const read = (path: string) => meter.request("GET", path, undefined, { Authorization: "", Origin: PAGE });
  expect((await read(settings[0] ?? "")).trips).toBeGreaterThan(0);
  // The lookup also records the day, once.
  const lastUse = async () => (await admin("GET", `/workspaces/${meter.workspace.id}`)).text;
  await expect.poll(lastUse).toMatch(/"origins":\["https:[^}]*"lastUsedOn":"/);
  const costs = [
    ...(await Promise.all(PREFLIGHTS.map(([, path]) => meter.request("OPTIONS", path, undefined, { Origin: PAGE })))),
    await read(settings[0] ?? ""),
    await meter.request("GET", settings[1] ?? "", undefined, basic(text)),
  ];
  for (const cost of costs) expect(cost).toMatchObject({ trips: 0, objectCalls: 0 });
  expect(costs.map(({ status }) => status)).toEqual([...PREFLIGHTS.map(() => 204), 200, 200]);
});

it.each([
  ["GET", "/v1/projects/KEY/settings"],
  ["GET", "/sourceConfig?writeKey=KEY"],
  ["POST", "/beacon/v1/batch?writeKey=KEY"],
  ["PUT", "/v1/projects/KEY/settings"],
])("§19 the log of %s %s doesn't have the key", async (method, path) => {
  const body = method === "POST" ? batch([track()]) : undefined;
  const { lines } = await logged(() => send(method, path.replace("KEY", key), body, from(PAGE)));
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(key);
});

it("§19 a cached key of an erased workspace sends nothing", async () => {
  expect((await beacon()).status).toBe(200);
  await admin("DELETE", `/workspaces/${workspace.id}`);
  expect((await beacon()).status).toBe(401);
});

it("§19 messages of browser keys take the ids of no other sender", async () => {
  const taken = { messageId: "invoice-1", userId: "u1", event: "x", type: "track" };
  expect(await send("POST", "/api/v1/cdp", taken, from(PAGE, basic(key)))).toMatchObject({ body: { stored: 1 } });
  expect(await send("POST", "/api/v1/cdp", taken, from(PAGE, basic(key)))).toMatchObject({ body: { duplicates: 1 } });
  expect(await workspace.post("/api/v1/cdp", taken)).toMatchObject({ body: { stored: 1 } });
  const { body } = await workspace.get("/api/v1/events");
  expect(body.events?.map(({ messageId }) => messageId)).toEqual(["invoice-1", "web:invoice-1"]);
});

describe("§19 a lone message with only an anonymousId", () => {
  it("§19 is 200, is listed in rejected, and is counted by day", async () => {
    const { status, body } = await send("POST", "/v1/t", { anonymousId: "a1", event: "x" }, from(PAGE, basic(key)));
    expect(status).toBe(200);
    expect(body).toMatchObject({ stored: 0, rejected: [{ index: 0, code: "invalid_message", path: "userId" }] });
    const { body: seen } = await workspace.get("/api/v1/rejected");
    expect(seen).toMatchObject({ rejected: [], counts: [{ code: "invalid_message", count: 1 }] });
  });

  it("§19 is 400 without the anonymousId", async () => {
    for (const anonymousId of [undefined, "", 7])
      expect((await workspace.post("/v1/t", { anonymousId, event: "x" })).status).toBe(400);
  });
});
