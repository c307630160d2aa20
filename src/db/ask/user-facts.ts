/** What an answer about a user draws on. */
import { DAY_MS } from "../../core/durations.ts";
import type { Facts, UserPlan } from "../../core/ask/model.ts";
import type { Batch } from "../client/batch.ts";
import { ENTITY_COLUMNS, entityIn, numberOrNull } from "./entity-rows.ts";
import { earliest, latest } from "./freshness.ts";
import { selectTraits } from "./stored-values.ts";
import { IN_TAIL } from "./tail.ts";
import { selectUserUses } from "./user-uses.ts";

type UserFacts = Extract<Facts, { subject: "user" }>;

const ACCOUNT = `
SELECT ${ENTITY_COLUMNS.account("a")}
FROM users u CROSS JOIN accounts a ON a.number = u.account
WHERE u.number = ?2 AND u.workspace = ?1`;

/** The first day under any account, and the last event of the last day under each. */
const BOUNDS = `
SELECT min(b.first_day) AS first_day, max(
  (SELECT max(r.last_at) FROM rollups r WHERE r.account = b.account AND r.day = b.last_day AND r.user = ?2)
) AS last_at
FROM user_accounts b WHERE b.user = ?2`;

const TAIL_BOUNDS = `
SELECT min(m.occurred_at) AS first_at, max(m.occurred_at) AS last_at
FROM messages m WHERE ${IN_TAIL} AND m.type = 'track' AND m.account IS NOT NULL AND m.user = ?2`;

export function selectUserFacts(batch: Batch, plan: UserPlan): () => UserFacts {
  const { number } = plan.user;
  const accounts = batch.add(ACCOUNT, number);
  const bounds = batch.add(BOUNDS, number);
  const tail = batch.add(TAIL_BOUNDS, number);
  const windows = "before" in plan ? [plan.window, plan.before] : "window" in plan ? [plan.window] : [];
  const uses = selectUserUses(batch, plan.user, windows, ("feature" in plan ? plan.feature : null) ?? null);
  const traits = plan.measure === "trait" ? selectTraits(batch, "user", number) : () => [];
  return () => {
    const [account] = accounts();
    const [stored] = bounds();
    const [unfolded] = tail();
    const tailFirstAt = numberOrNull(unfolded?.["first_at"]);
    return {
      subject: "user",
      uses: uses(),
      account: account === undefined ? null : entityIn(account),
      lastEventAt: latest(numberOrNull(stored?.["last_at"]), numberOrNull(unfolded?.["last_at"])),
      firstDay: earliest(
        numberOrNull(stored?.["first_day"]),
        tailFirstAt === null ? null : Math.floor(tailFirstAt / DAY_MS),
      ),
      traits: traits(),
    };
  };
}
