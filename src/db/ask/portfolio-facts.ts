/** What an answer about all accounts draws on: a row for each account, and sums over the windows asked for. */
import type { Facts, PortfolioAccount, PortfolioPlan } from "../../core/ask/model.ts";
import { HEALTH_STATES, type Window } from "../../core/health/model.ts";
import type { Batch, Row } from "../client/batch.ts";
import { oneOf } from "./stored-codes.ts";
import { ENTITY_COLUMNS, entityIn, isSuperseded, numberOrNull } from "./entity-rows.ts";
import { earliest, latest } from "./freshness.ts";
import { selectItems } from "./item-facts.ts";
import { selectAccountSums, selectActiveUsers, selectFeatureSums } from "./portfolio-uses.ts";
import { attributesIn } from "./stored-values.ts";
import { IN_TAIL } from "./tail.ts";

type PortfolioFacts = Extract<Facts, { subject: "portfolio" }>;

/** ?2: whether the reasons of accounts at risk are asked for. */
const ACCOUNTS = `
SELECT ${ENTITY_COLUMNS.account("a")}, a.attributes, a.created_at, b.first_at, b.last_event_at, h.state, h.score,
  h.health ->> 'day' AS day, iif(?2 AND h.state = 'at_risk', h.health -> 'reasons', '[]') AS reasons
FROM accounts a
LEFT JOIN activity b ON b.workspace = ?1 AND b.account = a.number
LEFT JOIN health h ON h.workspace = ?1 AND h.account = a.number
WHERE a.workspace = ?1 AND NOT ${isSuperseded("a")}
ORDER BY a.external_id, a.number`;

const IN_THE_TAIL = `
SELECT m.account, min(m.occurred_at) AS first_at, max(iif(m.type = 'track', m.occurred_at, NULL)) AS last_event_at
FROM messages m WHERE ${IN_TAIL} AND m.account IS NOT NULL
GROUP BY m.account`;

export function selectPortfolioFacts(batch: Batch, plan: PortfolioPlan, now: number): () => PortfolioFacts {
  const { measure } = plan;
  const asked = windowsOf(plan);
  const isListed = !UNLISTED.has(measure);
  const accounts = isListed ? batch.add(ACCOUNTS, measure === "at_risk" ? 1 : 0) : none;
  const tail = isListed ? batch.add(IN_THE_TAIL) : none;
  const sums = isListed ? selectAccountSums(batch, asked) : () => new Map<number, never>();
  const items = measure === "items" ? selectItems(batch, null, now) : none;
  const features =
    measure === "top_features" || measure === "event_count" ? selectFeatureSums(batch, plan.window) : none;
  const users = measure === "active_users" ? selectActiveUsers(batch, plan.window) : () => 0;
  return () => {
    const unfolded = new Map(tail().map((row) => [row["account"], row]));
    const byAccount = sums();
    return {
      subject: "portfolio",
      accounts: accounts().map((row) => {
        const used = byAccount.get(Number(row["number"])) ?? asked.map(() => ({ events: 0, userDays: 0 }));
        return {
          ...accountIn(row, unfolded.get(row["number"] ?? null)),
          events: used.map(({ events }) => events),
          userDays: used.map(({ userDays }) => userDays),
        };
      }),
      items: items(),
      features: features(),
      activeUsers: users(),
    };
  };
}

const none = (): never[] => [];

/** Measures that take no list of accounts. Events are counted by feature, those of superseded accounts with them. */
const UNLISTED: ReadonlySet<PortfolioPlan["measure"]> = new Set([
  "items",
  "top_features",
  "event_count",
  "active_users",
]);

/** Measures for which the events of each account are counted. */
const SUMMED: ReadonlySet<PortfolioPlan["measure"]> = new Set(["active_accounts", "active_account_list", "top"]);

/** The windows that they are counted in. */
function windowsOf(plan: PortfolioPlan): Window[] {
  if (!SUMMED.has(plan.measure) || !("window" in plan)) return [];
  return "before" in plan ? [plan.window, plan.before] : [plan.window];
}

function accountIn(row: Row, unfolded: Row | undefined): Omit<PortfolioAccount, "events" | "userDays"> {
  const firstAt = earliest(numberOrNull(row["first_at"]), numberOrNull(unfolded?.["first_at"]));
  return {
    account: entityIn(row),
    attributes: attributesIn(row["attributes"]),
    health:
      row["state"] == null
        ? null
        : {
            state: oneOf(HEALTH_STATES, row["state"]),
            score: numberOrNull(row["score"]),
            day: Number(row["day"]),
            reasons: JSON.parse(String(row["reasons"])),
          },
    lastEventAt: latest(numberOrNull(row["last_event_at"]), numberOrNull(unfolded?.["last_event_at"])),
    firstSeenAt: firstAt ?? Number(row["created_at"]),
  };
}
