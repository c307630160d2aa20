/** §15.1: requests with questions: fields, keys, headers, failures, and the log. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { capture } from "../support/messages.ts";
import { D1_BROKEN, D1_LOST, D1_OVERLOADED, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { type Answer, send, type SendInit } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

const asking = (key: string, body: unknown, path = "/api/v1/ask", init: SendInit = {}): Promise<Answer> =>
  send("POST", path, body, { headers: { ...JSON_TYPE, Authorization: `Bearer ${key}`, ...init.headers } });

const ask = (question: unknown, fields: Record<string, unknown> = {}): Promise<Answer> =>
  workspace.postJson("/api/v1/ask", { question, ...fields });

const captured = (fields: Record<string, unknown> = {}) => workspace.post("/api/v1/events", capture(fields));

const TODAY = "How many events did acme have today?";

const padded = (bytes: number) => `{"question":"x"${" ".repeat(bytes - 16)}}`;

describe("§15.1 what it takes", () => {
  it.each([
    ["no question", {}, "question"],
    ["a question that is no text", { question: 5 }, "question"],
    ["a blank question", { question: " \n " }, "question"],
    ["a question of 501 characters", { question: "🙂".repeat(501) }, "question"],
    ["an account that is no id", { question: "x", accountId: {} }, "accountId"],
    ["a user of more than 256 characters", { question: "x", userId: "u".repeat(257) }, "userId"],
    ["a feature with a control character", { question: "x", feature: "a\u0000b" }, "feature"],
    ["an unknown time zone", { question: "x", timezone: "Mars/Olympus" }, "timezone"],
    ["an offset for a time zone", { question: "x", timezone: "+05:00" }, "timezone"],
    ["another field", { question: "x", model: "large" }, "model"],
    ["a query before that is no query", { question: "x", previous: { find: "accounts" } }, "previous.show"],
    [
      "a query before of an unknown dimension",
      {
        question: "x",
        previous: { find: "accounts", show: "count", where: [{ dimension: "account.moon", is: "full" }] },
      },
      "previous.where.0.dimension",
    ],
  ])("§15.1 %s is 400 invalid_request", async (_, body, path) => {
    expect(await asking(workspace.key, body)).toMatchObject({
      status: 400,
      body: { ok: false, error: { code: "invalid_request", issues: [{ path }] } },
    });
  });

  it("§15.1 accepts 500 characters, and ids in every form that ingest accepts", async () => {
    await captured({ accountId: "7" });
    expect((await ask("🙂".repeat(500))).status).toBe(200);
    const { body } = await ask("How many events did they have today?", {
      accountId: 7,
      userId: null,
      feature: " ",
      timezone: "Europe/Madrid",
    });
    expect(body["knows"] === true || body["reason"] === "no_data_in_window").toBe(true);
  });

  it("§8 accepts only JSON with its Content-Type, at most 4 KB", async () => {
    const { key } = workspace;
    expect(await asking(key, "{", "/api/v1/ask")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_json" } },
    });
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      const refused = await asking(key, { question: "x" }, "/api/v1/ask", { headers: { "Content-Type": type } });
      expect(refused).toMatchObject({ status: 415, body: { error: { code: "unsupported_media_type" } } });
    }
    expect((await asking(key, padded(4_096))).status).toBe(200);
    expect(await asking(key, padded(4_097))).toMatchObject({
      status: 413,
      body: { error: { code: "message_too_large" } },
    });
  });

  it("§2 needs a key with the scope ask", async () => {
    await captured();
    const asker = await workspace.newKey(["ask"]);
    expect((await asking(asker.key, { question: TODAY })).body["knows"]).toBe(true);
    for (const scope of ["ingest", "read", "identity", "inbox"]) {
      const { key } = await workspace.newKey([scope]);
      expect(await asking(key, { question: TODAY })).toMatchObject({
        status: 403,
        body: { error: { code: "forbidden" } },
      });
    }
    expect((await asking("junk", { question: TODAY })).status).toBe(401);
  });

  it("§8 answers the same at the unversioned path, and links to its successor", async () => {
    await captured();
    const answer = await asking(workspace.key, { question: TODAY }, "/api/ask");
    expect(answer).toMatchObject({ status: 200, body: { knows: true, value: 1 } });
    expect(answer.headers.get("Link")).toBe('</api/v1/ask>; rel="successor-version"');
    expect((await ask(TODAY)).headers.get("Link")).toBeNull();
    expect((await asking("junk", {}, "/api/ask")).headers.get("Link")).toContain("/api/v1/ask");
  });

  it("§8 rejects other origins", async () => {
    const origin = { Origin: "https://elsewhere.example" };
    const answer = await asking(workspace.key, { question: TODAY }, "/api/v1/ask", { headers: origin });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect((await send("OPTIONS", "/api/v1/ask", undefined, { headers: origin })).status).toBe(405);
  });

  it("§7 is not charged to the write limit", async () => {
    const tight = await newWorkspace({ writeLimit: 1 });
    for (let round = 0; round < 3; round += 1) {
      const answer = await asking(tight.key, { question: TODAY });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("RateLimit")).toBeNull();
    }
    expect((await tight.post("/api/v1/events", capture())).status).toBe(200);
  });

  it.each([
    [D1_LOST, 503, "unavailable"],
    [D1_OVERLOADED, 503, "unavailable"],
    [D1_BROKEN, 500, "internal"],
  ])("§8 a database that fails with %j is %i, without details of the failure", async (message, status, code) => {
    const { key } = workspace;
    await ask(TODAY);
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${key}` };
    const { DB } = databaseWith(failing(message));
    const answer = await sendWith(envWith({ DB }), "POST", "/api/v1/ask", { question: TODAY }, { headers });
    expect(answer).toMatchObject({ status, body: { ok: false, error: { code } } });
    expect(answer.text).not.toContain("secret");
  });

  it("§15.1 logs neither the question nor its answer", async () => {
    await captured({ accountId: "acme" });
    const lines = vi.spyOn(console, "log");
    try {
      await ask("How many events did acme have today?", { userId: "u1" });
      const [line] = lines.mock.calls.flat().map(String);
      expect(line).toContain('"operation":"ask"');
      expect(line).not.toMatch(/acme|events did|u1/);
    } finally {
      lines.mockRestore();
    }
  });
});
