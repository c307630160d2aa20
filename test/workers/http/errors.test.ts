/** Section 8: the shape of errors, and how little of a request they echo. */
import { beforeAll, describe, expect, it } from "vitest";

import { type Fields, ofBytes, track } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

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
    expect(Object.keys(body)).toEqual(["ok", "code", "message", "error"]);
    expect(body).toMatchObject({ ok: false, code, message: body.error?.message });
    expect(body.error).toMatchObject({
      code,
      message: expect.stringMatching(/.\.$/s),
      requestId: headers.get("X-Request-Id"),
    });
    const known = new Set(["code", "message", "requestId", "issues"]);
    expect(Object.keys(body.error ?? {}).filter((key) => !known.has(key))).toEqual([]);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  });

  it("§8 each code has its own message", async () => {
    const messages = await Promise.all(ERRORS.map(async ([, , make]) => (await make()).body.error?.message));
    expect(new Set(messages).size).toBe(ERRORS.length);
  });
});

describe("§8 X-Request-Id", () => {
  it("§8 differs for each request", async () => {
    const ids = [await workspace.get(NATIVE), await workspace.get(NATIVE)].map(({ headers }) =>
      headers.get("X-Request-Id"),
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each(["x".repeat(65), "<script>", 'a"b'])("§8 does not echo a long or odd id of the sender: %s", async (id) => {
    const { text, headers } = await send("GET", "/nothing", undefined, { headers: { "X-Request-Id": id } });
    expect(text).not.toContain(id);
    expect(headers.get("X-Request-Id")).not.toContain(id);
  });
});

describe("§8 issues", () => {
  it("§8 have a path and a message", async () => {
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

describe("§8 a response echoes at most 64 characters", () => {
  const LONG = "Zz9".repeat(2_000);
  const tooLong = LONG.slice(0, 65);
  const FIELDS = ["accountId", "event", "properties", "timestamp", "accountStage", "accountSeats", "extra"];

  it.each(FIELDS)("§8 of the field %s of a capture", async (name) => {
    for (const fields of [{ [name]: LONG }, { [name]: { [LONG]: LONG } }, { [name + LONG]: 1 }]) {
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
    ["largest property", { type: "track", userId: "u1", event: "x", properties: { [LONG]: "x".repeat(12_000) } }],
    ["largest field", { type: "track", userId: "u1", event: "x", [LONG]: "x".repeat(12_000) }],
    ["traits", { type: "identify", userId: "u1", traits: LONG }],
  ])("§8 of the %s of a message, alone and in a batch", async (_what, message) => {
    expect((await workspace.post(CDP, message)).text).not.toContain(tooLong);
    expect((await workspace.post(CDP, [message])).text).not.toContain(tooLong);
  });

  it.each<[what: string, method: string, path: string, body: unknown]>([
    ["an unknown field", "POST", "/workspaces", { name: "x", [LONG]: 1 }],
    ["a value", "POST", "/workspaces", { name: LONG }],
    ["a scope", "POST", "/workspaces/ID/keys", { scopes: [LONG] }],
    ["a path", "GET", `/workspaces/${LONG}`, undefined],
    ["invalid JSON", "POST", "/workspaces", `{"${LONG}`],
  ])("§8 of %s in an administration request", async (_what, method, path, body) => {
    const { status, text } = await admin(method, path.replace("ID", workspace.id), body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain(tooLong);
  });

  it("§8 of a query, a path, a key or a header", async () => {
    for (const answer of [
      await workspace.get(`${NATIVE}?limit=${LONG}`),
      await workspace.get(`${NATIVE}?cursor=${LONG}`),
      await workspace.get(`${NATIVE}?${LONG}=1`),
      await send("GET", `/${LONG}`),
      await send("POST", CDP, track(), { headers: { Authorization: `Bearer ${LONG}` } }),
      await admin("POST", "/workspaces", {}, { headers: { "Content-Type": LONG } }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(tooLong);
    }
  });
});
