/** Section 8: the shape of errors, and what they tell of the sender's own. */
import { beforeAll, describe, expect, it } from "vitest";

import { type Fields, ofBytes, track } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

const tooMany = async () => {
  const { post } = await newWorkspace({ writeLimit: 1 });
  await post(CDP, track());
  return post(CDP, track());
};

const ERRORS: [status: number, code: string, make: () => Promise<Answer>][] = [
  [400, "invalid_json", () => workspace.post(CDP, "{")],
  [400, "invalid_request", () => workspace.post(NATIVE, {})],
  [400, "invalid_message", () => workspace.post(CDP, {})],
  [401, "unauthorized", () => send("POST", CDP, {})],
  [403, "forbidden", async () => (await workspace.newKey(["ask"])).post(CDP, {})],
  [404, "not_found", () => workspace.get("/api/v1/users/nobody")],
  [405, "method_not_allowed", () => send("DELETE", CDP)],
  [413, "message_too_large", () => workspace.post(CDP, ofBytes(track(), 16_385))],
  [413, "batch_too_large", () => workspace.post(CDP, " ".repeat(524_289))],
  [
    415,
    "unsupported_encoding",
    () =>
      workspace.post(CDP, "{}", { headers: { Authorization: `Bearer ${workspace.key}`, "Content-Encoding": "br" } }),
  ],
  [
    415,
    "unsupported_media_type",
    () => admin("POST", "/workspaces", "{}", { headers: { "Content-Type": "text/plain" } }),
  ],
  [429, "rate_limited", tooMany],
];

describe("§8 the shape of an error", () => {
  it.each(ERRORS)("§8 %i %s", async (status, code, make) => {
    const { body, headers, ...answer } = await make();
    expect(answer.status).toBe(status);
    expect(Object.keys(body)).toEqual(["ok", "error"]);
    expect(body.ok).toBe(false);
    expect(body.error).toMatchObject({
      code,
      message: expect.stringMatching(/.\.$/s),
      requestId: headers.get("X-Request-Id"),
    });
    const known = new Set(["code", "message", "requestId", "issues"]);
    expect(Object.keys(body.error ?? {}).filter((key) => !known.has(key))).toEqual([]);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  });

  it("§8 the texts of errors are another for each code", async () => {
    const messages = await Promise.all(ERRORS.map(async ([, , make]) => (await make()).body.error?.message));
    expect(new Set(messages).size).toBe(ERRORS.length);
  });
});

describe("§8 X-Request-Id on every answer", () => {
  it.each<[what: string, make: () => Promise<Answer>]>([
    ["a capture", () => workspace.post(NATIVE, { accountId: "a", userId: "u", event: "e" })],
    ["a batch", () => workspace.post(CDP, { batch: [] })],
    ["a read", () => workspace.get(NATIVE)],
    ["a preflight", () => send("OPTIONS", CDP)],
    ["liveness", () => send("GET", "/healthz")],
    ["readiness", () => send("GET", "/readyz")],
    ["administration", () => admin("GET", "/workspaces?limit=1")],
    ["HEAD", () => send("HEAD", "/healthz")],
    ["an unknown path", () => send("GET", "/nothing")],
    ...ERRORS.map(([status, code, make]): [string, () => Promise<Answer>] => [`${status} ${code}`, make]),
  ])("§8 %s", async (_what, make) => {
    expect((await make()).headers.get("X-Request-Id")).toMatch(/^[\w-]{8,}$/);
  });

  it("§8 each request has its own", async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await send("GET", "/healthz")).headers.get("X-Request-Id")),
    );
    expect(new Set(ids).size).toBe(5);
  });

  it.each(["x".repeat(65), "y".repeat(255), "z".repeat(5_000), "<script>", 'a"b'])(
    "§8 a sender's own id %s is not echoed when it is long or odd",
    async (id) => {
      const { text, headers } = await send("GET", "/nothing", undefined, { headers: { "X-Request-Id": id } });
      expect(text).not.toContain(id);
      expect(headers.get("X-Request-Id")).not.toContain(id);
    },
  );
});

