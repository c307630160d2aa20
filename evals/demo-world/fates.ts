/**
 * Says how each account develops in the 90 days before the demo's first run, and after it. Days count back from that
 * run, so that the demo looks the same whenever it is run.
 */
import { steps } from "../simulator/accounts.ts";
import { workingDaysBefore } from "../simulator/calendar.ts";
import { between, wholeBetween } from "../simulator/random.ts";
import {
  type Cast,
  type Casting,
  changed,
  converting,
  customer,
  lost,
  onTrial,
  withTraits,
  withUsers,
} from "./cast.ts";
import { NEW_FEATURE } from "./product.ts";

export const CASTS = {
  steady: (casting) => customer(casting),

  /** Works in shifts, also on weekends. */
  always_on: (casting) => changed(customer(casting, { rate: 0.6 }), { weekend: 0.95 }),

  /** Gets a new user now and then. */
  grower: (casting) => {
    const { random, today } = casting;
    const cast = customer(casting);
    const before = Math.ceil(cast.plan.users.length * 0.7);
    return withUsers(cast, (user, index) =>
      index < before ? user : { ...user, joins: today - wholeBetween(random, 8, 80) },
    );
  },

  /** Gets a whole department of users within a week. */
  fast_riser: (casting) => {
    const { random, today } = casting;
    const cast = customer(casting, { count: 15, seatsEach: 1.5 });
    return withUsers(cast, (user, index) =>
      index < 5 ? user : { ...user, rate: 0.8, joins: today - wholeBetween(random, 20, 26) },
    );
  },

  full_house: (casting) =>
    withUsers(customer(casting, { count: 7, seatsEach: 1, rate: 0.8 }), (user) => ({ ...user, away: [] })),

  adopter: (casting) => {
    const day = casting.today - wholeBetween(casting.random, 12, 40);
    return customer(casting, { featureChanges: [{ kind: "adopts", event: NEW_FEATURE.event, day }] });
  },

  /** Closed for two weeks. */
  back_from_closure: (casting) => {
    const monday = casting.today - 50 - ((casting.today - 50) % 7);
    return withUsers(customer(casting), (user) => ({ ...user, away: [[monday, monday + 13]] }));
  },

  converted_trial: (casting) => {
    const { random, today } = casting;
    const firstDay = today - wholeBetween(random, 48, 56);
    const cast = onTrial(casting, { firstDay, endDay: firstDay + 30, rate: 0.75 });
    return converting(casting, cast, firstDay + wholeBetween(random, 24, 29));
  },

  ready_trial: (casting) => {
    const { today } = casting;
    const cast = onTrial(casting, { firstDay: today - 26, endDay: today + 4, rate: 0.85 });
    return converting(casting, cast, today + 3);
  },

  /** Used for about a week, then hardly at all; never bought. */
  fizzled_trial: (casting) => {
    const { today } = casting;
    const cast = onTrial(casting, { firstDay: today - 27, endDay: today + 3, rate: 0.7, few: true });
    const level = steps(
      [today - 19, 1],
      [today - 15, 0.35],
      [workingDaysBefore(today, 3), 0.25],
      [workingDaysBefore(today, 2), 0],
    );
    return lost(changed(cast, { level }), today + 9);
  },

  lost_trial: (casting) => {
    const { today } = casting;
    const cast = onTrial(casting, { firstDay: today - 62, endDay: today - 32, rate: 0.6, few: true });
    return lost(changed(cast, { level: steps([today - 56, 1], [today - 44, 0.05]) }), today - 28);
  },

  fresh_trial: (casting) => {
    const { today } = casting;
    const cast = onTrial(casting, { firstDay: today - 9, endDay: today + 21, rate: 0.75 });
    return converting(casting, cast, today + 19);
  },

  just_signed: (casting) => customer(casting, { firstDay: casting.today - 8 }),

  /** Someone who works alone, without a company: a personal account. */
  solo: (casting) => customer(casting, { count: 1, rate: 0.85, seatsEach: 1 }),

  /** A few users who come once a week, with more seats than they need. */
  light: (casting) =>
    customer(casting, {
      rate: between(casting.random, 0.12, 0.2),
      seatsEach: between(casting.random, 2.5, 4),
      few: true,
    }),

  unused_seats: (casting) => customer(casting, { seatsEach: 7, rate: 0.4, few: true }),

  /** Use fell a little from a low level: no alarm yet. */
  cooling: (casting) => {
    const { today } = casting;
    return changed(customer(casting, { seatsEach: 5, rate: 0.75, few: true }), {
      level: steps([today - 50, 1], [today - 7, 0.74]),
    });
  },

  slow_decline: (casting) => {
    const { today } = casting;
    return changed(customer(casting, { rate: 0.8 }), {
      level: steps([today - 82, 1], [today - 50, 0.58], [today - 30, 0.47], [today - 4, 0.38]),
    });
  },

  /** Use falls to a quarter overnight. */
  sudden_drop: (casting) => {
    const day = workingDaysBefore(casting.today, 12);
    return changed(customer(casting), { level: steps([day - 1, 1], [day, 0.22]) });
  },

  gone_silent: (casting) => {
    const day = workingDaysBefore(casting.today, wholeBetween(casting.random, 8, 11));
    return changed(customer(casting, { rate: 0.7 }), { level: steps([day, 1], [day + 1, 0]) });
  },

  long_silent: (casting) => {
    const day = workingDaysBefore(casting.today, 24);
    return changed(customer(casting, { rate: 0.5, few: true }), { level: steps([day, 1], [day + 1, 0]) });
  },

  /** The most active user left two weeks ago; the others go on as before. */
  champion_left: (casting) => {
    const day = workingDaysBefore(casting.today, 10);
    const cast = customer(casting, { count: 13 });
    return withUsers(cast, (user, index) =>
      index === 0 ? { ...user, rate: 0.98, leaves: day, away: [] } : { ...user, rate: 0.085, away: [] },
    );
  },

  /** Fewer seats than last month, at a lower price per seat. */
  contraction: (casting) => {
    const { today } = casting;
    const cast = customer(casting, { seatsEach: 2.4 });
    const { seats, mrr } = cast.plan.traits[0]?.traits ?? {};
    const traits = { seats: Math.round(Number(seats) * 0.6), mrr: 10 * Math.round(Number(mrr) * 0.085) };
    return withTraits(cast, today - 9, traits);
  },

  feature_dropped: (casting) => {
    const event = "Report Scheduled";
    const day = casting.today - 34;
    return customer(casting, { rate: 0.75, featureChanges: [{ kind: "drops", event, day }] });
  },

  /** Hardly used for seven weeks: its inbox items have expired, and its score is still low. */
  faded: (casting) => {
    const { today } = casting;
    const cast = customer(casting, { seatsEach: 3, few: true });
    return changed(cast, { level: steps([today - 54, 1], [today - 52, 0.16]) });
  },

  churned: (casting) => {
    const { today } = casting;
    const cast = customer(casting);
    return lost(changed(cast, { level: steps([today - 70, 1], [today - 35, 0.2]) }), today - 24);
  },
} satisfies Record<string, (casting: Casting) => Cast>;

export type Fate = keyof typeof CASTS;
