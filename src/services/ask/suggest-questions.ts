/** Suggests questions about a workspace's own accounts, plans and features. Each is a query that can be answered. */
import type { Dimension } from "../../core/ask/query/dimensions.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { restate } from "../../core/ask/query/restate.ts";
import { DAY_MS } from "../../core/durations.ts";
import { type ExampleSubject, selectExampleSubject } from "../../db/ask/example-subjects.ts";
import { selectDimensions } from "../../db/ask/query/dimension-values.ts";
import { newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { RestatedQuery } from "./run-query.ts";

/** The default window of questions. */
const DAYS = 28;

/** Takes one round trip. @returns an empty list in a workspace without a company account */
export async function suggestQuestions(env: Env, workspace: WorkspaceRef, now: number): Promise<RestatedQuery[]> {
  const batch = newBatch(env, workspace);
  const readSubject = selectExampleSubject(batch, Math.floor(now / DAY_MS) - DAYS + 1);
  const readDimensions = selectDimensions(batch);
  await batch.run();
  return examplesOf(readSubject(), readDimensions());
}

function examplesOf(subject: ExampleSubject | null, dimensions: readonly Dimension[]): RestatedQuery[] {
  if (subject === null) return [];
  const { externalId, name } = subject.account;
  const nameOf = (type: string, id: string) => (type === "feature" ? id : id === externalId ? name : null);
  return queriesAbout(subject, dimensions).map((query) => ({
    query,
    restated: restate(query, { dimensions, nameOf }),
  }));
}

const accounts = (query: Omit<Query, "find">): Query => ({ find: "accounts", ...query });

function queriesAbout({ account, isScored, plan, feature }: ExampleSubject, dimensions: readonly Dimension[]): Query[] {
  const ofAccount = { dimension: "account", is: account.externalId };
  const trait = dimensions.find(({ name, values = [] }) => name.startsWith("account.") && values.length > 0);
  const [value] = trait?.values ?? [];
  const queries = [
    accounts({ where: [ofAccount], show: "summary" }),
    isScored && accounts({ where: [ofAccount], show: "why" }),
    isScored && accounts({ where: [{ dimension: "health", is: "at_risk" }], show: "list" }),
    plan !== null && accounts({ where: [{ dimension: "plan", is: plan }], show: "list", measure: "mrr" }),
    trait !== undefined && accounts({ where: [{ dimension: trait.name, is: value }], show: "count" }),
    feature !== null &&
      accounts({ where: [{ dimension: "event", is: feature }], show: "list", measure: "events", limit: 5 }),
    accounts({ where: [], show: "list", measure: "events", limit: 5 }),
  ];
  return queries.filter((query) => query !== false);
}
