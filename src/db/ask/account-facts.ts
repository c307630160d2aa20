/** What an answer about an account, or about two of them, draws on. */
import type { AccountPlan, Entity, Facts } from "../../core/ask/model.ts";
import type { Health } from "../../core/health/model.ts";
import type { Batch } from "../client/batch.ts";
import { selectAccountUses, type UseWindow } from "./account-uses.ts";
import { feature, isSuperseded, numberOrNull } from "./entity-rows.ts";
import { earliest, latest } from "./freshness.ts";
import { selectItems } from "./item-facts.ts";
import { attributesIn, selectTraits } from "./stored-values.ts";
import { IN_TAIL, TAIL_EVENTS } from "./tail.ts";

type AccountFacts = Extract<Facts, { subject: "account" }>;

/** ?2 lists numbers. */
const ACCOUNTS = `
SELECT a.attributes, a.created_at, b.first_at, b.last_event_at, iif(${isSuperseded("a")}, NULL, h.health) AS health
FROM json_each(?2) s
CROSS JOIN accounts a ON a.number = s.value
LEFT JOIN activity b ON b.workspace = ?1 AND b.account = a.number
LEFT JOIN health h ON h.workspace = ?1 AND h.account = a.number
WHERE a.workspace = ?1
ORDER BY s.key`;

/** ?2 its number. */
const IN_THE_TAIL = `
SELECT min(m.occurred_at) AS first_at, max(iif(m.type = 'track', m.occurred_at, NULL)) AS last_event_at
FROM messages m WHERE ${IN_TAIL} AND m.account = ?2`;

const KNOWN_FEATURES = `
SELECT name, max(number) AS number FROM (
  SELECT e.name, e.number FROM event_names e WHERE e.workspace = ?1
  UNION ALL
  SELECT DISTINCT t.event, 0 FROM (${TAIL_EVENTS}) t
)
GROUP BY name
ORDER BY name`;

export function selectAccountFacts(batch: Batch, plan: AccountPlan, now: number): () => AccountFacts {
  const entities = plan.measure === "compare_accounts" ? [plan.account, plan.other] : [plan.account];
  const accounts = batch.add(ACCOUNTS, JSON.stringify(entities.map(({ number }) => number)));
  const tail = batch.add(IN_THE_TAIL, plan.account.number);
  const uses = selectAccountUses(batch, usesOf(plan), narrowedTo(plan));
  const items = plan.measure === "items" ? selectItems(batch, plan.account, now) : none;
  const features = plan.measure === "features_not_used" ? batch.add(KNOWN_FEATURES) : none;
  const traits = plan.measure === "trait" ? selectTraits(batch, "account", plan.account.number) : none;
  return () => {
    const rows = accounts();
    const [account] = rows;
    const [unfolded] = tail();
    const firstAt = earliest(numberOrNull(account?.["first_at"]), numberOrNull(unfolded?.["first_at"]));
    return {
      subject: "account",
      uses: uses(),
      attributes: rows.map(({ attributes }) => attributesIn(attributes)),
      health: rows.map(({ health }): Health | null => (health == null ? null : JSON.parse(String(health)))),
      items: items(),
      lastEventAt: latest(numberOrNull(account?.["last_event_at"]), numberOrNull(unfolded?.["last_event_at"])),
      firstSeenAt: firstAt ?? Number(account?.["created_at"] ?? 0),
      knownFeatures: features().map(({ name, number }) => feature(String(name), Number(number))),
      traits: traits(),
    };
  };
}

const none = (): never[] => [];

/** The windows that a plan's facts are of, in the order that answers expect. */
function usesOf(plan: AccountPlan): UseWindow[] {
  if (plan.measure === "compare_accounts") {
    return [plan.account, plan.other].map((account) => ({ account, window: plan.window }));
  }
  const windows = "before" in plan ? [plan.window, plan.before] : "window" in plan ? [plan.window] : [];
  return windows.map((window) => ({ account: plan.account, window }));
}

const narrowedTo = (plan: AccountPlan): Entity | null => ("feature" in plan ? (plan.feature ?? null) : null);
