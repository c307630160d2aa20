/**
 * docs/inbox.md §12.2: no account at risk is without an item about a risk, on any day of simulated workspaces, while
 * events arrive in any order and up to weeks late, the sender fails, runs are missed, and people dismiss and snooze items.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { feed, openService, recomputeAfter, type Service } from "../../evals/health/service.ts";
import { activityOf } from "../../evals/simulator/activity.ts";
import { START_DAY, startOf } from "../../evals/simulator/calendar.ts";
import { disturbed } from "../../evals/simulator/disturbances.ts";
import type { SimulatedEvent } from "../../evals/simulator/model.ts";
import { planWorkspace } from "../../evals/simulator/plan.ts";
import { chance, type Random, randomOf, shuffled, wholeBetween } from "../../evals/simulator/random.ts";
import { markItem } from "../../src/db/inbox/marks.ts";

const DAYS = 150;
const ACCOUNTS = 16;
const MAX_DAYS_LATE = 25;

const RISKS = [
  "trial_ending_low_activity",
  "trial_expired",
  "never_activated",
  "usage_drop",
  "slow_decline",
  "gone_silent",
  "key_user_quiet",
  "feature_dropped",
  "contraction",
  "health_dropped",
];

const AT_RISK = "SELECT count(*) AS count FROM health_days WHERE state = 'at_risk'";
const FORGOTTEN = `
SELECT account.external_id AS account, day FROM health_days
JOIN accounts account ON account.number = health_days.account
WHERE state = 'at_risk' AND NOT EXISTS (
  SELECT 1 FROM inbox_items item
  WHERE item.account = health_days.account AND item.opened_day <= day AND coalesce(item.resolved_day, day + 1) > day
    AND item.resolution IS NOT 'withdrawn' AND item.kind IN ('${RISKS.join("', '")}')
)`;

/** Delays the arrival of some events, all of them by at most `MAX_DAYS_LATE` days. */
function arrivalsOf(events: readonly SimulatedEvent[], random: Random): Map<number, SimulatedEvent[]> {
  const share = random() * 0.3;
  const late = events.map((each) => {
    const days = each.event !== null && chance(random, share) ? wholeBetween(random, 1, MAX_DAYS_LATE) : 0;
    return {
      ...each,
      arrivalDay: each.arrivalDay + days,
      arrivesAt: each.arrivesAt + days * (startOf(1) - startOf(0)),
    };
  });
  return Map.groupBy(shuffled(random, late), ({ arrivalDay }) => arrivalDay);
}

async function rowsOf<Row>({ env }: Service, sql: string): Promise<Row[]> {
  return (await env.DB.prepare(sql).all<Row>()).results;
}

/** Dismisses or snoozes some open items. Returns how many. */
async function markSome(service: Service, random: Random, day: number): Promise<number> {
  const items = await rowsOf<{ id: string }>(service, "SELECT id FROM inbox_items WHERE resolved_day IS NULL");
  const marked = items.filter(() => chance(random, 0.05));
  for (const { id } of marked) {
    const mark = chance(random, 0.5) ? { dismissed: true } : { snoozedUntil: startOf(day + 30) };
    await markItem(service.env, service.workspace, id, mark, { by: "Ada", at: startOf(day), withIdentity: false });
  }
  return marked.length;
}

it("§12.2 an account at risk always has an item, in any simulated workspace", { timeout: 600_000 }, async () => {
  const worlds = fc.record({ seed: fc.nat({ max: 1_000_000 }), index: fc.nat({ max: 3 }) });
  const seen = { atRisk: 0, marked: 0 };
  await fc.assert(
    fc.asyncProperty(worlds, async ({ seed, index }) => {
      const plan = planWorkspace({ seed, index, days: DAYS, accounts: ACCOUNTS });
      const random = randomOf(`${plan.seed}/arrivals`);
      const all = plan.accounts.flatMap((account) => activityOf(account, plan.seed, DAYS));
      const events = plan.disturbances.reduce((left, disturbance) => disturbed(left, disturbance, plan.seed), all);
      const arrivals = arrivalsOf(events, random);
      const service = await openService();
      for (let day = 0; day < DAYS; day += 1) {
        await feed(service, arrivals.get(day) ?? []);
        if (chance(random, 0.2) && day < DAYS - 1) continue;
        await recomputeAfter(service, day);
        seen.marked += await markSome(service, random, day);
        const forgotten = await rowsOf<{ account: string; day: number }>(service, FORGOTTEN);
        expect(
          forgotten.map((row) => `${row.account} on day ${row.day - START_DAY}`),
          `after day ${day}`,
        ).toEqual([]);
      }
      const [row] = await rowsOf<{ count: number }>(service, AT_RISK);
      seen.atRisk += row?.count ?? 0;
      service.database.close();
    }),
    { numRuns: 3 },
  );
  expect(Math.min(seen.atRisk, seen.marked)).toBeGreaterThan(0);
});
