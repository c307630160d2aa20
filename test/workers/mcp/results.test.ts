/** §24: results fit in 16 KB and stay valid, whatever a workspace holds. */
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";

import { accountDetails } from "../../../src/edge/responses/account.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { type Called, callTool, listTools } from "./agent.ts";

const Rows = z.array(z.record(z.string(), z.unknown()));
const Cut = z.object({
  answer: z.string(),
  value: Rows,
  query: z.record(z.string(), z.unknown()),
  evidence: z.array(z.unknown()),
  truncated: z.array(z.string()).optional(),
  totalRows: z.int().optional(),
});
const NARROWER = "Ask for a narrower window or filter to get the rest.";
/** Appears in each sentence and in each evidence of its summary. */
const LONG_ID = "account-0";
const MAX_BYTES = 16 * 1_024;
const EVENTS = 70;
const ACCOUNTS = 150;

const track = (index: number, properties: object, userId = `u${index}`, event = "Report Exported") => ({
  type: "track",
  messageId: `m${index}`,
  userId,
  event,
  timestamp: new Date(Date.now() - index * 1_000).toISOString(),
  properties: { ...properties, accountId: `account-${index}` },
});

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
  const note = 'said "no" \\ \u{1f642} '.repeat(40);
  // Some with a lot, one with more than a result has room for.
  const events = Array.from({ length: EVENTS }, (_, index) =>
    track(
      index,
      index === 5 ? Object.fromEntries(Array.from({ length: 15 }, (__, key) => [`k${key}`, note])) : { note },
    ),
  );
  const groups = Array.from({ length: ACCOUNTS }, (_, index) => ({
    type: "group",
    messageId: `g${index}`,
    userId: `u${index}`,
    groupId: `account-${index}`,
    traits: {
      plan: `Plan ${index}`,
      mrr: index,
      currency: index % 2 === 0 ? "EUR" : "USD",
      [`trait${index}`]: `value ${index}`,
    },
  }));
  const rich = {
    type: "group",
    messageId: "rich",
    userId: "u0",
    groupId: "account-0",
    traits: Object.fromEntries(
      Array.from({ length: 200 }, (_, key) => [`rich${key}`, `a text of some length, ${key}`]),
    ),
  };
  for (const batch of [groups, [rich], events]) await workspace.post("/api/v1/cdp", { batch });
  await admin("POST", "/recompute");
});

/** Reads all pages. Each has to be small enough. */
async function readAll(name: string, list: string, given: Record<string, unknown> = {}) {
  const rows: Record<string, unknown>[] = [];
  const pages: Called[] = [];
  for (let cursor: unknown; cursor !== null; cursor = pages.at(-1)?.body["nextCursor"]) {
    const page = await callTool(workspace.key, name, { ...given, ...(cursor !== undefined && { cursor }) });
    expect(page.isError, JSON.stringify(page.body)).toBe(false);
    expect(page.bytes).toBeLessThan(MAX_BYTES);
    pages.push(page);
    rows.push(...Rows.parse(page.body[list]));
  }
  return { rows, pages };
}

describe("§24 pages", () => {
  it("are cut with a cursor that loses no event, and an event that is too large alone loses properties", async () => {
    const { rows, pages } = await readAll("list_events", "events", { limit: 200 });
    expect(pages.length).toBeGreaterThan(3);
    expect(rows.map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: EVENTS }, (_, index) => `m${EVENTS - 1 - index}`),
    );
    const cut = rows.filter((row) => "truncated" in row);
    expect(cut).toMatchObject([{ messageId: "m5", truncated: ["properties"], properties: { k0: expect.any(String) } }]);
  });

  it("lose no account", async () => {
    const { rows } = await readAll("list_accounts", "accounts", { limit: 200, sort: "mrr" });
    expect(rows.map(({ externalId }) => externalId)).toEqual(
      Array.from({ length: ACCOUNTS }, (_, index) => `account-${ACCOUNTS - 1 - index}`),
    );
  });

  it("lose no dimension", async () => {
    const { rows, pages } = await readAll("list_dimensions", "dimensions");
    expect(pages.length).toBeGreaterThan(1);
    const { body } = await workspace.get("/api/v1/dimensions");
    expect(rows.map(({ name }) => name)).toEqual(Rows.parse(body["dimensions"]).map(({ name }) => name));
  });

  it.each(["list_events", "list_accounts", "list_inbox", "list_dimensions"])(
    "%s refuses the cursor of another workspace",
    async (name) => {
      const other = await newWorkspace();
      const { body } = await callTool(workspace.key, "list_accounts", { limit: 1 });
      const called = await callTool(other.key, name, { cursor: body["nextCursor"] });
      expect(called).toMatchObject({ isError: true, body: { code: "invalid_request", issues: [{ path: "cursor" }] } });
    },
  );
});

