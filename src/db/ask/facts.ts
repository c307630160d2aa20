/** What is looked up for a plan: one round trip, and only what the plan's measure asks for. */
import type { Facts, Freshness, Plan } from "../../core/ask/model.ts";
import { type Batch, newBatch } from "../client/batch.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { selectAccountFacts } from "./account-facts.ts";
import { selectFeatureFacts } from "./feature-facts.ts";
import { selectFreshness } from "./freshness.ts";
import { selectPortfolioFacts } from "./portfolio-facts.ts";
import { selectUserFacts } from "./user-facts.ts";

/**
 * @param now what snoozes are over, milliseconds since the epoch
 * @returns with the facts, how fresh they are: as of the same moment
 */
export async function readFacts(
  env: Env,
  workspace: WorkspaceRef,
  plan: Plan,
  now: number,
): Promise<{ facts: Facts; freshness: Freshness }> {
  const batch = newBatch(env, workspace);
  const readPlanned = selectFacts(batch, plan, now);
  const readFreshness = selectFreshness(batch);
  await batch.run();
  return { facts: readPlanned(), freshness: readFreshness() };
}

function selectFacts(batch: Batch, plan: Plan, now: number): () => Facts {
  switch (plan.subject) {
    case "account":
      return selectAccountFacts(batch, plan, now);
    case "user":
      return selectUserFacts(batch, plan);
    case "feature":
      return selectFeatureFacts(batch, plan);
    case "portfolio":
      return selectPortfolioFacts(batch, plan, now);
  }
}
