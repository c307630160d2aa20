/** §24: a language model learns the query language from the tool's description and repairs a query by its errors. */
import { beforeAll, describe, expect, it, vi } from "vitest";

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
  });

  it.each(EXAMPLES)("%s", async (_, example) => {
    const { isError, body } = await callTool(workspace.key, "query", JSON.parse(example));
    expect([isError, body["knows"], body["reason"]]).toEqual([false, true, null]);
  });
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
  ["columns as a text", { find: "accounts", show: "list", with: "mrr" }, "with", ['["mrr", "plan"]']],
  ["a comparison as a text", { find: "events", show: "count", compare: "previous" }, "compare", ['{"to": "before"}']],
  [
    "a comparison with nothing",
    { find: "events", show: "count", compare: { to: "last_month" } },
    "compare.to",
    ['"before"', '{"account": "globex"}'],
  ],
  ["too many rows", { find: "accounts", show: "list", limit: 1_000 }, "limit", ["100"]],
  [
    "another aggregate",
    { find: "accounts", show: "value", measure: "mrr", aggregate: "max" },
    "aggregate",
    ["sum", "average", "median"],
  ],
];

describe("§16 §24 a query with", () => {
  it.each(WRONG)("%s gets an error with the field and what it may be", async (_, query, path, allowed) => {
    const { isError, body } = await callTool(workspace.key, "query", { ...query });
    expect([isError, body.code]).toEqual([true, "invalid_request"]);
    expect(body.issues?.map((issue) => issue.path)).toContain(path);
    const message = body.issues?.find((issue) => issue.path === path)?.message ?? "";
    for (const text of allowed) expect(message).toContain(text);
  });
});
