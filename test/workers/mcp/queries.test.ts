/** §24: a language model learns the query language from the tool's description and repairs a query by its errors. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";

import { querySchema } from "../../../src/core/ask/query/model.ts";
import { EXAMPLES, QUERY_DESCRIPTION } from "../../../src/mcp/query-description.ts";
import { daysAgo, NOW, tellThreeAccounts } from "../ask/three-accounts.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { callTool, listTools } from "./agent.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
  await tellThreeAccounts(workspace);
  // Before the months that an example compares.
  const early = { type: "track", userId: "u1", event: "Report Exported", timestamp: daysAgo(75) };
  await workspace.post("/api/v1/cdp", { batch: [early] });
  await admin("POST", "/recompute");
});

describe("§24 the examples of the description", () => {
  it("are ten, of different kinds", async () => {
    const examples = EXAMPLES.map(([, query]) => querySchema.parse(JSON.parse(query)));
    expect(examples).toHaveLength(10);
    expect(new Set(examples.map(({ find }) => find)).size).toBe(5);
    expect(new Set(examples.map(({ show }) => show)).size).toBeGreaterThanOrEqual(4);
    const described = (await listTools(workspace.key)).find(({ name }) => name === "query")?.description;
    expect(described).toBe(QUERY_DESCRIPTION);
    for (const { name, description } of await listTools(workspace.key))
      expect([name, description.length > 2_000]).toEqual([name, false]);
  });

  it.each(EXAMPLES)("%s", async (_, example) => {
    const { isError, body } = await callTool(workspace.key, "query", JSON.parse(example));
    expect([isError, body["knows"], body["reason"]]).toEqual([false, true, null]);
  });
});

const Fields = z.object({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional(), enum: z.unknown().optional() })),
});

const accounts = (where: object) => ({ find: "accounts", show: "count", where: [where] });

/** Queries as language models get them wrong: the field, and what the error says that it may be. */
const WRONG: [what: string, query: object, path: string, allowed: string[]][] = [
  [
    "another entity",
    { find: "customers", show: "count" },
    "find",
    ["accounts", "users", "features", "items", "events"],
  ],
  ["no show", { find: "accounts" }, "show", ["list", "count", "share", "value"]],
  ["a show that events don't have", { find: "events", show: "list" }, "show", ["count", "value", "yes_no"]],
  [
    "a window in words",
    { find: "events", show: "count", window: "last 30 days" },
    "window",
    ['{"last": 30, "unit": "day"}'],
  ],
  [
    "a unit in the plural",
    { find: "events", show: "count", window: { last: 2, unit: "weeks" } },
    "window",
    ["week, month"],
  ],
  [
    "filters as one object",
    { find: "accounts", show: "count", where: { plan: "Team" } },
    "where",
    ['{"dimension": "plan", "is": "Pro"}'],
  ],
  ["an operator as a field", accounts({ dimension: "mrr", gt: 100 }), "where.0.gt", ["over", "under", "from", "to"]],
  ["no dimension", accounts({ is: "Team" }), "where.0.dimension", ["the name of a dimension"]],
  [
    "a trait without its prefix",
    accounts({ dimension: "industry", is: "travel" }),
    "where.0.dimension",
    ["use account.industry,"],
  ],
  [
    "a code that doesn't exist",
    accounts({ dimension: "health", is: "red" }),
    "where.0.is",
    ["healthy", "watch", "at_risk"],
  ],
  ["words for a number", accounts({ dimension: "mrr", over: "high" }), "where.0.over", ["number"]],
  [
    "two conditions",
    accounts({ dimension: "mrr", over: 1, under: 9 }),
    "where.0",
    ["over", "under", "isUnknown", "changed"],
  ],
  [
    "a condition of numbers for a text",
    accounts({ dimension: "plan", over: 3 }),
    "where.0.over",
    ["is", "isNot", "in", "became"],
  ],
  [
    "another name of a measure",
    { find: "accounts", show: "list", measure: "revenue" },
    "measure",
    ["mrr", "arr", "events", "score"],
  ],
  ["no measure", { find: "accounts", show: "value" }, "measure", ["mrr", "active_users"]],
  [
    "a period of accounts",
    { find: "accounts", show: "count", per: "month" },
    "per",
    ["plan", "stage", "account.industry"],
  ],
  [
    "a period that isn't counted",
    { find: "events", show: "count", per: "hour" },
    "per",
    ["day", "week", "month", "event"],
  ],
  [
    "an order as a text",
    { find: "accounts", show: "list", order: "mrr desc" },
    "order",
    ['{"by": "mrr", "direction": "down"}'],
  ],
  [
    "a direction of SQL",
    { find: "accounts", show: "list", order: { by: "mrr", direction: "desc" } },
    "order.direction",
    ["up", "down"],
  ],
  [
    "an order by nothing",
    { find: "accounts", show: "list", order: { by: "size", direction: "up" } },
    "order.by",
    ["seats", "change"],
  ],
  [
    "too many filters",
    { find: "accounts", show: "count", where: Array.from({ length: 11 }, () => ({ dimension: "plan", is: "Pro" })) },
    "where",
    ["at most 10 filters"],
  ],
  [
    "a date in words",
    { find: "accounts", show: "count", where: [{ dimension: "first_seen", from: "last week" }] },
    "where.0.from",
    ["must be a date such as 2026-11-20"],
  ],
  ["columns as a text", { find: "accounts", show: "list", with: "mrr" }, "with", ['["mrr", "plan"]']],
  ["a comparison as a text", { find: "events", show: "count", compare: "previous" }, "compare", ['{"to": "before"}']],
  [
    "a comparison with nothing",
    { find: "events", show: "count", compare: { to: "last_month" } },
    "compare.to",
    ['"before"', '{"account": "globex"}'],
  ],
  [
    "a comparison of overlapping windows",
    { find: "events", show: "count", compare: { to: { last: 7, unit: "day" } } },
    "compare.to",
    ["overlaps", 'use "before", or {"from":"2029-11-14","to":"2029-12-11"}'],
  ],
  ["too many rows", { find: "accounts", show: "list", limit: 1_000 }, "limit", ["100"]],
  [
    "another aggregate",
    { find: "accounts", show: "value", measure: "mrr", aggregate: "max" },
    "aggregate",
    ["sum", "average", "median"],
  ],
];

