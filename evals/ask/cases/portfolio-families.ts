/** Questions about all accounts together, with their true answers. */
import type { Span } from "../calendar.ts";
import { activeAccounts, activeUsers, events } from "../oracle/counts.ts";
import {
  mrrByCurrency,
  newAccounts,
  type Ranked,
  silentSince,
  topByActivity,
  topByAttribute,
  topByChange,
  topFeatures,
  trialsEnding,
} from "../oracle/portfolio.ts";
import type { WindowKind } from "../window-kinds.ts";
import { EVEN_KINDS, SHORT_KINDS, windowOf } from "../windows.ts";
import { labelOfAccount, someKind, STATE_WORDS } from "./draw.ts";
import type { Family, Instance, Told, Truth } from "./model.ts";
import { counted, known, measureOf, names, number } from "./truths.ts";

const accountNames = (told: Told, ids: readonly string[]): Truth => names(ids.map((id) => labelOfAccount(told, id)));

/** Once as it is. */
const whole = (id: string, truthOf: (told: Told) => Truth | null, measures = measureOf(id)): Family => ({
  id,
  instances: (told) => {
    const truth = truthOf(told);
    return truth === null ? [] : [{ slots: {}, expected: known(null, measures, truth) }];
  },
});

/** Twice, in windows. */
function windowed(
  id: string,
  truthOf: (told: Told, span: Span) => Truth,
  kinds: readonly WindowKind[] = SHORT_KINDS,
  measures: readonly string[] = measureOf(id),
): Family {
  return {
    id,
    instances: (told) =>
      [0, 1].map(() => {
        const window = someKind(told.random, kinds);
        const { span } = windowOf(window, told.world.now);
        return { slots: {}, window, expected: known(null, measures, truthOf(told, span), span) };
      }),
  };
}

/** Of all time, and where a time is said, of that. */
function inTotal(id: string, truthOf: (told: Told, span: Span | null) => Truth): Family {
  const kinds = SHORT_KINDS.filter((kind) => kind !== "default");
  const { instances } = windowed(id, truthOf, kinds);
  return {
    id,
    instances: (told) => [
      { slots: {}, windowWords: "", expected: known(null, measureOf(id), truthOf(told, null)) },
      ...instances(told),
    ],
  };
}

/** With a number of them, in a window where there is one. */
function top(
  id: string,
  limits: readonly number[],
  rankedOf: (told: Told, span: Span) => Ranked[],
  kinds: readonly WindowKind[] | null,
): Family {
  return {
    id,
    instances: (told) =>
      limits.map((limit): Instance => {
        const window = kinds === null ? null : someKind(told.random, kinds);
        const span = window === null ? null : windowOf(window, told.world.now).span;
        const ranked = rankedOf(told, span ?? { from: 0, to: 0 });
        const truth: Truth = {
          kind: "ranking",
          limit,
          ranked: ranked.map(({ id: one, value }) => ({ label: labelOfAccount(told, one), value })),
        };
        return {
          slots: { words: { n: String(limit) } },
          ...(window === null ? {} : { window }),
          expected: known(null, measureOf(id), truth, span),
        };
      }),
  };
}

/** For each of the states, or the plans, that there are accounts in. */
function filtered(
  id: string,
  valuesOf: (told: Told) => readonly { words: Record<string, string>; accounts: readonly string[] }[],
): Family {
  const isCount = id.startsWith("portfolio.account_count");
  return {
    id,
    instances: (told) =>
      valuesOf(told).map(({ words, accounts }) => ({
        slots: { words },
        expected: known(
          null,
          words["state"] === "at risk" ? ["account_count", "account_list", "at_risk"] : measureOf(id),
          isCount ? number(accounts.length) : accountNames(told, accounts),
        ),
      })),
  };
}

const states = ({ outcomes }: Told) =>
  Object.entries(STATE_WORDS).map(([state, words]) => ({
    words: { state: words },
    accounts: [...outcomes.health].flatMap(([id, health]) => (health?.state === state ? [id] : [])),
  }));

