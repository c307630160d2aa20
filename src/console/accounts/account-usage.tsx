/** The account's users, the features they use, and the account's attributes. */
import type { FC } from "hono/jsx";

import { KEY_USER_DAYS, KEY_USER_SHARE, MIN_KEY_USER_ACTIVE_DAYS } from "../../core/health/key-users.ts";
import { inPercent } from "../../core/health/texts.ts";
import { type AccountDetails, EVENT_DAYS, USER_DAYS } from "../../db/accounts/account-details.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { IN_PLACE } from "../charts/range.tsx";
import { Badge, Card, Empty, Detail, Moment } from "../components/elements.tsx";
import { formatNumber, userName } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { takeBytes, truncate } from "../components/truncate.ts";
import { FeatureLink } from "../features/feature-link.tsx";
import { pathOf } from "../paths.ts";
import { type AccountView, viewPath } from "./account-view.ts";
import { type Attribute, ATTRIBUTES, describeDaysLeft, formatAttribute, formatTrait } from "./labels.ts";

const MAX_USERS_BYTES = 8_000;
const MAX_FEATURES_BYTES = 8_000;
const MAX_TRAITS_BYTES = 8_000;

type AccountUser = AccountDetails["users"][number];
type FeatureUse = Omit<AccountDetails["features"][number], "users"> & { users?: number };

const USER_PAGE = 10;

/** One more than a page shows, which tells whether another page follows. */
export const userPage = (page: number) => ({ limit: USER_PAGE + 1, offset: (page - 1) * USER_PAGE });

/** Explains the rule of `core/health/key-users.ts`. */
const CHAMPION = `Active on at least ${MIN_KEY_USER_ACTIVE_DAYS} of the last ${KEY_USER_DAYS} days, with at least ${inPercent(KEY_USER_SHARE)} of the account’s activity`;

interface UserTableProps {
  workspace: OpenWorkspace;
  account: AccountPageDetails;
  view: AccountView;
}

export const UserTable: FC<UserTableProps> = ({ workspace, account, view }) => {
  const { id, users, champions } = account;
  const columns: TableColumns<AccountUser> = [
    {
      title: "User",
      cell: (user) => (
        <>
          <a href={pathOf(workspace, "users", user.id)}>{truncate(userName(user))}</a>{" "}
          {champions.includes(user.id) && (
            <abbr title={CHAMPION}>
              <Badge tone="accent">Champion</Badge>
            </abbr>
          )}
          <UserDetails user={user} />
        </>
      ),
    },
    { title: "Active days", class: "num", cell: ({ activeDays }) => activeDays },
    { title: "Last active", class: "num", cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  ];
  const page = (number: number) => viewPath(workspace, id, { ...view, users: number });
  return (
    <Card title="Users" lead={`Users active in the last ${USER_DAYS} days, most recent first.`}>
      <Table
        caption="Users of the account"
        columns={columns}
        rows={users.slice(0, USER_PAGE)}
        empty={<Empty title={view.users > 1 ? "No more users" : "No active users"} />}
        maxBytes={MAX_USERS_BYTES}
      />
      <nav class="cluster no-print" aria-label="Pages of users" {...IN_PLACE}>
        {view.users > 1 && (
          <a class="button" id="users-before" href={page(view.users - 1)}>
            ← Previous
          </a>
        )}
        {users.length > USER_PAGE && (
          <a class="button" id="users-next" href={page(view.users + 1)}>
            Next →
          </a>
        )}
      </nav>
    </Card>
  );
};

/** The user's role, and the id if the page shows a name. */
const UserDetails: FC<{ user: AccountUser }> = ({ user }) => {
  const { externalId, role } = user;
  const id = externalId === null || externalId === userName(user) ? "" : truncate(externalId);
  const details = [role === null ? "" : formatTrait(role), id].filter((detail) => detail !== "");
  return details.length > 0 && <span class="under">{details.join(" · ")}</span>;
};

const featureColumns = (workspace: OpenWorkspace): TableColumns<FeatureUse> => [
  { title: "Event", cell: ({ name }) => <FeatureLink {...{ workspace, name }} /> },
  { title: "Events", class: "num", cell: ({ count }) => formatNumber(count) },
  { title: "Change", class: "num", cell: (feature) => formatChange(feature) },
  { title: "Users", class: "num optional", cell: ({ users }) => formatNumber(users ?? 0) },
  { title: "Last used", class: "num", cell: ({ lastAt }) => <Moment at={lastAt} /> },
];

/** @param features of an account with its users, or of one user */
export const FeatureTable: FC<{ workspace: OpenWorkspace; features: FeatureUse[] }> = ({ workspace, features }) => (
  <Card
    title="Features"
    lead={
      <>
        The last {EVENT_DAYS} days, compared with the {EVENT_DAYS} days before.{" "}
        <a href={pathOf(workspace, "features")}>All features</a>
      </>
    }
  >
    <Table
      caption="Events by name"
      columns={featureColumns(workspace).filter(({ title }) => title !== "Users" || features[0]?.users !== undefined)}
      rows={features}
      empty={<Empty title="No features used" />}
      maxBytes={MAX_FEATURES_BYTES}
    />
  </Card>
);

function formatChange({ count, before }: FeatureUse): string {
  if (before === 0) return count === 0 ? "–" : "new";
  if (count === 0) return "stopped";
  const change = count / before - 1;
  return change < 0 ? `−${inPercent(-change)}` : `+${inPercent(change)}`;
}

/** What senders call an attribute is its label. */
export const TraitList: FC<Pick<AccountDetails, "traits">> = ({ traits }) => (
  <>
    {takeBytes(
      Object.entries(traits).map(([name, value]) => <Detail name={labelOf(name)}>{formatTrait(value)}</Detail>),
      MAX_TRAITS_BYTES,
    )}
  </>
);

/** The currency is part of the MRR. */
const SHOWN_ATTRIBUTES: readonly Attribute[] = ["plan", "seats", "mrr", "stage", "trialEndsAt", "contractEndsAt"];

export const AttributesCard: FC<Pick<AccountDetails, "attributes" | "traits">> = ({ attributes, traits }) => {
  const known = SHOWN_ATTRIBUTES.filter((name) => attributes[name] !== undefined);
  return (
    <Card title="Attributes">
      {known.length + Object.keys(traits).length === 0 ? (
        <Empty title="No attributes yet">
          <p>Send plan, seats, MRR and stage with messages that name the account.</p>
        </Empty>
      ) : (
        <dl class="details">
          {known.map((name) => (
            <Detail name={ATTRIBUTES[name]}>
              {formatAttribute(name, attributes)}
              {(name === "contractEndsAt" || name === "trialEndsAt") &&
                ` (${describeDaysLeft(attributes[name], Date.now())})`}
            </Detail>
          ))}
          <TraitList traits={traits} />
        </dl>
      )}
    </Card>
  );
};
