/** §24: the official clients list and call every tool of the running service. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { buildWorker } from "../../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../harness/serve-worker.ts";
import { type Story, tellStory } from "../openapi/story.ts";
import { type Agent, CLIENTS } from "./clients.ts";

const MAX_BYTES = 16 * 1_024;

let worker: ServedWorker;
let story: Story;
beforeAll(async () => {
  worker = await serveWorker(await buildWorker(), { databases: ["DB_1"] });
  story = await tellStory(worker);
});
afterAll(() => worker[Symbol.asyncDispose]());

/** A good call of each tool, and what its result has. */
const calls = (): [name: string, given: Record<string, unknown>, result: object][] => [
  ["ask", { question: "How many accounts are there?" }, { knows: true, value: expect.any(Number) }],
  ["query", { find: "accounts", show: "list", measure: "events" }, { knows: true, value: expect.any(Array) }],
  ["list_dimensions", {}, { dimensions: expect.arrayContaining([expect.objectContaining({ name: "plan" })]) }],
  ["list_accounts", { sort: "mrr" }, { accounts: expect.arrayContaining([expect.anything()]) }],
  ["get_account", { account: "globex" }, { account: { externalId: "globex", openItems: { length: 1 } } }],
  ["list_inbox", {}, { items: expect.arrayContaining([expect.objectContaining({ id: story.item })]) }],
  ["list_events", { limit: 3 }, { events: { length: 3 }, nextCursor: expect.any(String) }],
  ["snooze_item", { id: story.item, until: inAWeek() }, { item: { id: story.item, status: "open" } }],
  ["dismiss_item", { id: story.item, reason: "handled" }, { item: { id: story.item, dismissReason: "handled" } }],
];
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();

describe.each(CLIENTS)("§24 $client", ({ revision, connect }) => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await connect(worker.url, story.key);
    // Another client may have marked the item.
    const headers = { authorization: `Bearer ${story.key}` };
    for (const mark of ["dismiss", "snooze"])
      await fetch(`${worker.url}/api/v1/inbox/${story.item}/${mark}`, { method: "DELETE", headers });
  });
  afterAll(() => agent.close());

  it(`lists the tools by revision ${revision}`, async () => {
    expect(agent.revision).toBe(revision);
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      calls()
        .map(([name]) => name)
        .toSorted(),
    );
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  });

  it("calls every tool, whose results match its output schema and are the text too", async () => {
    await agent.listTools();
    for (const [name, given, result] of calls()) {
      const called = await agent.callTool({ name, arguments: given });
      expect(called.isError, JSON.stringify(called)).toBe(false);
      expect(called.structuredContent).toMatchObject({ ok: true, ...result });
      expect(JSON.parse(called.content[0]?.text ?? "")).toEqual(called.structuredContent);
      expect(JSON.stringify(called).length).toBeLessThan(MAX_BYTES);
    }
  });

  it("gets errors as results that name the field", async () => {
    const called = await agent.callTool({ name: "list_inbox", arguments: { status: "closed" } });
    expect(called.isError).toBe(true);
    expect(JSON.parse(called.content[0]?.text ?? "")).toMatchObject({
      ok: false,
      code: "invalid_request",
      issues: [{ path: "status", message: expect.stringContaining('"snoozed"') }],
    });
  });

  it("refuses a tool that doesn't exist", async () => {
    await expect(agent.callTool({ name: "erase_user", arguments: {} })).rejects.toThrow("Unknown tool");
  });
});

describe("§24 arguments", () => {
  it("of any kind get a result or an error in it, and never a fault", async () => {
    const agent = await CLIENTS[0]?.connect(worker.url, story.key);
    const { tools = [] } = (await agent?.listTools()) ?? {};
    const fields = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    const field = fc.oneof(fc.constantFrom(...fields), fc.string());
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("accounts", "list", "count", "acme", "plan", "open", story.item, 1, 20) },
      fc.jsonValue(),
      fc.string({ unit: "binary" }),
    );
    const call = fc.record({
      name: fc.constantFrom(...tools.map(({ name }) => name)),
      given: fc.dictionary(field, value, { maxKeys: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ name, given }) => {
        const called = await agent?.callTool({ name, arguments: given });
        const answer: { ok: boolean; code?: string } = JSON.parse(called?.content[0]?.text ?? "");
        expect(answer.ok).toBe(called?.isError === false);
        expect(["internal", "unavailable"]).not.toContain(answer.code);
        expect(JSON.stringify(called).length).toBeLessThan(MAX_BYTES);
      }),
      { numRuns: 300 },
    );
    await agent?.close();
  });
});
