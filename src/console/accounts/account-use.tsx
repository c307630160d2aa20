/** Who uses an account, and for what. */
import type { FC } from "hono/jsx";

import { inPercent } from "../../core/health/texts.ts";
import { EVENT_DAYS, USER_DAYS } from "../../services/accounts.ts";
import type { AccountUser, FeatureUse } from "../../services/accounts.ts";
import { fitting } from "../components/take-bytes.ts";
import { amount, Card, Empty, Moment } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { traitText, userName } from "./account-words.ts";

/** Of rows in the page. */
const MAX_USERS_BYTES = 12_000;
const MAX_FEATURES_BYTES = 9_000;

export const UsersSeen: FC<{ users: AccountUser[]; now: number }> = ({ users, now }) => (
  <Card title="Users" lead={`Those with an event in ${USER_DAYS} days, the latest first.`}>
    {users.length === 0 ? (
      <Empty title="Nobody was seen" />
    ) : (
      <div class="table-scroll">
        <table>
          <caption class="visually-hidden">Users of the account</caption>
          <thead>
            <tr>
              <th scope="col">User</th>
              <th scope="col" class="num">
                Days
              </th>
              <th scope="col" class="num">
                Seen
              </th>
            </tr>
          </thead>
          <tbody>
            {fitting(
              users.map((user) => (
                <tr>
                  <th scope="row">
                    {shortened(userName(user))}
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
          </tbody>
        </table>
      </div>
    )}
  </Card>
);

const UserDetails: FC<{ user: AccountUser }> = ({ user }) => {
  const { externalId, role } = user;
  const id = externalId === null || externalId === userName(user) ? "" : shortened(externalId);
  const details = [role === null ? "" : traitText(role), id];
  const told = details.filter((detail) => detail !== "");
  return told.length === 0 ? <></> : <span class="under">{told.join(" · ")}</span>;
};

export const FeaturesInUse: FC<{ features: FeatureUse[]; now: number }> = ({ features, now }) => (
  <Card title="Features" lead={`Events of ${EVENT_DAYS} days, against the ${EVENT_DAYS} before.`}>
    {features.length === 0 ? (
      <Empty title="Nothing was used" />
    ) : (
      <div class="table-scroll">
        <table>
          <caption class="visually-hidden">Features that the account uses</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col" class="num">
                Times
              </th>
              <th scope="col" class="num">
                Change
              </th>
              <th scope="col" class="num lesser">
                Users
              </th>
              <th scope="col" class="num">
                Seen
              </th>
            </tr>
          </thead>
          <tbody>
            {fitting(
              features.map((feature) => (
                <tr>
                  <th scope="row">
                    <code>{shortened(feature.name)}</code>
                  </th>
                  <td class="num">{amount(feature.count)}</td>
                  <td class="num">{changeOf(feature)}</td>
                  <td class="num lesser">{amount(feature.users)}</td>
                  <td class="num">
                    <Moment at={feature.lastAt} now={now} />
                  </td>
                </tr>
              )),
              MAX_FEATURES_BYTES,
            )}
          </tbody>
        </table>
      </div>
    )}
  </Card>
);

/** Against as many days before. */
export function changeOf({ count, before }: Pick<FeatureUse, "count" | "before">): string {
  if (before === 0) return "new";
  if (count === 0) return "stopped";
  const change = count / before - 1;
  return change < 0 ? `−${inPercent(-change)}` : `+${inPercent(change)}`;
}
