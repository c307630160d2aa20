/**
 * The scenarios of an account, each with its truth. The figures (when, how far, how fast, how many) are typical of a
 * business product. None was chosen by how the rules react to it.
 */
import { contract, customer, type Draw, lateComer, steps, trial } from "./accounts.ts";
import type { AccountPlan, Scenario, UserPlan } from "./model.ts";
import { between, chance, type Random, wholeBetween } from "./random.ts";

const LARGE_USERS = 18;
/** Leaves time to learn what is usual before a decline. */
const FIRST_DECLINE_DAY = 75;

export const DRAWS: { readonly [scenario in Scenario]: (draw: Draw) => AccountPlan } = {
  steady: (draw) => customer(draw, { firstDay: lateComer(draw) }),

  /** Steady, but 30 % of its events arrive 1 to 5 days late, from devices that are seldom online. */
  late_events: (draw) => ({ ...customer(draw), late: 0.3 }),

  /** Used by accountants on the last two and the first three working days of each month. */
  month_end: (draw) => ({
    ...customer(draw, { users: wholeBetween(draw.random, 2, 5), rate: 0.85 }),
    pattern: "month_end",
  }),

  /** One or two users who are active a few days a week. */
  tiny: (draw) => {
    const { random } = draw;
    return customer(draw, { users: wholeBetween(random, 1, 2), rate: between(random, 0.12, 0.4) });
  },

  /** Grows to 1.6 to 2.5 times its users in 40 to 80 days. */
  growing: (draw) => {
    const { random, days } = draw;
    const growthDay = wholeBetween(random, 60, Math.max(60, days - 90));
    const takes = wholeBetween(random, 40, 80);
    const factor = between(random, 1.6, 2.5);
    const plan = customer(draw, { growthDay });
    const before = Math.max(1, Math.round(plan.users.length / factor));
    const users = plan.users.map((user, index) =>
      index < before ? user : { ...user, joins: growthDay + Math.floor(takes * random()) },
    );
    return { ...plan, users };
  },

  trial_converts: (draw) => {
    const { random } = draw;
    const plan = trial(draw);
    const converts = (plan.truth.trialEndDay ?? 0) - wholeBetween(random, 0, 3);
    return { ...plan, traits: [...plan.traits, { day: converts, traits: contract(random, plan.users.length) }] };
  },

  /** Drops to 40 % of its user-days from one day to the next. Seven in ten end the contract 30 to 60 days later. */
  cliff: (draw) => {
    const { random, days, large } = draw;
    const day = wholeBetween(random, FIRST_DECLINE_DAY, Math.max(FIRST_DECLINE_DAY, days - 35));
    const churnDay = chance(random, 0.7) ? day + wholeBetween(random, 30, 60) : null;
    const plan = customer(draw, { declineDay: day, declinedDay: day, churnDay, ...(large && { least: LARGE_USERS }) });
    // Either everybody uses the product less, or part of the company has moved to another one.
    if (chance(random, 0.5)) return { ...plan, level: steps([day - 1, 1], [day, 0.4]) };
    const { users, left } = withLeavers(random, plan.users, 0.4, day);
    return { ...plan, users, level: steps([day - 1, 1], [day, 0.4 / left]) };
  },

  /** Declines evenly to half in 60 to 90 days. Seven in ten end the contract 30 to 60 days after that. */
  slow_decline: (draw) => {
    const { random, days, large } = draw;
    const takes = wholeBetween(random, 60, 90);
    const day = wholeBetween(random, 60, Math.max(60, days - takes - 30));
    const declinedDay = day + takes;
    const churnDay = chance(random, 0.7) ? declinedDay + wholeBetween(random, 30, 60) : null;
    const plan = customer(draw, { declineDay: day, declinedDay, churnDay, ...(large && { least: LARGE_USERS }) });
    return { ...plan, level: steps([day, 1], [declinedDay, 0.5]) };
  },

  /** A small company loses the person who does 40 to 60 % of the work. Four in ten end the contract 45 to 90 days later. */
  champion_gone: (draw) => {
    const { random, days } = draw;
    const day = wholeBetween(random, FIRST_DECLINE_DAY, Math.max(FIRST_DECLINE_DAY, days - 35));
    const churnDay = chance(random, 0.4) ? day + wholeBetween(random, 45, 90) : null;
    const plan = customer(draw, { users: wholeBetween(random, 3, 6), declineDay: day, declinedDay: day, churnDay });
    const [champion, ...others] = plan.users;
    if (champion === undefined) return plan;
    const share = between(random, 0.4, 0.6);
    const rate = 0.85;
    const scale = (rate * (1 - share)) / share / total(others);
    const users = [
      { ...champion, rate, leaves: day },
      ...others.map((user) => ({ ...user, rate: Math.min(0.85, user.rate * scale) })),
    ];
    return { ...plan, users };
  },

  /** Tries the product for some days, then halves its usage every four days, and never buys. */
  trial_dies: (draw) => {
    const { random } = draw;
    const plan = trial(draw);
    const { firstDay, trialEndDay } = plan.truth;
    const day = firstDay + wholeBetween(random, 3, 8);
    const churnDay = (trialEndDay ?? day) + wholeBetween(random, 3, 10);
    return {
      ...plan,
      truth: { ...plan.truth, declineDay: day, declinedDay: day + 16, churnDay },
      level: steps([day, 1], [day + 4, 0.5], [day + 8, 0.25], [day + 12, 0.12], [day + 16, 0]),
      traits: [...plan.traits, { day: churnDay, traits: { stage: "cancelled" } }],
    };
  },

  /** Reduces seats and MRR by a quarter to a half, with the same usage. Four in ten end the contract 30 to 90 days later. */
  contraction: (draw) => {
    const { random, days } = draw;
    const day = wholeBetween(random, FIRST_DECLINE_DAY, Math.max(FIRST_DECLINE_DAY, days - 35));
    const churnDay = chance(random, 0.4) ? day + wholeBetween(random, 30, 90) : null;
    const plan = customer(draw, { declineDay: day, declinedDay: day, churnDay });
    const left = between(random, 0.5, 0.75);
    const { seats = 0, mrr = 0 } = plan.traits[0]?.traits ?? {};
    const traits = { seats: Math.ceil(Number(seats) * left), mrr: Math.round(Number(mrr) * left) };
    return { ...plan, traits: [...plan.traits, { day, traits }] };
  },

  /** Uses a trial less and less, and is never marked as lost. */
  trial_expires: (draw) => {
    const plan = DRAWS.trial_dies(draw);
    return { ...plan, traits: plan.traits.filter(({ traits }) => traits["stage"] !== "cancelled") };
  },

  /** Two or three of a dozen and more seats are ever in use. Six in ten don't renew, without a decline. */
  poor_adoption: (draw) => {
    const { random, days } = draw;
    const churnDay = chance(random, 0.6) ? wholeBetween(random, 120, days + 60) : null;
    const plan = customer(draw, { users: wholeBetween(random, 2, 3), churnDay });
    const [first, ...rest] = plan.traits;
    if (first === undefined) return plan;
    return {
      ...plan,
      traits: [{ ...first, traits: { ...first.traits, seats: wholeBetween(random, 12, 25) } }, ...rest],
    };
  },

  /** Ends the contract without any decline: a merger, a budget, a competitor. */
  sudden_end: (draw) => customer(draw, { churnDay: wholeBetween(draw.random, 100, draw.days + 30) }),

  /** Every user leaves after 60 to 180 days, and somebody else takes over at once. */
  turnover: (draw) => {
    const { random, days } = draw;
    const plan = customer(draw);
    const users = plan.users.flatMap((user) => {
      const leaves = wholeBetween(random, 60, Math.min(180, days));
      return [
        { ...user, leaves },
        { ...user, id: `${user.id}-successor`, joins: leaves },
      ];
    });
    return { ...plan, users };
  },

  /** Stops using the product's most popular feature. Three in ten end the contract 45 to 90 days later. */
  feature_abandoned: (draw) => {
    const { random, days } = draw;
    const day = wholeBetween(random, FIRST_DECLINE_DAY, Math.max(FIRST_DECLINE_DAY, days - 50));
    const churnDay = chance(random, 0.3) ? day + wholeBetween(random, 45, 90) : null;
    const plan = customer(draw, { declineDay: day, declinedDay: day, churnDay });
    return { ...plan, abandons: { feature: 0, day } };
  },
};

/** Lets users leave one by one, as long as at least `share` of the usage remains. */
function withLeavers(random: Random, users: readonly UserPlan[], share: number, day: number) {
  const whole = total(users);
  let remaining = whole;
  const left = users.map((user) => {
    if (!chance(random, 0.8) || remaining - user.rate < share * whole) return user;
    remaining -= user.rate;
    return { ...user, leaves: day };
  });
  return { users: left, left: remaining / whole };
}

const total = (users: readonly UserPlan[]): number => users.reduce((sum, { rate }) => sum + rate, 0);
