/** Questions about what an account does, with their true answers. */
import { dayOf, type Span, spanBefore } from "../calendar.ts";
import { activeDays, activeUsers, events, featuresNotUsed, featuresUsed, type Selection } from "../oracle/counts.ts";
import type { Account } from "../world/model.ts";
import type { WindowKind } from "../window-kinds.ts";
import { EVEN_KINDS, WINDOW_KINDS, windowOf } from "../windows.ts";
import { accountLabel, labelOfUser, someAccounts, someFeature, someKind } from "./draw.ts";
import type { Family, Instance, Told, Truth } from "./model.ts";
import { counted, known, measureOf, names, number, yesOrNo } from "./truths.ts";

/** About what an account does in a window. */
function use(
  id: string,
  truthOf: (account: Account, span: Span, told: Told) => Truth,
  {
    kinds = WINDOW_KINDS,
    measures = measureOf(id),
    keep = () => true,
  }: {
    kinds?: readonly WindowKind[];
    measures?: readonly string[];
    keep?: (account: Account, span: Span, told: Told) => boolean;
  } = {},
): Family {
  const instances = (told: Told): Instance[] => {
    const kind = someKind(told.random, kinds);
    const other = someKind(told.random, kinds);
    return someAccounts(told, 3, (account) => keep(account, windowOf(kind, told.world.now).span, told)).map(
      (account, place) => {
        const window = place === 0 || !keep(account, windowOf(other, told.world.now).span, told) ? kind : other;
        const { span } = windowOf(window, told.world.now);
        return {
          slots: { account },
          window,
          expected: known(accountLabel(account), measures, truthOf(account, span, told), span),
        };
      },
    );
  };
  return { id, instances };
}

/** The same, narrowed to a feature. */
function useOfFeature(
  id: string,
  truthOf: (told: Told, selection: Selection) => Truth,
  measures: readonly string[] = measureOf(id),
): Family {
  const instances = (told: Told): Instance[] =>
    someAccounts(told, 2).map((account) => {
      const feature = someFeature(told);
      const window = someKind(told.random, WINDOW_KINDS);
      const { span } = windowOf(window, told.world.now);
      const truth = truthOf(told, { account: account.id, event: feature.event, span });
      return { slots: { account, feature }, window, expected: known(accountLabel(account), measures, truth, span) };
    });
  return { id, instances };
}

/** Whether it was there through the time before a window too: what a comparison needs. */
const reachesBack = ({ firstAt }: Account, span: Span): boolean => dayOf(firstAt) <= spanBefore(span).from;

/** The same question where it is another day already, or still. */
export const ELSEWHERE = "account.event_count.elsewhere";
/** Without summer time. By how many hours they are off UTC. */
const ZONES = { "Pacific/Kiritimati": 14, "Pacific/Honolulu": -10 } as const;

function yesterdayElsewhere(told: Told): Instance[] {
  return Object.entries(ZONES).flatMap(([timezone, hours]) =>
    someAccounts(told, 1).map((account) => {
      const yesterday = dayOf(told.world.now + hours * 3_600_000) - 1;
      const span = { from: yesterday, to: yesterday };
      const truth = number(events(told.world, { account: account.id, span }));
      const expected = known(accountLabel(account), ["event_count"], truth, span);
      return { slots: { account }, windowWords: "yesterday", timezone, expected };
    }),
  );
}

export const ACCOUNT_USE_FAMILIES: readonly Family[] = [
  use(
    "account.seat_use",
    ({ id, attributes: { seats = 0 } }, span, { world }) => {
      const active = activeUsers(world, { account: id, span }).length;
      return { kind: "number", value: active, alsoAs: seats === 0 ? [] : [active / seats, (100 * active) / seats] };
    },
    { keep: ({ attributes: { seats } }) => seats !== undefined && seats > 0 },
  ),
  use("account.event_count", ({ id }, span, { world }) => number(events(world, { account: id, span }))),
  { id: ELSEWHERE, instances: yesterdayElsewhere },
  useOfFeature("account.event_count.feature", ({ world }, selection) => number(events(world, selection))),
  use("account.active_users", ({ id }, span, { world }) => number(activeUsers(world, { account: id, span }).length)),
  useOfFeature("account.active_users.feature", ({ world }, selection) => number(activeUsers(world, selection).length)),
  use("account.active_days", ({ id }, span, { world }) => number(activeDays(world, { account: id, span }))),
  use("account.active_user_list", ({ id }, span, told) =>
    counted(
      activeUsers(told.world, { account: id, span }).map((user) => ({
        label: labelOfUser(told, user),
        value: activeDays(told.world, { account: id, user, span }),
      })),
    ),
  ),
  use("account.features_used", ({ id }, span, { world }) =>
    counted(
      featuresUsed(world, { account: id, span }).map((event) => ({
        label: [event],
        value: events(world, { account: id, event, span }),
      })),
    ),
  ),
  use("account.features_not_used", ({ id }, span, { world }) =>
    names(featuresNotUsed(world, { account: id, span }).map((event) => [event])),
  ),
  use("account.feature_count", ({ id }, span, { world }) => number(featuresUsed(world, { account: id, span }).length)),
  useOfFeature("account.uses_feature", ({ world }, selection) => yesOrNo(events(world, selection))),
  use(
    "account.trend",
    ({ id }, span, { world }) => ({
      kind: "pair",
      one: events(world, { account: id, span }),
      other: events(world, { account: id, span: spanBefore(span) }),
    }),
    { kinds: EVEN_KINDS, keep: reachesBack },
  ),
];
