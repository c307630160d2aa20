/** §24: who may use which tools, and what the log and the limits say about it. */
import { beforeAll, describe, expect, it } from "vitest";

import { D1_BROKEN, D1_OVERLOADED, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { logged } from "../support/logged.ts";
import { track } from "../support/messages.ts";
import { ORIGIN, refusal, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { ACCEPT, callTool, listTools, post } from "./agent.ts";

const READ_TOOLS = ["get_account", "list_accounts", "list_events", "list_inbox"];
const ASK_TOOLS = ["ask", "list_dimensions", "query"];
const INBOX_TOOLS = ["dismiss_item", "snooze_item"];
const LEGACY_CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_accounts", arguments: {} } };

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  await workspace.post(
    "/api/v1/cdp",
    track({ userId: "u1", event: "Report Exported", properties: { accountId: "a" } }),
  );
});

describe("§24 credentials", () => {
  it.each([
    ["no key", {}],
    ["an unknown key", { Authorization: "Bearer bik_unknown" }],
    ["a key as a password", { Authorization: `Basic ${btoa("bik_unknown:")}` }],
  ])("refuses %s with 401, and names no authorization server", async (_, headers) => {
    const answer = await send("POST", "/mcp", LEGACY_CALL, { headers: { ...ACCEPT, ...headers } });
    expect(answer).toMatchObject(refusal(401, "unauthorized"));
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(answer.text).not.toContain("resource_metadata");
  });

  it.each(["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server"])(
    "returns 404 for /.well-known/%s",
    async (path) => {
      expect(await send("GET", `/.well-known/${path}`)).toMatchObject(refusal(404, "not_found"));
    },
  );

  it.each([
    [["read"], READ_TOOLS],
    [["ask"], ASK_TOOLS],
    [["inbox"], INBOX_TOOLS],
    [
      ["read", "inbox", "ingest"],
      [...INBOX_TOOLS, ...READ_TOOLS],
    ],
    [undefined, [...ASK_TOOLS, ...INBOX_TOOLS, ...READ_TOOLS]],
  ])("a key with the scopes %j sees and calls its tools only", async (scopes, tools) => {
    const { key } = await workspace.newKey(scopes);
    expect((await listTools(key)).map(({ name }) => name).toSorted()).toEqual(tools.toSorted());
    for (const name of [...ASK_TOOLS, ...INBOX_TOOLS, ...READ_TOOLS]) {
      const { body } = await post(key, "tools/call", { name, arguments: {} });
      expect([name, "error" in body]).toEqual([name, !tools.includes(name)]);
    }
  });

  it("refuses a key without any of the scopes with 403", async () => {
    const { key } = await workspace.newKey(["ingest", "identity"]);
    const answer = await post(key, "tools/list");
    expect(answer).toMatchObject(refusal(403, "forbidden"));
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer error="insufficient_scope", scope="ask read inbox"');
  });

  it("says which tools read and which change something", async () => {
    const hints = (await listTools(workspace.key)).map(({ name, annotations }) => [name, annotations]);
    const all = { destructiveHint: false, idempotentHint: true, openWorldHint: false };
    expect(Object.fromEntries(hints)).toEqual(
      Object.fromEntries([
        ...[...READ_TOOLS, ...ASK_TOOLS].map((name) => [name, { ...all, readOnlyHint: true }]),
        ...INBOX_TOOLS.map((name) => [name, { ...all, readOnlyHint: false }]),
      ]),
    );
  });
});