describe("§24 an account", () => {
  it("that is too large loses entries of its long lists, and names them", async () => {
    const called = await callTool(workspace.key, "get_account", { account: "account-0" });
    expect(called.bytes).toBeLessThan(MAX_BYTES);
    const { truncated, ...account } = z.looseObject({ truncated: z.unknown() }).parse(called.body["account"]);
    expect(truncated).toEqual(["traits"]);
    expect(accountDetails.parse(account)).toMatchObject({
      externalId: "account-0",
      traits: { rich0: expect.any(String) },
    });
  });

  it("that doesn't exist is an error", async () => {
    const called = await callTool(workspace.key, "get_account", { account: "nobody" });
    expect(called).toMatchObject({
      isError: true,
      body: { ok: false, code: "not_found", message: "No such account: use list_accounts to find its id." },
    });
  });
});

describe("§24 an answer with many rows", () => {
  it.each([
    ["query", { find: "accounts", show: "list", measure: "mrr", with: ["plan", "events", "first_seen"] }],
    ["query", { find: "accounts", show: "list", measure: "mrr", with: ["plan", "account.trait1"], limit: 50 }],
    ["ask", { question: "List all accounts by MRR with their plan, trial end, contract end and score" }],
  ])("%s %j loses evidence, then rows, and says how many there are", async (name, given) => {
    const called = await callTool(workspace.key, name, given);
    expect(called.isError, JSON.stringify(called.body)).toBe(false);
    expect(called.bytes).toBeLessThan(MAX_BYTES);
    const { value, query, answer, evidence, truncated, totalRows } = Cut.parse(called.body);
    const whole = Cut.parse((await workspace.postJson("/api/v1/query", query)).body);
    expect(truncated).toEqual(["evidence", "value"]);
    expect(evidence).toHaveLength(1);
    expect(totalRows).toBe(whole.value.length);
    expect(value.length).toBeGreaterThan(20);
    expect(value).toEqual(whole.value.slice(0, value.length));
    expect(answer).toBe(`${whole.answer}\nOnly ${value.length} of ${totalRows} rows are in this result. ${NARROWER}`);
  });

  it("has each of 60 days, without evidence", async () => {
    const given = { find: "events", show: "count", per: "day", window: { last: 60, unit: "day" } };
    const { value, truncated, totalRows } = Cut.parse((await callTool(workspace.key, "query", given)).body);
    expect([value.length, truncated, totalRows]).toEqual([60, ["evidence"], undefined]);
  });

  it.each([
    ["query", { find: "accounts", show: "summary", where: [{ dimension: "account", is: LONG_ID }] }],
    ["ask", { question: `Tell me about ${LONG_ID}` }],
  ])("%s %j summarizes an account", async (name, given) => {
    const called = await callTool(workspace.key, name, given);
    expect([called.isError, called.body["knows"]], JSON.stringify(called.body)).toEqual([false, true]);
    expect(called.bytes).toBeLessThan(MAX_BYTES);
  });
});

describe("§24 descriptions", () => {
  it("are the same for all workspaces, so they contain no value of any", async () => {
    const empty = await newWorkspace();
    expect(await listTools(workspace.key)).toEqual(await listTools(empty.key));
  });
});
