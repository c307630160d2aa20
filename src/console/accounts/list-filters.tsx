/** The form above the account list. A choice applies at once; without script, a button applies it. */
import type { FC } from "hono/jsx";

import { HEALTH_STATES, STAGES } from "../../core/health/model.ts";
import { NOBODY, RENEWALS, SEAT_USES } from "../../db/accounts/account-conditions.ts";
import type { ConsoleAccounts } from "../../db/accounts/console-accounts.ts";
import { CONSOLE_SORTS, type ConsoleSort } from "../../db/accounts/console-orders.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { formatNumber } from "../components/format.ts";
import { takeBytes, truncate } from "../components/truncate.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { ownName } from "../../edge/actor-name.ts";
import { Select } from "../forms/fields.tsx";
import type { Owner } from "../owner-ids.ts";
import { MINE } from "../forms/owner-form.ts";
import { STAGE_NAMES, STATES } from "./labels.ts";
import { type AccountsFilter, isFiltered, MAX_SEARCH_CHARACTERS, sortOf, TRAIT } from "./list-filter.ts";

/** Plan and traits shown above “More filters”. */
const SHOWN_TRAITS = 3;
/** Keep the page small, whatever owners and values are called. */
/** As text; as HTML it may be six times as much. */
const MAX_OWNERS_BYTES = 2_000;
const MAX_FEW_VALUES_BYTES = 6_000;

const RENEWAL_NAMES: Readonly<Record<(typeof RENEWALS)[number], string>> = {
  "30": "Renews in 30 days",
  "90": "Renews in 90 days",
  "180": "Renews in 180 days",
  past: "Renewal past",
};
const SEAT_USE_NAMES: Readonly<Record<(typeof SEAT_USES)[number], string>> = {
  low: "Seats < 50 %",
  medium: "Seats 50–90 %",
  high: "Seats > 90 %",
};

/** What comes first in each order. */
export const SORT_NAMES: Readonly<Record<ConsoleSort, string>> = {
  score: "Lowest score",
  trend: "Largest score drop",
  mrr: "Highest MRR",
  users: "Most users",
  lastSeen: "Last active",
  renewal: "Next renewal",
  name: "Name, A to Z",
};

/** Replaces the list by that of the response. */
export const IN_PLACE = {
  "hx-boost": "true",
  "hx-target": "#list",
  "hx-select": "#list",
  "hx-swap": "outerHTML show:none",
} as const;

/** What the page shows, with owners and stored views as addresses name them. */
export type AccountListTable = Omit<ConsoleAccounts, "owners"> & { owners: readonly Owner[] };

type FiltersProps = {
  workspace: OpenWorkspace;
  path: string;
  filter: AccountsFilter;
  table: Omit<AccountListTable, "accounts">;
};

export const AccountFilters: FC<FiltersProps> = ({ workspace, path, filter, table: { states, owners, fewValues } }) => {
  const traits = takeBytes(
    fewValues.map(({ key, values }) => <FewValues trait={key} {...{ values, filter }} />),
    MAX_FEW_VALUES_BYTES,
  );
  const ownerOptions = owners.map(({ id, name }) => [id, truncate(name)] as const);
  const hidden = traits.slice(SHOWN_TRAITS);
  return (
    <form
      id="search"
      class="filters"
      method="post"
      action={path}
      {...IN_PLACE}
      hx-trigger="submit, change target:select"
      hx-sync="this:replace"
    >
      <div class="row search">
        <input
          id="q"
          name="q"
          type="search"
          aria-label="Search"
          value={filter.q}
          maxlength={MAX_SEARCH_CHARACTERS}
          placeholder="Name, id or user"
        />
        <button type="submit">Search</button>
        {isFiltered(filter) && (
          <a class="button quiet" href={path} {...IN_PLACE}>
            Clear filters
          </a>
        )}
      </div>
      <div class="row">
        <Choice
          label="Health"
          name="state"
          selected={filter.state}
          options={HEALTH_STATES.map((state) => [state, `${STATES[state].name} (${formatNumber(states[state] ?? 0)})`])}
        />
        <Choice
          label="Stage"
          name="stage"
          selected={filter.stage}
          options={STAGES.map((stage) => [stage, STAGE_NAMES[stage]])}
        />
        <Choice
          label="Owner"
          name="owner"
          selected={filter.owner}
          options={[
            ...(ownName(workspace.user) === null ? [] : [[MINE, "Mine"] as const]),
            [NOBODY, "Nobody"],
            ...takeBytes(ownerOptions, MAX_OWNERS_BYTES),
          ]}
        />
        <Choice
          label="Renewal"
          name="renewal"
          selected={filter.renewal}
          options={RENEWALS.map((renewal) => [renewal, RENEWAL_NAMES[renewal]])}
        />
        <Choice
          label="Seat use"
          name="seats"
          selected={filter.seats}
          options={SEAT_USES.map((use) => [use, SEAT_USE_NAMES[use]])}
        />
        {traits.slice(0, SHOWN_TRAITS)}
        {/* On a phone, in place of the table's titles. */}
        <Select
          class="sort-by"
          label="Sort by"
          labelPlace="hidden"
          name="sort"
          selected={filter.sort}
          options={sortOptions(filter)}
        />
        <noscript>
          <button type="submit">Apply</button>
        </noscript>
      </div>
      {hidden.length > 0 && (
        <details open={fewValues.slice(SHOWN_TRAITS).some(({ key }) => selectedOf(filter, key) !== undefined)}>
          <summary>More filters</summary>
          <div class="row">{hidden}</div>
        </details>
      )}
    </form>
  );
};

function sortOptions({ sort }: AccountsFilter): [string, string][] {
  const options = CONSOLE_SORTS.map((each): [string, string] => [each, SORT_NAMES[each]]);
  const present = sortOf({ sort });
  return present.isReversed ? [...options, [sort, `${SORT_NAMES[present.sort]}, reversed`]] : options;
}

const selectedOf = (filter: AccountsFilter, trait: string | null): string | undefined =>
  trait === null ? filter.plan : filter.traits[trait];

type FewValuesProps = { trait: string | null; values: readonly string[]; filter: AccountsFilter };

/** A filter by a trait, or by the plan. */
const FewValues: FC<FewValuesProps> = ({ trait, values, filter }) => (
  <Choice
    label={labelOf(trait ?? "plan")}
    name={trait === null ? "plan" : TRAIT + trait}
    selected={selectedOf(filter, trait)}
    options={values.map((value) => [value, truncate(value)])}
  />
);

interface ChoiceProps {
  label: string;
  name: string;
  selected: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
}

/**
 * A filter with its present value, even if that is no longer among the options. Its first option names it in place of a
 * visible label. Its id keeps the focus after a change.
 */
const Choice: FC<ChoiceProps> = ({ options, selected, ...rest }) => {
  const any = `Any ${/^[A-Z]{2}/.test(rest.label) ? rest.label : rest.label.toLowerCase()}`;
  const isKnown = selected === undefined || options.some(([value]) => value === selected);
  const more = isKnown ? [] : [[selected, truncate(selected)] as const];
  return (
    <Select
      {...rest}
      id={`by-${rest.name}`}
      selected={selected}
      labelPlace="hidden"
      options={[["", any], ...more, ...options]}
    />
  );
};
