/** The account's users, and the features they use. */
import type { FC } from "hono/jsx";

import { inPercent } from "../../core/health/texts.ts";
import { type AccountUser, EVENT_DAYS, type FeatureUse, USER_DAYS } from "../../services/accounts.ts";
import { Card, Empty, Moment, Table } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { userName } from "../components/names.ts";
import { takeBytes } from "../components/take-bytes.ts";
import { truncate } from "../components/truncate.ts";
import { formatTrait } from "./attributes.ts";

const MAX_USERS_BYTES = 12_000;
const MAX_FEATURES_BYTES = 9_000;

const num = (title: string) => ({ title, class: "num" }) as const;

export const UserTable: FC<{ users: AccountUser[]; now: number }> = ({ users, now }) => (
  <Card title="Users" lead={`Users active in the last ${USER_DAYS} days, most recent first.`}>
    {users.length === 0 ? (
      <Empty title="No active users" />
    ) : (
      <Table caption="Users of the account" columns={["User", num("Active days"), num("Last active")]}>
        {takeBytes(
          users.map((user) => (
            <tr>
              <th scope="row">
                {truncate(userName(user))}
                <UserDetails user={user} />
              </th>
              <td class="num">{user.activeDays}</td>
              <td class="num">
                <Moment at={user.lastSeenAt} now={now} />
              </td>
            </tr>
          )),
          MAX_USERS_BYTES,
        )}
      </Table>
    )}
  </Card>
);

/** The user's role, and the id if the page shows a name. */
const UserDetails: FC<{ user: AccountUser }> = ({ user }) => {
  const { externalId, role } = user;
  const id = externalId === null || externalId === userName(user) ? "" : truncate(externalId);
  const details = [role === null ? "" : formatTrait(role), id].filter((detail) => detail !== "");
  return details.length === 0 ? <></> : <span class="under">{details.join(" · ")}</span>;
};

const FEATURE_COLUMNS = [
  "Event",
  num("Events"),
  num("Change"),
  { title: "Users", class: "num optional" },
  num("Last used"),
] as const;

export const FeatureTable: FC<{ features: FeatureUse[]; now: number }> = ({ features, now }) => (
  <Card title="Features" lead={`The last ${EVENT_DAYS} days, compared with the ${EVENT_DAYS} days before.`}>
    {features.length === 0 ? (
      <Empty title="No features used" />
    ) : (
      <Table caption="Features that the account uses" columns={FEATURE_COLUMNS}>
        {takeBytes(
          features.map((feature) => (
            <tr>
              <th scope="row">
                <code>{truncate(feature.name)}</code>
              </th>
              <td class="num">{formatNumber(feature.count)}</td>
              <td class="num">{formatChange(feature)}</td>
              <td class="num optional">{formatNumber(feature.users)}</td>
              <td class="num">
                <Moment at={feature.lastAt} now={now} />
              </td>
            </tr>
          )),
          MAX_FEATURES_BYTES,
        )}
      </Table>
    )}
  </Card>
);

function formatChange({ count, before }: FeatureUse): string {
  if (before === 0) return "new";
  if (count === 0) return "stopped";
  const change = count / before - 1;
  return change < 0 ? `−${inPercent(-change)}` : `+${inPercent(change)}`;
}
