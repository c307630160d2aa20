/** Questions about what an account is, with their true answers. */
import { DAY_MS, dayOf } from "../calendar.ts";
import { lastAt } from "../oracle/counts.ts";
import { knownSince } from "../oracle/portfolio.ts";
import type { Account } from "../world/model.ts";
import { accountLabel, scored, someAccounts, STATE_WORDS } from "./draw.ts";
import type { Family, Instance, Told, Truth } from "./model.ts";
import { day, known, measureOf, number } from "./truths.ts";

/** About what an account is, whatever the time. */
function state(
  id: string,
  truthOf: (account: Account, told: Told) => Truth | null,
  words: (account: Account, told: Told) => Record<string, string> = () => ({}),
  measures: readonly string[] = measureOf(id),
): Family {
  const instances = (told: Told): Instance[] =>
    someAccounts(told, 3, (account) => truthOf(account, told) !== null).flatMap((account) => {
      const truth = truthOf(account, told);
      if (truth === null) return [];
      return [
        { slots: { account, words: words(account, told) }, expected: known(accountLabel(account), measures, truth) },
      ];
    });
  return { id, instances };
}

export const ACCOUNT_STATE_FAMILIES: readonly Family[] = [
  state("account.health", (account, told) => {
    const health = scored(told, account);
    return health === null ? null : { kind: "health", score: health.score, state: health.state };
  }),
  state(
    "account.health_why",
    (account, told) => {
      const health = scored(told, account);
      return health === null || health.reasons.length === 0 || !(health.state in STATE_WORDS)
        ? null
        : { kind: "sentences", texts: health.reasons.map(({ text }) => text) };
    },
    (account, told) => ({ state: STATE_WORDS[scored(told, account)?.state ?? ""] ?? "" }),
    ["health_why", "health"],
  ),
  state("account.changes", (account, told) => {
    const health = scored(told, account);
    return health === null || health.changes.length === 0
      ? null
      : { kind: "sentences", texts: health.changes.map(({ text }) => text) };
  }),
  state("account.last_seen", ({ id }, { world }) => {
    const at = lastAt(world, { account: id });
    return at === null ? null : day(dayOf(at));
  }),
  state("account.since", (account, { world, today }) => {
    const since = dayOf(knownSince(world, account));
    return { kind: "day", day: since, daysAway: today - since };
  }),
  state("account.items", (account, { outcomes }) => {
    return { kind: "items", items: outcomes.items.filter((item) => item.account === account.id) };
  }),
  state("account.trial_end", ({ attributes: { trialEndsAt } }) =>
    trialEndsAt === undefined ? null : day(dayOf(trialEndsAt)),
  ),
  state(
    "account.trial_days_left",
    ({ attributes: { trialEndsAt } }, { world }) =>
      trialEndsAt === undefined
        ? null
        : { kind: "day", day: dayOf(trialEndsAt), daysAway: (trialEndsAt - world.now) / DAY_MS },
    () => ({}),
    ["trial_days_left", "trial_end"],
  ),
  state("account.plan", ({ attributes: { plan } }) => (plan === undefined ? null : { kind: "word", label: [plan] })),
  state("account.seats", ({ attributes: { seats } }) => (seats === undefined ? null : number(seats))),
  state("account.mrr", ({ attributes: { mrr } }) => (mrr === undefined ? null : number(mrr))),
  state("account.stage", ({ attributes: { stage } }) =>
    stage === undefined ? null : { kind: "word", label: [stage] },
  ),
  {
    id: "account.trait",
    instances: (told) =>
      someAccounts(told, 3, ({ traits }) => Object.keys(traits).length > 0).flatMap((account) => {
        const [entry] = Object.entries(account.traits);
        if (entry === undefined) return [];
        const [key, value] = entry;
        const truth: Truth = { kind: "word", label: [String(value)] };
        return [{ slots: { account, words: { key } }, expected: known(accountLabel(account), ["trait"], truth) }];
      }),
  },
];
