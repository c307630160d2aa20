/** An account in the list. */
import type { FC } from "hono/jsx";

import type { Health } from "../../core/health/model.ts";
import { counted, inFigures } from "../../core/health/texts.ts";
import type { TableAccount } from "../../services/accounts.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Sparkline } from "../charts/sparkline.tsx";
import { Badge, Moment, NoValue } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { accountName } from "../components/names.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";
import { formatAttribute } from "./attributes.ts";
import { scoreNote, STATES } from "./health-labels.ts";

export const AccountRow: FC<{ workspace: OpenWorkspace; account: TableAccount; now: number }> = (props) => {
  const { workspace, account, now } = props;
  const { health, attributes, scores, openItems, lastSeenAt } = account;
  const name = truncate(accountName(account));
  const externalId = account.externalId === null ? null : truncate(account.externalId);
  const page = pathOf(workspace, "accounts", account.id);
  return (
    <tr>
      <th scope="row">
        <a href={page}>{name}</a>
        {externalId !== null && externalId !== name && <span class="under">{externalId}</span>}
        {account.kind === "solo" && <span class="under">Personal account</span>}
      </th>
      <td>
        <HealthCell health={health} />
      </td>
      <td class="optional">
        <Sparkline
          name={`Score of ${name}`}
          points={scores.map(({ day, score }) => ({ day, value: score }))}
          tone={health === null ? "none" : STATES[health.state].tone}
        />
        <Trend trend={health?.trend ?? null} />
      </td>
      <td class="num">{attributes["mrr"] === undefined ? <NoValue /> : formatAttribute("mrr", attributes)}</td>
      <td class="num optional">{formatNumber(account.activeUsers)}</td>
      <td class="num optional">
        {openItems === 0 ? (
          <NoValue />
        ) : (
          <a href={`${page}#items`} aria-label={`${counted(openItems, "open item")} of ${name}`}>
            {openItems}
          </a>
        )}
      </td>
      <td class="num">{lastSeenAt === null ? <NoValue /> : <Moment at={lastSeenAt} now={now} />}</td>
    </tr>
  );
};

const HealthCell: FC<{ health: Health | null }> = ({ health }) => {
  const note = scoreNote(health);
  const { name, tone } = health === null ? { name: "No score yet", tone: "none" as const } : STATES[health.state];
  return (
    <>
      {health !== null && health.score !== null && <span class="score">{Math.round(health.score)}</span>}
      <Badge tone={tone}>{name}</Badge>
      {note !== null && <span class="under">{note}</span>}
    </>
  );
};

/** The change of the score in seven days. */
const Trend: FC<{ trend: number | null }> = ({ trend }) => {
  if (trend === null || Math.abs(trend) < 1) return <></>;
  const points = inFigures(Math.abs(Math.round(trend)));
  return (
    <span class="change">
      <span aria-hidden="true">{trend < 0 ? `−${points}` : `+${points}`}</span>
      <span class="visually-hidden">{`${trend < 0 ? "down" : "up"} ${points} in 7 days`}</span>
    </span>
  );
};