describe("§8 issues", () => {
  it("§8 name path and message, and nothing else", async () => {
    const { body } = await workspace.post(NATIVE, { accountId: "a", userId: "u", event: "No" });
    expect(body.error?.issues).toEqual([{ path: "event", message: expect.any(String) }]);
  });

  it("§8 are at most 20", async () => {
    const scopes = Array.from({ length: 100 }, () => "nothing");
    const { status, body } = await admin("POST", `/workspaces/${workspace.id}/keys`, { scopes });
    expect(status).toBe(400);
    expect(body.error?.issues).toHaveLength(20);
  });
});

describe("§8 no value of the sender's is echoed beyond 64 characters", () => {
  const LONG = "Zz9".repeat(2_000);
  const tooLong = LONG.slice(0, 65);
  const NAMES = [
    "accountId",
    "userId",
    "event",
    "properties",
    "timestamp",
    "accountStage",
    "trialEndsAt",
    "accountPlan",
    "accountSeats",
  ];

  it.each([...NAMES, "accountMrr", "accountCurrency", "extra"])("§8 of a capture's %s", async (name) => {
    for (const fields of [{ [name]: LONG }, { [name]: [LONG] }, { [name]: { [LONG]: LONG } }, { [name + LONG]: 1 }]) {
      const { text } = await workspace.post(NATIVE, { accountId: "a", userId: "u", event: "e", ...fields });
      expect(text).not.toContain(tooLong);
    }
  });

  it.each<[what: string, message: Fields]>([
    ["type", { type: LONG }],
    ["event", { type: "track", userId: "u1", event: LONG }],
    ["timestamp", { type: "track", userId: "u1", event: "x", timestamp: LONG }],
    ["userId", { type: "track", userId: LONG, event: "x" }],
    ["messageId", { type: "track", userId: "u1", event: "x", messageId: LONG }],
    ["a property's key", { type: "track", userId: "u1", event: "x", properties: { [LONG]: "x".repeat(12_000) } }],
    ["a key of its own", { type: "track", userId: "u1", event: "x", [LONG]: "x".repeat(12_000) }],
    ["traits", { type: "identify", userId: "u1", traits: LONG }],
    ["groupId", { type: "group", groupId: LONG }],
  ])("§8 of a message's %s, alone and in a batch", async (_what, message) => {
    expect((await workspace.post(CDP, message)).text).not.toContain(tooLong);
    expect((await workspace.post(CDP, [message])).text).not.toContain(tooLong);
  });

  it.each<[what: string, method: string, path: string, body: unknown]>([
    ["an unknown field's name", "POST", "/workspaces", { name: "x", [LONG]: 1 }],
    ["a value", "POST", "/workspaces", { name: LONG }],
    ["a number", "POST", "/workspaces", { name: "x", writeLimit: LONG }],
    ["a scope", "POST", "/workspaces/ID/keys", { scopes: [LONG] }],
    ["a version", "PUT", "/workspaces/ID/dpa", { acceptedBy: "x", version: [LONG] }],
    ["a path", "GET", `/workspaces/${LONG}`, undefined],
    ["the body", "POST", "/workspaces", `{"${LONG}`],
  ])("§8 of %s in an administration call", async (_what, method, path, body) => {
    const { status, text } = await admin(method, path.replace("ID", workspace.id), body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain(tooLong);
  });

  it.each([`?limit=${LONG}`, `?cursor=${LONG}`, `?${LONG}=1&limit=0`])("§8 of the query", async (query) => {
    const { status, text } = await workspace.get(NATIVE + query);
    expect(status).toBe(400);
    expect(text).not.toContain(tooLong);
  });

  it("§8 of paths, keys and headers", async () => {
    for (const headers of [{ Authorization: `Bearer ${LONG}` }, { ...ADMIN_HEADERS, "Content-Type": LONG }]) {
      const answers = [
        await send("GET", `/${LONG}`, undefined, { headers }),
        await send("POST", CDP, track(), { headers }),
        await send("POST", "/admin/workspaces", {}, { headers }),
      ];
      for (const { status, text } of answers) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(text).not.toContain(tooLong);
      }
    }
  });
});