describe("§24 requests", () => {
  it("refuses pages of other sites, and accepts those of its own", async () => {
    for (const origin of ["https://evil.test", "http://ingest.test", "null", `${ORIGIN}:8443`])
      expect(await post(workspace.key, "tools/list", {}, { Origin: origin })).toMatchObject(
        refusal(403, "origin_not_allowed"),
      );
    expect((await post(workspace.key, "tools/list", {}, { Origin: ORIGIN })).status).toBe(200);
  });

  it.each(["GET", "DELETE", "PUT", "OPTIONS"])("answers %s with 405", async (method) => {
    const answer = await send(method, "/mcp", undefined, { headers: { Authorization: `Bearer ${workspace.key}` } });
    expect(answer).toMatchObject(refusal(405, "method_not_allowed"));
    expect(answer.headers.get("Allow")).toBe("POST");
  });

  it.each([
    ["no JSON", "{", 400],
    ["too much", JSON.stringify({ ...LEGACY_CALL, padding: "x".repeat(70_000) }), 413],
  ])("refuses a body with %s", async (_, body, status) => {
    const headers = { ...ACCEPT, Authorization: `Bearer ${workspace.key}` };
    expect((await send("POST", "/mcp", body, { headers })).status).toBe(status);
  });

  it("refuses more than 4 KB of arguments", async () => {
    const called = await callTool(workspace.key, "ask", { question: "x".repeat(4_100) });
    expect(called).toMatchObject({
      isError: true,
      body: { code: "invalid_request", message: "The arguments have more than 4 KB." },
    });
  });

  it("opens no stream of notifications", async () => {
    const { text } = await post(workspace.key, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect(text).toContain("error");
  });

  it("counts each reading call of a body toward the read limit, and no write", { timeout: 60_000 }, async () => {
    const { key } = await workspace.newKey();
    const batch = Array.from({ length: 100 }, (_, id) => ({ ...LEGACY_CALL, id }));
    const headers = { ...ACCEPT, Authorization: `Bearer ${key}` };
    // The limit's period may end meanwhile, and begin again.
    await expect
      .poll(async () => (await send("POST", "/mcp", batch, { headers })).text, { timeout: 30_000 })
      .toContain("rate_limited");
    expect((await post(key, "tools/list", {})).text).toContain("Too many reads with this key");
    const called = await callTool(key, "list_accounts");
    expect([called.isError, called.body.code]).toEqual([true, "rate_limited"]);
    expect((await callTool(key, "dismiss_item", { id: "itm_x" })).body.code).toBe("not_found");
    expect((await callTool(workspace.key, "list_accounts")).isError).toBe(false);
  });
});

describe("§8 §24 the log line of a call", () => {
  it.each([
    ["the current revision", () => post(workspace.key, "tools/call", { name: "list_accounts", arguments: {} })],
    [
      "older ones, which get an event stream",
      () => send("POST", "/mcp", LEGACY_CALL, { headers: { ...ACCEPT, Authorization: `Bearer ${workspace.key}` } }),
    ],
  ])("names the tool, the workspace and the key, by %s", async (_, call) => {
    await scheduler.wait(1_000);
    const { answer, line } = await logged(call);
    expect(answer.text).toContain("structuredContent");
    expect(line).toMatchObject({
      operation: "mcp_list_accounts",
      workspace: workspace.id,
      keyId: workspace.keyId,
      status: 200,
      databaseMs: expect.any(Number),
    });
  });

  it.each([
    [D1_BROKEN, "internal", 500],
    [D1_OVERLOADED, "unavailable", 503],
  ])("has the fault of a call, and the status that alerts count: %s", async (fault, code, status) => {
    const headers = { ...ACCEPT, Authorization: `Bearer ${workspace.key}` };
    await callTool(workspace.key, "list_accounts");
    const { DB } = databaseWith(failing(fault));
    const { answer, line } = await logged(() => sendWith(envWith({ DB }), "POST", "/mcp", LEGACY_CALL, { headers }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`\\"code\\":\\"${code}\\"`);
    expect(answer.text).not.toContain("D1");
    expect(line).toMatchObject({ status, fault: expect.stringContaining("D1") });
  });

  it("§9 reports the key of an erased workspace as unauthorized", async () => {
    const erased = await newWorkspace();
    expect((await callTool(erased.key, "list_accounts")).isError).toBe(false);
    expect((await admin("DELETE", `/workspaces/${erased.id}`)).status).toBe(200);
    const answer = await post(erased.key, "tools/call", { name: "list_accounts", arguments: {} });
    expect(answer.text).toContain("unauthorized");
  });
});