const plans = ({ world }: Told) =>
  [...new Set(world.accounts.flatMap(({ attributes: { plan } }) => plan ?? []))]
    .filter((plan) => /^\w+$/.test(plan))
    .map((plan) => ({
      words: { plan },
      accounts: world.accounts.flatMap(({ id, attributes }) => (attributes.plan === plan ? [id] : [])),
    }));

const trials = ({ world }: Told) => [
  { words: {}, accounts: world.accounts.flatMap(({ id, attributes: { stage } }) => (stage === "trial" ? [id] : [])) },
];

/** One sum is asked for: there is one of one currency only. */
function totalMrr({ world }: Told): Truth | null {
  const amounts = Object.values(mrrByCurrency(world));
  const [only] = amounts;
  return only === undefined || amounts.length > 1 ? null : number(only);
}

export const isOneCurrency = ({ world }: Told): boolean => Object.keys(mrrByCurrency(world)).length === 1;

const days = (told: Told): Instance[] =>
  [7, 14, 30].map((count) => {
    const span = { from: told.today, to: told.today + count };
    const truth = accountNames(told, trialsEnding(told.world, span));
    return { slots: { words: { days: String(count) } }, expected: known(null, ["trials_ending"], truth, span) };
  });

export const PORTFOLIO_FAMILIES: readonly Family[] = [
  whole("portfolio.account_count", ({ world }) => number(world.accounts.length)),
  filtered("portfolio.account_count.state", states),
  filtered("portfolio.account_count.stage", trials),
  filtered("portfolio.account_count.plan", plans),
  filtered("portfolio.account_list.state", states),
  filtered("portfolio.account_list.stage", trials),
  filtered("portfolio.account_list.plan", plans),
  whole(
    "portfolio.at_risk",
    (told) => accountNames(told, states(told).find(({ words }) => words.state === "at risk")?.accounts ?? []),
    ["at_risk", "account_list"],
  ),
  windowed("portfolio.silent_since", (told, { from }) => accountNames(told, silentSince(told.world, from)), [
    "last_14_days",
    "last_30_days",
    "since_date",
    "since_spoken_date",
  ]),
  windowed("portfolio.active_accounts", ({ world }, span) => number(activeAccounts(world, { span }).length)),
  windowed("portfolio.active_account_list", (told, span) =>
    counted(
      activeAccounts(told.world, { span }).map((id) => ({
        label: labelOfAccount(told, id),
        value: events(told.world, { account: id, span }),
      })),
    ),
  ),
  windowed("portfolio.active_users", ({ world }, span) => number(activeUsers(world, { span }).length)),
  inTotal("portfolio.active_users.in_total", ({ world }, span) =>
    number(activeUsers(world, span === null ? {} : { span }).length),
  ),
  windowed("portfolio.event_count", ({ world }, span) => number(events(world, { span }))),
  top("portfolio.top.activity", [5, 3], ({ world }, span) => topByActivity(world, span), SHORT_KINDS),
  top("portfolio.top.growth", [3, 5], ({ world }, span) => topByChange(world, span, "growth"), EVEN_KINDS),
  top("portfolio.top.decline", [3, 5], ({ world }, span) => topByChange(world, span, "decline"), EVEN_KINDS),
  {
    id: "portfolio.top.mrr",
    instances: (told) =>
      isOneCurrency(told)
        ? top("portfolio.top.mrr", [5], ({ world }) => topByAttribute(world, "mrr"), null).instances(told)
        : [],
  },
  top("portfolio.top.seats", [5], ({ world }) => topByAttribute(world, "seats"), null),
  whole("portfolio.mrr", ({ world }) => ({ kind: "amounts", byCurrency: mrrByCurrency(world) })),
  whole("portfolio.mrr.total", totalMrr),
  { id: "portfolio.trials_ending", instances: days },
  {
    id: "portfolio.top_features",
    instances: (told) =>
      top("portfolio.top_features", [3, 5], ({ world }, span) => topFeatures(world, span), SHORT_KINDS).instances(told),
  },
  windowed("portfolio.new_accounts", (told, span) => accountNames(told, newAccounts(told.world, span)), [
    "this_month",
    "last_7_days",
    "last_month",
    "last_14_days",
  ]),
  whole("portfolio.items", ({ outcomes }) => ({ kind: "items", items: outcomes.items })),
];
