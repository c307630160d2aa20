/** What changed at an account since a day: figures then and now, people, features and items. */
import type { Child, FC } from "hono/jsx";

import { counted, dateOf, inFigures } from "../../core/health/texts.ts";
import type { Day } from "../../core/health/model.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { isoDate } from "../../services/present/iso.ts";
import { IN_PLACE, type Range } from "../charts/range.tsx";
import { Card, Detail, Empty, FormError } from "../components/elements.tsx";
import { formatMoney, formatNumber, userName } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { FeatureLink } from "../features/feature-link.tsx";
import { itemTexts } from "../inbox/item-labels.ts";
import { pathOf } from "../paths.ts";
import { attributeOn } from "./account-charts.tsx";
import { type AccountView, dayOfDate, viewPath } from "./account-view.ts";
import { STATES } from "./labels.ts";

const MAX_NAME_CHARACTERS = 60;
const MAX_FEATURES = 5;

interface ChangesProps {
  workspace: OpenWorkspace;
  account: AccountPageDetails;
  view: AccountView;
  range: Range;
  today: Day;
  /** What is wrong with the date that was asked for. */
  sinceError: string | undefined;
}

export const AccountChanges: FC<ChangesProps> = ({ workspace, account, view, range, today, sinceError }) => {
  const { past, firstDay } = account;
  const asked = view.since === undefined ? range.from - 1 : dayOfDate(view.since);
  return (
    <Card title={titleOf(past, today)}>
      <FormError error={sinceError} />
      <form class="row no-print" method="get" action={viewPath(workspace, account.id, {})} {...IN_PLACE}>
        <input type="hidden" name="range" value={view.range} />
        {view.feature !== undefined && <input type="hidden" name="feature" value={view.feature} />}
        <label class="field">
          Since
          <input
            id="since"
            type="date"
            name="since"
            value={isoDate(past?.since ?? asked)}
            max={isoDate(today - 1)}
            required
          />
        </label>
        <button type="submit">Show changes</button>
      </form>
      {past === null ? (
        <Empty title={firstDay === null ? "There is no data yet" : noDataBefore(firstDay)} />
      ) : (
        <Changes {...{ workspace, account, past, asked, today }} />
      )}
    </Card>
  );
};

const noDataBefore = (firstDay: Day): string => `There is no data before ${dateOf(firstDay)}`;

/** Whether the changes end before the last complete day. */
const isOver = (past: Past, today: Day): boolean => past.to < today - 1;

function titleOf(past: Past | null, today: Day): string {
  if (past === null) return "What changed";
  const since = `What changed since ${dateOf(past.since)}`;
  return isOver(past, today) ? `${since}, until ${dateOf(past.to)}` : since;
}

type Past = NonNullable<AccountPageDetails["past"]>;

type PastProps = Pick<ChangesProps, "workspace" | "account" | "today"> & { past: Past; asked: Day };

const Changes: FC<PastProps> = ({ workspace, account, past, asked, today }) => {
  const { changes, items, attributes, firstDay } = account;
  const currency = typeof attributes.currency === "string" ? attributes.currency : null;
  const [mrr, seats] = [attributeOn(changes, "mrr"), attributeOn(changes, "seats")];
  const hasEnded = isOver(past, today);
  const health = hasEnded ? past.healthThen : account.health;
  const end = hasEnded ? past.to : Number.MAX_SAFE_INTEGER;
  const money = (value: number | null) => (value === null ? null : formatMoney(value, currency));
  const people = groupsOf(past.users);
  const features = groupsOf(past.features);
  const { stayed: kept } = features;
  const person = (user: Past["users"][number]["first"][number]) => (
    <a href={pathOf(workspace, "users", user.id)}>{truncate(userName(user), MAX_NAME_CHARACTERS)}</a>
  );
  const feature = ({ name }: { name: string }) => <FeatureLink {...{ workspace, name }} />;
  const titles = (day: "openedDay" | "resolvedDay") =>
    items
      .filter((item) => (item[day] ?? 0) > past.since && (item[day] ?? 0) <= end)
      .map((item) => itemTexts(item).title);
  return (
    <>
      <dl class="details">
        <Change
          name="Health"
          before={past.health && STATES[past.health.state].name}
          now={health && STATES[health.state].name}
        />
        <Change name="Score" before={figure(past.health?.score)} now={figure(health?.score)} />
        <Change name="MRR" before={money(mrr(past.since))} now={money(mrr(end))} />
        <Change name="Seats" before={figure(seats(past.since))} now={figure(seats(end))} />
        {past.days > 0 && (
          <>
            <Change name="Active users" before={figure(people.before)} now={figure(people.now)} />
            <Change name="Events" before={figure(past.eventsBefore)} now={figure(past.eventsNow)} />
          </>
        )}
        {kept.total > 0 && (
          <Detail name="Main features">
            {kept.first.slice(0, MAX_FEATURES).map((one, index) => (
              <>
                {index > 0 && ", "}
                {feature(one)} {one.before === one.now ? figure(one.now) : `${figure(one.before)} → ${figure(one.now)}`}
              </>
            ))}
          </Detail>
        )}
        {past.days > 0 && (
          <>
            <Names name="People who came" {...people.came} show={person} />
            <Names name="People who left" {...people.went} show={person} />
            <Names name="Features started" {...features.came} show={feature} />
            <Names name="Features stopped" {...features.went} show={feature} />
          </>
        )}
        <Titles name="Items opened" titles={titles("openedDay")} />
        <Titles name="Items resolved" titles={titles("resolvedDay")} />
      </dl>
      <p class="note">
        {past.days === 0
          ? "No day has ended since then."
          : `People, events and features: ${counted(past.days, "day")} up to ${dateOf(past.since)}, compared with ${counted(past.days, "day")} up to ${dateOf(past.to)}.`}
        {firstDay !== null && firstDay > asked - past.days && ` ${noDataBefore(firstDay)}.`}
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
      {total > first.length && `${formatNumber(total)}, among them `}
      {total === 0
        ? "none"
        : first.map((entry, index) => (
            <>
              {index > 0 && ", "}
              {show(entry)}
            </>
          ))}
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
    stayed: groups.find(({ before, now }) => now && before) ?? none,
    came: groups.find(({ before, now }) => now && !before) ?? none,
    went: groups.find(({ before, now }) => before && !now) ?? none,
  };
}
