/** Near misses for want of what they ask about, with the reasons that are right for each. */
import { pick } from "../../simulator/random.ts";
import { dateOf, dayOf, spanBefore } from "../calendar.ts";
import { windowOf } from "../windows.ts";
import { nameable, someAccounts, someKind } from "./draw.ts";
import { anything, COMMON, family, missing, type MissFamily, times, WINDOWS } from "./misses.ts";

const UNKNOWN_ACCOUNTS = [
  "Hooli",
  "Vandelay Industries",
  "Massive Dynamic",
  "Kramerica",
  "zorg-ltd",
  "Aperture Science",
] as const;
const UNKNOWN_USERS = ["bob.nobody", "u-9999", "kim.nguyen", "quentin-x"] as const;
const UNSEEN_EVENTS = [
  "invoice.paid",
  "webhook.failed",
  "sso.enabled",
  "calendar.synced",
  "invoice paid",
  "paying invoices",
] as const;
const OUTSIDE = [
  "in March 2020",
  "in Q1 2021",
  "on 2020-05-05",
  "between 2019-01-01 and 2019-03-31",
  "in March 2031",
  "in Q1 2031",
  "on 2031-01-01",
] as const;
/** What people who keep customers ask for, and no message carries. */
const UNMEASURED = ["NPS", "CSAT", "renewal date", "ARR", "lifetime value", "contract end date"] as const;

export const DATA_MISSES: readonly MissFamily[] = [
  family("unknown_account", ["no_such_subject"], ({ random }) => ({ unknown: pick(random, UNKNOWN_ACCOUNTS) })),
  family("unknown_user", ["no_such_subject"], ({ random }) => ({ ghost: pick(random, UNKNOWN_USERS) })),
  {
    miss: "longer_name",
    reasons: ["no_such_subject", "unresolved_words"],
    worlds: ["northbeam", "meridian"],
    instances: (told) => times(6, () => anything(told)),
  },
  {
    miss: "unknown_hint",
    reasons: ["no_such_subject"],
    worlds: COMMON,
    instances: (told) => times(3, (place) => ({ ...anything(told), hintId: `no-such-account-${place}` })),
  },
  family("no_hint", ["no_such_subject", "ambiguous_subject", "unresolved_words"]),
  {
    miss: "two_of_a_name",
    reasons: ["ambiguous_subject"],
    worlds: ["meridian", "carnival"],
    instances: (told) =>
      (told.world.name === "meridian" ? ["Acme", "Alex Chen", "fourth coffee"] : ["twin peaks", "TWIN PEAKS"]).map(
        (twin) => ({
          slots: { words: { twin } },
          window: someKind(told.random, WINDOWS),
        }),
      ),
  },
  family("unseen_event", ["no_such_event"], ({ random }) => ({ unseen: pick(random, UNSEEN_EVENTS) })),
  family(
    "near_event",
    ["no_such_event", "unresolved_words"],
    ({ random }) => ({
      near: pick(random, ["report.imported", "report.deleted", "dashboard.shared", "project.archived"]),
    }),
    { worlds: ["northbeam"], count: 4 },
  ),
  family("outside_data", ["no_data_in_window"], ({ random, world, today }) => ({
    when: pick(random, dateOf(world.firstDay).year === dateOf(today).year ? [...OUTSIDE, "last year"] : OUTSIDE),
  })),
  {
    miss: "too_young_for_trend",
    reasons: ["insufficient_history"],
    worlds: ["northbeam", "meridian", "young"],
    instances: (told) =>
      (["default", "last_30_days"] as const).flatMap((window) =>
        someAccounts(
          told,
          2,
          ({ firstAt }) => dayOf(firstAt) > spanBefore(windowOf(window, told.world.now).span).to,
        ).map((account) => ({ slots: { account }, window })),
      ),
  },
  {
    miss: "too_young_for_health",
    reasons: ["insufficient_history"],
    worlds: ["northbeam", "young"],
    instances: (told) =>
      nameable(told)
        .filter(({ id }) => told.outcomes.health.get(id)?.state === "insufficient_data")
        .map((account) => ({ slots: { account } })),
  },
  family("unmeasured", ["unmeasured_attribute"], ({ random }) => ({ metric: pick(random, UNMEASURED) }), { count: 6 }),
  missing("missing_trait", ["unmeasured_attribute"], (account, { world }) => {
    const elsewhere = world.accounts.flatMap(({ traits }) => Object.keys(traits));
    const key = elsewhere.find((one) => !(one in account.traits));
    return key === undefined ? null : { key };
  }),
  missing("missing_attribute", ["unmeasured_attribute"], ({ attributes }) => {
    if (attributes.trialEndsAt === undefined && attributes.stage === "trial") return { attribute: "trial end" };
    if (attributes.mrr === undefined) return { attribute: "MRR" };
    if (attributes.plan === undefined) return { attribute: "plan" };
    if (attributes.seats === undefined) return { attribute: "seat count" };
    return attributes.trialEndsAt === undefined ? { attribute: "trial end date" } : null;
  }),
  family("behind", ["stale_data"], undefined, { worlds: ["behind"], count: 3 }),
  { miss: "mixed_total", reasons: ["mixed_currency"], worlds: ["meridian"], instances: () => [{ slots: {} }] },
  {
    miss: "mixed_comparison",
    reasons: ["mixed_currency"],
    worlds: ["meridian"],
    instances: (told) =>
      someAccounts(told, 3, ({ attributes: { currency } }) => currency === "USD").flatMap((account) =>
        someAccounts(told, 1, ({ attributes: { currency } }) => currency === "EUR").map((other) => ({
          slots: { account, other },
        })),
      ),
  },
];
