/** Lives through a workspace twice, the second time with what arrives on a day in another order. */
import type { ObservedShuffle } from "../observed.ts";
import type { WorkspacePlan } from "../../simulator/model.ts";
import { randomOf, shuffled } from "../../simulator/random.ts";
import { openService } from "./feed.ts";
import { readConclusions } from "./outcomes.ts";
import { type Arrivals, byArrival, differing, happeningsOf, live } from "./run-workspace.ts";

export async function runShuffled(plan: WorkspacePlan): Promise<ObservedShuffle> {
  const arrivals = byArrival(happeningsOf(plan));
  const random = randomOf(`${plan.seed}/shuffle`);
  const reordered = new Map([...arrivals].map(([day, ofDay]) => [day, shuffled(random, ofDay)]));
  const conclusions = await conclusionsOf(plan, arrivals);
  const others = await conclusionsOf(plan, reordered);
  return { accounts: plan.accounts.length, days: plan.days, differing: differing(conclusions, others) };
}

async function conclusionsOf(plan: WorkspacePlan, arrivals: Arrivals): Promise<Map<string, string>> {
  const service = await openService();
  for (let day = 0; day < plan.days; day += 1) await live(service, arrivals, day);
  const conclusions = await readConclusions(service);
  service.database.close();
  return conclusions;
}
