/** What changed at an account since a day: figures then and now, people, features and items. */
import type { Child, FC } from "hono/jsx";

import { dateOf, inFigures } from "../../core/health/texts.ts";
import type { Day } from "../../core/health/model.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { isoDate } from "../../services/present/iso.ts";
import { IN_PLACE, type Range } from "../charts/range.tsx";
import { Card, Detail } from "../components/elements.tsx";
import { formatMoney, formatNumber, userName } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { FeatureLink } from "../features/feature-link.tsx";
import { itemTexts } from "../inbox/item-labels.ts";
import { pathOf } from "../paths.ts";
import { attributeOn } from "./account-charts.tsx";
import { type AccountView, viewPath } from "./account-view.ts";
import { STATES } from "./labels.ts";

const MAX_NAME_CHARACTERS = 60;

interface ChangesProps {
  workspace: OpenWorkspace;
  account: AccountPageDetails;
  view: AccountView;
  range: Range;
  today: Day;
}

export const AccountChanges: FC<ChangesProps> = ({ workspace, account, view, range, today }) => (
  <Card title={account.past === null ? "What changed" : `What changed since ${dateOf(account.past.day)}`}>
    <form class="row no-print" method="get" action={viewPath(workspace, account.id, {})} {...IN_PLACE}>
      <input type="hidden" name="range" value={view.range} />
      {view.feature !== undefined && <input type="hidden" name="feature" value={view.feature} />}
      <label class="field">
        Since
        <input
          id="since"
          type="date"
          name="since"
          value={view.since ?? isoDate(range.from)}
          max={isoDate(today - 1)}
          required
        />
      </label>
      <button type="submit">Show changes</button>
    </form>
    {account.past !== null && <Changes {...{ workspace, account }} past={account.past} />}
  </Card>
);

type Past = NonNullable<AccountPageDetails["past"]>;

const Changes: FC<Pick<ChangesProps, "workspace" | "account"> & { past: Past }> = ({ workspace, account, past }) => {
  const { health, changes, items, attributes } = account;
  const currency = typeof attributes.currency === "string" ? attributes.currency : null;
  const [mrr, seats] = [attributeOn(changes, "mrr"), attributeOn(changes, "seats")];
  const latest = Number.MAX_SAFE_INTEGER;
  const money = (value: number | null) => (value === null ? null : formatMoney(value, currency));
  const people = groupsOf(past.users);
  const features = groupsOf(past.features);
  const person = (user: Past["users"][number]["first"][number]) => (
    <a href={pathOf(workspace, "users", user.id)}>{truncate(userName(user), MAX_NAME_CHARACTERS)}</a>
  );
  const feature = ({ name }: { name: string }) => <FeatureLink {...{ workspace, name }} />;
  const titles = (day: "openedDay" | "resolvedDay") =>
    items.filter((item) => (item[day] ?? 0) > past.day).map((item) => itemTexts(item).title);
  return (
    <>
      <dl class="details">
        <Change
          name="Health"
          before={past.health && STATES[past.health.state].name}
          now={health && STATES[health.state].name}
        />
        <Change name="Score" before={figure(past.health?.score)} now={figure(health?.score)} />
        <Change name="MRR" before={money(mrr(past.day))} now={money(mrr(latest))} />
        <Change name="Seats" before={figure(seats(past.day))} now={figure(seats(latest))} />
        <Change name="Active users" before={figure(people.before)} now={figure(people.now)} />
        <Names name="People who came" {...people.came} show={person} />
        <Names name="People who left" {...people.went} show={person} />
        <Names name="Features started" {...features.came} show={feature} />
        <Names name="Features stopped" {...features.went} show={feature} />
        <Titles name="Items opened" titles={titles("openedDay")} />
        <Titles name="Items resolved" titles={titles("resolvedDay")} />
      </dl>
      <p class="note">
        People and features: the {past.days} days up to {dateOf(past.day)}, compared with the last {past.days} complete
        days.
      </p>
    </>
  );
};

const figure = (value: number | null | undefined): string | null => (value == null ? null : inFigures(value));

/** The same value twice is no change. */
const Change: FC<{ name: string; before: string | null; now: string | null }> = ({ name, before, now }) => (
  <Detail name={name}>
    {before === now ? (
      <>
        {now ?? "none"} <span class="note">unchanged</span>
      </>
    ) : (
      <>
        {before ?? "none"} → <strong>{now ?? "none"}</strong>
      </>
    )}
  </Detail>
);

interface Group<Entry> {
  total: number;
  first: Entry[];
}

function Names<Entry>({ name, total, first, show }: Group<Entry> & { name: string; show: (entry: Entry) => Child }) {
  return (
    <Detail name={name}>
      {total === 0
        ? "none"
        : first.map((entry, index) => (
            <>
              {index > 0 && ", "}
              {show(entry)}
            </>
          ))}
      {total > first.length && ` and ${formatNumber(total - first.length)} more`}
    </Detail>
  );
}

const MAX_TITLES = 5;

const Titles: FC<{ name: string; titles: string[] }> = ({ name, titles }) => (
  <Detail name={name} class="no-print">
    {titles.length === 0 ? "none" : titles.slice(0, MAX_TITLES).join("; ")}
    {titles.length > MAX_TITLES && ` and ${formatNumber(titles.length - MAX_TITLES)} more`}
  </Detail>
);

interface Moved<Entry> extends Group<Entry> {
  before: boolean;
  now: boolean;
}

function groupsOf<Entry>(groups: readonly Moved<Entry>[]) {
  const none: Group<Entry> = { total: 0, first: [] };
  const count = (key: "before" | "now") =>
    groups.filter((group) => group[key]).reduce((sum, { total }) => sum + total, 0);
  return {
    before: count("before"),
    now: count("now"),
    came: groups.find(({ before, now }) => now && !before) ?? none,
    went: groups.find(({ before, now }) => before && !now) ?? none,
  };
}
