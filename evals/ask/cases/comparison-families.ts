/** Questions that hold an account against itself or another, with their true answers. */
import { dayOf, type Span, spanBefore } from "../calendar.ts";
import { activeDays, activeUsers, events, type Selection } from "../oracle/counts.ts";
import type { Account } from "../world/model.ts";
import { monthsCompared, WINDOW_KINDS, windowOf, wordsBefore } from "../windows.ts";
import { accountLabel, scored, someAccounts, someKind } from "./draw.ts";
import type { Family, Instance, Told, Truth } from "./model.ts";
import { known } from "./truths.ts";

const METRICS = {
  events: (told: Told, selection: Selection) => events(told.world, selection),
  "active users": (told: Told, selection: Selection) => activeUsers(told.world, selection).length,
  "active days": (told: Told, selection: Selection) => activeDays(told.world, selection),
} as const;

export const COMPARISON_FAMILIES: readonly Family[] = [
  {
    id: "account.compare_windows",
    instances: (told) => {
      const months = monthsCompared(told.world.now);
      return someAccounts(told, 3, (account) => dayOf(account.firstAt) <= months.before.from).map((account, place) => {
        const metric = (["events", "active users", "active days"] as const)[place] ?? "events";
        const valueIn = (span: Span) => METRICS[metric](told, { account: account.id, span });
        const kind = (["last_week", "last_14_days"] as const)[place];
        const span = kind === undefined ? months.span : windowOf(kind, told.world.now).span;
        const before = kind === undefined ? months.before : spanBefore(span);
        const words = { metric, before: kind === undefined ? months.wordsBefore : wordsBefore(kind) };
        const truth: Truth = { kind: "pair", one: valueIn(span), other: valueIn(before) };
        return {
          slots: { account, words },
          ...(kind === undefined ? { windowWords: months.words } : { window: kind }),
          expected: known(accountLabel(account), ["compare_windows", "trend"], truth, span),
        };
      });
    },
  },
  {
    id: "account.compare_accounts",
    instances: (told) =>
      [0, 1, 2].flatMap((place): Instance[] => {
        const [account, other] = someAccounts(told, 2);
        if (account === undefined || other === undefined) return [];
        const metric = (["events", "active users", "active days"] as const)[place] ?? "events";
        const window = someKind(told.random, WINDOW_KINDS);
        const { span } = windowOf(window, told.world.now);
        const valueOf = ({ id }: Account) => METRICS[metric](told, { account: id, span });
        const truth: Truth = {
          kind: "pair",
          one: valueOf(account),
          other: valueOf(other),
          labels: [accountLabel(account), accountLabel(other)],
        };
        return [
          {
            slots: { account, other, words: { metric } },
            window,
            expected: known(accountLabel(account), ["compare_accounts"], truth, span),
          },
        ];
      }),
  },
  {
    id: "account.compare_attributes",
    instances: (told) =>
      (["health score", "MRR", "seats"] as const).flatMap((metric): Instance[] => {
        const valueOf = (account: Account): number | undefined =>
          metric === "MRR"
            ? account.attributes.mrr
            : metric === "seats"
              ? account.attributes.seats
              : scored(told, account)?.score;
        const [account, other] = someAccounts(told, 2, (one) => valueOf(one) !== undefined);
        if (account === undefined || other === undefined) return [];
        if (metric === "MRR" && account.attributes.currency !== other.attributes.currency) return [];
        const truth: Truth = {
          kind: "pair",
          one: valueOf(account) ?? 0,
          other: valueOf(other) ?? 0,
          labels: [accountLabel(account), accountLabel(other)],
        };
        return [
          {
            slots: { account, other, words: { metric } },
            expected: known(accountLabel(account), ["compare_accounts"], truth),
          },
        ];
      }),
  },
];
