/** Questions about a person, with their true answers. */
import { dayOf, type Span, spanBefore } from "../calendar.ts";
import { activeDays, events, featuresUsed, firstAt, happened, lastAt, type Selection } from "../oracle/counts.ts";
import type { User } from "../world/model.ts";
import type { WindowKind } from "../window-kinds.ts";
import { EVEN_KINDS, WINDOW_KINDS, windowOf } from "../windows.ts";
import { labelOfAccount, someFeature, someKind, someUsers, userLabel } from "./draw.ts";
import type { Family, Told, Truth } from "./model.ts";
import { counted, day, known, measureOf, number, yesOrNo } from "./truths.ts";

function state(id: string, truthOf: (user: User, told: Told) => Truth): Family {
  return {
    id,
    instances: (told) =>
      someUsers(told, 3).map((user) => ({
        slots: { user },
        expected: known(userLabel(user), measureOf(id), truthOf(user, told)),
      })),
  };
}

function use(
  id: string,
  truthOf: (user: User, span: Span, told: Told) => Truth,
  kinds: readonly WindowKind[] = WINDOW_KINDS,
  keep: (user: User, told: Told) => boolean = () => true,
): Family {
  return {
    id,
    instances: (told) =>
      someUsers(told, 3, (user) => keep(user, told)).map((user) => {
        const window = someKind(told.random, kinds);
        const { span } = windowOf(window, told.world.now);
        return {
          slots: { user },
          window,
          expected: known(userLabel(user), measureOf(id), truthOf(user, span, told), span),
        };
      }),
  };
}

function useOfFeature(id: string, truthOf: (told: Told, selection: Selection) => Truth): Family {
  return {
    id,
    instances: (told) =>
      someUsers(told, 2).map((user) => {
        const feature = someFeature(told);
        const window = someKind(told.random, WINDOW_KINDS);
        const { span } = windowOf(window, told.world.now);
        const truth = truthOf(told, { user: user.id, event: feature.event, span });
        return { slots: { user, feature }, window, expected: known(userLabel(user), measureOf(id), truth, span) };
      }),
  };
}

const dayAt = (at: number | null): Truth => day(dayOf(at ?? 0));

export const USER_FAMILIES: readonly Family[] = [
  state("user.last_seen", ({ id }, { world }) => dayAt(lastAt(world, { user: id }))),
  state("user.first_seen", ({ id }, { world }) => dayAt(firstAt(world, { user: id }))),
  state("user.account", ({ account }, told) => ({ kind: "word", label: labelOfAccount(told, account) })),
  {
    id: "user.trait",
    instances: (told) =>
      someUsers(told, 3, ({ traits }) => Object.keys(traits).length > 0).flatMap((user) => {
        const [entry] = Object.entries(user.traits);
        if (entry === undefined) return [];
        const [key, value] = entry;
        const truth: Truth = { kind: "word", label: [String(value)] };
        return [{ slots: { user, words: { key } }, expected: known(userLabel(user), ["trait"], truth) }];
      }),
  },
  use("user.event_count", ({ id }, span, { world }) => number(events(world, { user: id, span }))),
  useOfFeature("user.event_count.feature", ({ world }, selection) => number(events(world, selection))),
  use("user.active_days", ({ id }, span, { world }) => number(activeDays(world, { user: id, span }))),
  use("user.features_used", ({ id }, span, { world }) =>
    counted(
      featuresUsed(world, { user: id, span }).map((event) => ({
        label: [event],
        value: events(world, { user: id, event, span }),
      })),
    ),
  ),
  useOfFeature("user.uses_feature", ({ world }, selection) => yesOrNo(events(world, selection))),
  use(
    "user.trend",
    ({ id }, span, { world }) => ({
      kind: "pair",
      one: events(world, { user: id, span }),
      other: events(world, { user: id, span: spanBefore(span) }),
    }),
    EVEN_KINDS,
    // Seen before the time that comes before any of those windows.
    ({ id }, { world, today }) => happened(world, { user: id, span: { from: 0, to: today - 61 } }).length > 0,
  ),
];
