/** The account's users, the features they use, and the account's attributes. */
import type { FC } from "hono/jsx";

import { inPercent } from "../../core/health/texts.ts";
import { type AccountDetails, EVENT_DAYS, USER_DAYS } from "../../db/accounts/account-details.ts";
import { Card, Empty, Detail, Moment } from "../components/elements.tsx";
import { formatNumber, userName } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { takeBytes, truncate } from "../components/truncate.ts";
import { type Attribute, ATTRIBUTES, describeDaysLeft, formatAttribute, formatTrait } from "./labels.ts";

const MAX_USERS_BYTES = 12_000;
const MAX_FEATURES_BYTES = 9_000;
const MAX_TRAITS_BYTES = 10_000;

type AccountUser = AccountDetails["users"][number];
type FeatureUse = AccountDetails["features"][number];

const USER_COLUMNS: TableColumns<AccountUser> = [
  {
    title: "User",
    cell: (user) => (
      <>
        {truncate(userName(user))}
        <UserDetails user={user} />
      </>
    ),
  },
  { title: "Active days", class: "num", cell: ({ activeDays }) => activeDays },
  { title: "Last active", class: "num", cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
];

export const UserTable: FC<{ users: AccountUser[] }> = ({ users }) => (
  <Card title="Users" lead={`Users active in the last ${USER_DAYS} days, most recent first.`}>
    <Table
      caption="Users of the account"
      columns={USER_COLUMNS}
      rows={users}
      empty={<Empty title="No active users" />}
      maxBytes={MAX_USERS_BYTES}
    />
  </Card>
);

/** The user's role, and the id if the page shows a name. */
const UserDetails: FC<{ user: AccountUser }> = ({ user }) => {
  const { externalId, role } = user;
  const id = externalId === null || externalId === userName(user) ? "" : truncate(externalId);
  const details = [role === null ? "" : formatTrait(role), id].filter((detail) => detail !== "");
  return details.length > 0 && <span class="under">{details.join(" · ")}</span>;
};

const FEATURE_COLUMNS: TableColumns<FeatureUse> = [
  { title: "Event", cell: ({ name }) => <code>{truncate(name)}</code> },
  { title: "Events", class: "num", cell: ({ count }) => formatNumber(count) },
  { title: "Change", class: "num", cell: (feature) => formatChange(feature) },
  { title: "Users", class: "num optional", cell: ({ users }) => formatNumber(users) },
  { title: "Last used", class: "num", cell: ({ lastAt }) => <Moment at={lastAt} /> },
];

export const FeatureTable: FC<{ features: FeatureUse[] }> = ({ features }) => (
  <Card title="Features" lead={`The last ${EVENT_DAYS} days, compared with the ${EVENT_DAYS} days before.`}>
    <Table
      caption="Features that the account uses"
      columns={FEATURE_COLUMNS}
      rows={features}
      empty={<Empty title="No features used" />}
      maxBytes={MAX_FEATURES_BYTES}
    />
  </Card>
);

function formatChange({ count, before }: FeatureUse): string {
  if (before === 0) return "new";
  if (count === 0) return "stopped";
  const change = count / before - 1;
  return change < 0 ? `−${inPercent(-change)}` : `+${inPercent(change)}`;
}

/** The currency is part of the MRR. */
const SHOWN_ATTRIBUTES: readonly Attribute[] = ["plan", "seats", "mrr", "stage", "trialEndsAt", "contractEndsAt"];

export const AttributesCard: FC<Pick<AccountDetails, "attributes" | "traits">> = ({ attributes, traits }) => {
  const known = SHOWN_ATTRIBUTES.filter((name) => attributes[name] !== undefined);
  const free = Object.entries(traits).map(([name, value]) => (
    <Detail name={<code>{truncate(name)}</code>}>{formatTrait(value)}</Detail>
  ));
  return (
    <Card title="Attributes">
      {known.length + free.length === 0 ? (
        <Empty title="No attributes yet">
          <p>Send plan, seats, MRR and stage with messages that name the account.</p>
        </Empty>
      ) : (
        <dl class="details">
          {known.map((name) => (
            <Detail name={ATTRIBUTES[name]}>
              {formatAttribute(name, attributes)}
              {name === "contractEndsAt" && ` (${describeDaysLeft(attributes, Date.now())})`}
            </Detail>
          ))}
          {takeBytes(free, MAX_TRAITS_BYTES)}
        </dl>
      )}
    </Card>
  );
};
