/** Questions about a feature, with their true answers. */
import { type Span, spanBefore } from "../calendar.ts";
import { activeAccounts, activeUsers, events } from "../oracle/counts.ts";
import { stoppedUsing } from "../oracle/portfolio.ts";
import type { Feature } from "../world/model.ts";
import type { WindowKind } from "../window-kinds.ts";
import { EVEN_KINDS, EVEN_KINDS_OF_SILENCE, SHORT_KINDS, WINDOW_KINDS, windowOf } from "../windows.ts";
import { featureLabel, labelOfAccount, labelOfUser, someFeature, someKind } from "./draw.ts";
import type { Family, Told, Truth } from "./model.ts";
import { counted, known, measureOf, names, number } from "./truths.ts";

function use(
  id: string,
  truthOf: (feature: Feature, span: Span, told: Told) => Truth,
  kinds: readonly WindowKind[] = WINDOW_KINDS,
): Family {
  return {
    id,
    instances: (told) =>
      [0, 1, 2].map(() => {
        const feature = someFeature(told);
        const window = someKind(told.random, kinds);
        const { span } = windowOf(window, told.world.now);
        const truth = truthOf(feature, span, told);
        return { slots: { feature }, window, expected: known(featureLabel(feature), measureOf(id), truth, span) };
      }),
  };
}

export const FEATURE_FAMILIES: readonly Family[] = [
  use(
    "feature.accounts",
    ({ event }, span, told) =>
      counted(
        activeAccounts(told.world, { event, span }).map((id) => ({
          label: labelOfAccount(told, id),
          value: events(told.world, { account: id, event, span }),
        })),
      ),
    SHORT_KINDS,
  ),
  use("feature.users", ({ event }, span, told) =>
    counted(
      activeUsers(told.world, { event, span }).map((id) => ({
        label: labelOfUser(told, id),
        value: events(told.world, { user: id, event, span }),
      })),
    ),
  ),
  use(
    "feature.account_count",
    ({ event }, span, { world }) => number(activeAccounts(world, { event, span }).length),
    SHORT_KINDS,
  ),
  use("feature.user_count", ({ event }, span, { world }) => number(activeUsers(world, { event, span }).length)),
  use(
    "feature.adoption",
    ({ event }, span, { world }) => {
      const using = activeAccounts(world, { event, span }).length;
      const share = using / Math.max(1, activeAccounts(world, { span }).length);
      return { kind: "number", value: share, alsoAs: [100 * share, using] };
    },
    SHORT_KINDS,
  ),
  use("feature.event_count", ({ event }, span, { world }) => number(events(world, { event, span })), SHORT_KINDS),
  use(
    "feature.stopped",
    ({ event }, span, told) => names(stoppedUsing(told.world, event, span).map((id) => labelOfAccount(told, id))),
    EVEN_KINDS_OF_SILENCE,
  ),
  use(
    "feature.trend",
    ({ event }, span, { world }) => ({
      kind: "pair",
      one: events(world, { event, span }),
      other: events(world, { event, span: spanBefore(span) }),
    }),
    EVEN_KINDS,
  ),
];
