/** The account at a glance: score, MRR, seats, the next end of its contract or trial, and who looks after it. */
import type { FC } from "hono/jsx";

import { inFigures, inPercent, momentDate } from "../../core/health/texts.ts";
import { EVENT_DAYS } from "../../db/accounts/account-details.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import { Stat } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { ATTRIBUTES, describeDaysLeft, formatAttribute, formatPoints, STATES } from "./labels.ts";
import { OwnerForm, type OwnerFormProps } from "./owner-form.tsx";

export const AccountSummary: FC<OwnerFormProps & { account: AccountPageDetails }> = (props) => {
  const { health, attributes, activeUsers } = props.account;
  const seats = typeof attributes.seats === "number" ? attributes.seats : null;
  const end = health?.stage === "trial" ? "trialEndsAt" : "contractEndsAt";
  const endsAt = attributes[end];
  return (
    <section class="card" aria-label="Summary">
      <dl class="stats">
        {health !== null && (
          <Stat
            label="Score"
            value={health.score === null ? "none" : inFigures(Math.round(health.score))}
            tone={STATES[health.state].tone}
            note={health.trend === null ? STATES[health.state].name : `${formatPoints(health.trend)} points in 7 days`}
          />
        )}
        <Stat label="MRR" value={formatAttribute("mrr", attributes)} />
        <Stat
          label={seats === null ? "Active users" : "Seats used"}
          value={seats === null ? formatNumber(activeUsers) : `${formatNumber(activeUsers)} of ${formatNumber(seats)}`}
          note={`${seats === null || seats === 0 ? "" : `${inPercent(activeUsers / seats)}, `}active in ${EVENT_DAYS} days`}
        />
        {endsAt != null && (
          <Stat
            label={ATTRIBUTES[end]}
            value={momentDate(Date.parse(String(endsAt)))}
            note={describeDaysLeft(endsAt, Date.now())}
          />
        )}
        <div class={props.account.owner === null ? "stat wide no-print" : "stat wide"}>
          <dt>Owner</dt>
          <dd>
            <OwnerForm {...props} />
          </dd>
        </div>
      </dl>
    </section>
  );
};