describe("§24 arguments", () => {
  it("that are missing are required, and say so", async () => {
    for (const [name, path] of [
      ["ask", "question"],
      ["get_account", "account"],
      ["dismiss_item", "id"],
      ["snooze_item", "until"],
    ] as const)
      expect((await callTool(workspace.key, name)).body.issues).toContainEqual({ path, message: "is required" });
  });

  it("may have no cursor as null", async () => {
    for (const name of ["list_accounts", "list_inbox", "list_events", "list_dimensions"])
      expect([name, (await callTool(workspace.key, name, { cursor: null })).isError]).toEqual([name, false]);
  });

  it("are described without references, and each field in words", async () => {
    for (const { name, inputSchema } of await listTools(workspace.key)) {
      expect([name, JSON.stringify(inputSchema).includes("$ref")]).toEqual([name, false]);
      const fields = Object.entries(Fields.parse(inputSchema).properties);
      const silent = fields.filter(([, { description, enum: codes }]) => (description ?? codes) === undefined);
      expect([name, silent.map(([field]) => field)]).toEqual([name, []]);
    }
  });

  it("of a list that has no such columns are refused once", async () => {
    const given = { find: "features", show: "list", measure: "events", with: ["mrr", "plan", "seats"] };
    const { issues = [] } = (await callTool(workspace.key, "query", given)).body;
    expect(issues.filter(({ message }) => message.includes("use "))).toHaveLength(1);
    expect(issues.map(({ path }) => path)).toEqual(["with", "with.0", "with.1", "with.2"]);
  });
});

describe("§16 §24 a query with", () => {
  it.each(WRONG)("%s gets an error with the field and what it may be", async (_, query, path, allowed) => {
    const { isError, body } = await callTool(workspace.key, "query", { ...query });
    expect([isError, body.code]).toEqual([true, "invalid_request"]);
    expect(body.issues?.map((issue) => issue.path)).toContain(path);
    const message = body.issues?.find((issue) => issue.path === path)?.message ?? "";
    for (const text of allowed) expect(message).toContain(text);
  });
});
