/** Suggests questions about a workspace's own accounts, plans and traits. Each is a query that can be answered. */
import { BUILT_IN, type Dimension } from "../../core/ask/query/dimensions.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { restate } from "../../core/ask/query/restate.ts";
import type { ResultRow } from "../../core/ask/query/result.ts";
import { DAY_MS } from "../../core/durations.ts";
import { addQuery } from "../../db/ask/query/compile.ts";
import { selectDimensions } from "../../db/ask/query/dimension-values.ts";
import { newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { RestatedQuery } from "./run-query.ts";

const accounts = (query: Omit<Query, "find">): Query => ({ find: "accounts", ...query });

/** The company with the most seats, or the first by id if none has seats. */
const LARGEST_COMPANY = accounts({
  where: [{ dimension: "kind", is: "company" }],
  show: "list",
  with: ["score"],
  order: { by: "seats", direction: "down" },
  limit: 1,
});

/** Takes one round trip. @returns none in a workspace without a company account */
export async function suggestQuestions(env: Env, workspace: WorkspaceRef, now: number): Promise<RestatedQuery[]> {
  const batch = newBatch(env, workspace);
  const lookups = { dimensions: BUILT_IN, now, today: Math.floor(now / DAY_MS), find: () => undefined };
  const readLargest = addQuery(batch, LARGEST_COMPANY, lookups);
  const readDimensions = selectDimensions(batch);
  await batch.run();
  const [largest] = readLargest().rows;
  return largest === undefined ? [] : examplesOf(largest, readDimensions());
}

function examplesOf({ entity, with: values }: ResultRow, dimensions: readonly Dimension[]): RestatedQuery[] {
  const ofAccount = { dimension: "account", is: entity?.externalId };
  const isScored = values?.["score"] !== null;
  const plan = dimensions.find(({ name }) => name === "plan")?.values?.[0];
  const trait = dimensions.find(({ name, values: known = [] }) => name.startsWith("account.") && known.length > 0);
  const queries: (Query | false)[] = [
    accounts({ where: [ofAccount], show: "summary" }),
    isScored && accounts({ where: [ofAccount], show: "why" }),
    isScored && accounts({ where: [{ dimension: "health", is: "at_risk" }], show: "list" }),
    plan !== undefined && accounts({ where: [{ dimension: "plan", is: plan }], show: "list", measure: "mrr" }),
    trait !== undefined && accounts({ where: [{ dimension: trait.name, is: trait.values?.[0] }], show: "count" }),
    { find: "features", where: [], show: "list", measure: "active_accounts", limit: 5 },
    accounts({ where: [], show: "list", measure: "events", limit: 5 }),
  ];
  const nameOf = (_: string, id: string) => (id === entity?.externalId ? entity.name : null);
  return queries.flatMap((query) =>
    query === false ? [] : [{ query, restated: restate(query, { dimensions, nameOf }) }],
  );
}
