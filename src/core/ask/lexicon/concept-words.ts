/**
 * The closed lexicon: what words mean, as far as questions about accounts are concerned. A word or a phrase may mean
 * several things; which of them is meant shows in what the rest of the question leaves room for (reading/fit.ts).
 *
 * Entries are set apart by commas. `!` after a word stands for the forms of a verb, `*` for the plural of a noun.
 */
export const CONCEPT_WORDS = {
  // What is asked for.
  howMany:
    "how many, number of, the number, numbers of, count*, count of, counts of, count!, headcount, tally, quantity of, how large is the number, number, nr of, no of, num of, how high is the number, what number",
  howMuch: "how much, amount of, level of, extent of, how high, how large, how big",
  howOften:
    "how often, how many times, how frequently, number of times, frequency, frequency of, count of times, times, how regularly",
  howLong: "how long, how much time, how much longer, how far, how long ago",
  longer:
    "how much longer, longer, how many more days, more days, days left, time left, days remaining, time remaining",
  when: "when, what date, which date, what day, which day, date, date of, what time, dates, when exactly",
  anyone: "anyone, anybody, someone, somebody, any user, any users, any people, any person, any member",
  who: "who, whom, whose, who all, whos, everyone who, everybody who, names of everyone, everyone active",
  why: "why, how come, reason*, reasons for, reason for, reasons behind, reason behind, explain!, explanation, what is behind, what are the reasons, what makes, cause!, what is causing, because, drive!, driver*, factor*, contribute!, contributing, what is responsible for, behind, breakdown, break down, what explains, makes, making, rationale, justify, what hurts, hurting, hurts, dragging, drag, drags, pulling, weighing, affecting, affects, account for, accounts for, what led to, made, what makes up, makes up, what goes into, goes into, made up of, what is in",
  listing:
    "which, list!, show me, show us, what are, what were, names of, names, name, display, enumerate, identify, give me a list, list of, a list of, lists, show, find, pull up, give me, name all, roster, find me, get me, fetch, names for",
  what: "what, whats",
  where: "where",
  yesNo: "whether, if",
  how: "how, hows",
  howIs: "how is, hows, how s, how are, how has, how have",
  doing:
    "doing, faring, holding up, getting on, getting along, going, looking, look, looks, performing, go, going with, going for, things, feeling, do, look like, coming along",
  // Things.
  accountOne:
    "account, customer, company, client, organisation, organization, org, tenant, business, firm, acct, cust, logo, companys, customer account, client account",
  accountMany:
    "accounts, customers, companies, clients, organisations, organizations, orgs, tenants, businesses, firms, accts, custs, logos, customer accounts, client accounts, customer base, client base",
  userOne: "user, person, member, team member, individual, end user, somebody, usr",
  userMany:
    "users, people, persons, members, individuals, end users, folks, team members, contacts, teammates, seat holders, user base, peeps, humans, ppl, usrs",
  event:
    "event*, behaviour event*, behavior event*, action*, interaction*, track event*, hits, evt*, behavioral event*, product event*, tracked event*, usage event*",
  whichEvents:
    "which events, what events, which event types, what event types, which actions, what actions, which kinds of events, what kinds of events, what kind of events, which types of events, what types of events, which product events, what product events, list events, list the events, list of events, list all events, what are the events, what were the events, which event names, which interactions, what interactions",
  thing: "things, thing, anything, something, stuff",
  feature:
    "feature*, functionality, functionalities, function*, capability, capabilities, module*, part* of the product, area* of the product, event type*, type* of event*, kind* of event*, event name*, product area*, parts of our product, part of our product, parts of the app, areas of the app, kind of events, types of actions",
  featureOne: "feature, functionality, capability, module, event type, event name, product area",
  portfolio:
    "portfolio, workspace, book of business, everyone, across the board, all, whole, entire, across, everybody, as a whole, company wide, across all, all of our, all our, all of the, in our workspace, global, globally, the board",
  total:
    "total*, sum, sum of, overall, combined, aggregate, altogether, in total, all together, grand total, in all, total amount of, add up, summed, sum up, total number of, cumulative, all in all",
  altogether: "in total, overall, altogether, all together, all in all, grand total, cumulative",
  product: "product, app, application, platform, tool, service, software, system, our product, the product, solution",
  // Activity.
  active: "active, engaged, actively, live",
  activity:
    "activity, activities, usage, engagement, utilisation, utilization, product usage, product activity, usage level, usage levels, activity level, activity levels, usage volume, activity volume, traffic, volume",
  use: "use!, make use of, making use of, made use of, makes use of, adopt!, utilise!, utilize!, work! with, touch!, try!, rely on, relies on, leverage!, in use, use of, users of, used by, usage of, user of",
  usage: "use of, usage of, utilisation of, utilization of, uses of",
  send: "send!, sent, trigger!, fire!, generate!, produce!, emit!, perform!, do, did, done, make, made, have, had, rack! up, clock! up, logged, log",
  recorded:
    "recorded, record!, register!, track!, capture!, ingest!, receive!, come in, came in, come through, arrive!, happen!, occur!, see, saw, seen, get, got, gotten, come from, came from, came, come, account! for, counted, collected, reported, logged for, take place, took place",
  seen: "seen, show up, showed up, shown up, heard from, hear from, on the platform, spotted, visit!, sign of life, signs of life, sighting, in the app, seen around, come by, came by, drop by, dropped by, pop up, popped up, we saw, did we see, we see, saw",
  lastSeen:
    "last seen, last active, last activity, latest activity, most recent activity, last used, last use, last usage, last touch, last engagement, latest usage, most recent usage, last sign of life, last heard from, lastseen, last activity date, last active date, last seen date, last showed up, most recently active, most recently seen, seen last, active last, last active day, last activity day, last day active, last see, last saw, last spot, last time, the last time",
  last: "last, latest, most recent, most recently, recent, newest, final",
  first: "first, earliest, initially, very first, first ever, first time",
  silent:
    "silent, quiet, inactive, dormant, gone dark, went dark, go dark, dark, idle, not active, no activity, without activity, without any activity, no events, without events, without any events, not been active, no usage, without usage, no longer active, not seen, not been seen, not used, unused, gone cold, gone quiet, gone silent, went quiet, went silent, been quiet, been silent, disengaged, unengaged, any activity missing, not been using, not using, not used anything, zero activity, zero events, not done anything, not sent any events, not sent anything, no sign of life, no signs of life, ghosted, ghosting, no recent activity, stopped sending, stopped being active, radio silent, stopped using us, not sent events, not had any activity, not had activity, not had any events, not logged any events, not had events, not shown any activity, not show any activity, nothing from, heard nothing from, not heard from, fallen silent, fell silent, sleeping, asleep, not touched the product, not triggered any events, not touched, not engaged, not showed up, not shown up, no event",
  activeDays:
    "active days, days active, active day count, days with activity, days of activity, days with events, days with at least one event, usage days, days of usage, days of use, distinct active days, active day",
  dayNoun: "day, days",
  activeUsers:
    "active users, active user, active user count, active user base, active people, active members, users active, actives",
  dailyUsers: "dau, daily active users, daily actives, daily users",
  weeklyUsers: "wau, weekly active users, weekly actives, weekly users",
  monthlyUsers: "mau, monthly active users, monthly actives, monthly users",
  distinct: "distinct, different, unique, individual, separate, various",
  // Health.
  health:
    "health, healthy, unhealthy, health score*, healthscore*, score*, health state, health status, wellbeing, well being, health check, healthiness, health rating, in good shape, in bad shape, shape, in good health, in bad health, health level, health grade, scored, scoring, rated, rating, in trouble, ok, okay, alright, doing well, doing fine, doing ok, doing okay, doing good, doing alright, doing great, doing badly, doing poorly, condition, health condition, green, red, yellow, amber, on watch, healthcheck, rag status, health index, health value, health like",
  risk: "at risk, risk, risk level, risk status, churn risk, risk of churn, risk of churning, at risk of churn, at risk of churning, in danger, in jeopardy, risky, danger of churning, risk state, endangered, risk score, in danger of churning, danger zone",
  level:
    "low, lower, lowered, bad, poor, poorly, weak, high, good, great, strong, red, yellow, amber, green, fine, so, such, so low, so bad, so poor, where it is, what it is, the way it is, capped, limited, low score, badly, well, so high, so good, in the red, this low, that low",
  change:
    "change!, changes, what changed, what is new, shift!, change in, update, updates, moved, moving, move, what new, whats new, anything new, anything changed, latest change*, recent change*, catch me up",
  different: "different, what is different, differently",
  // Attributes.
  trial: "trial*, free trial*, trial period*, poc*, pilot*, trial phase, on trial, in trial, their trial*, its trial*",
  trialsMany:
    "trials, free trials, trial accounts, trial customers, trial companies, trial clients, pocs, pilots, trial orgs, trialing accounts, trialing customers, any trials",
  end: "end!, expire!, run out, runs out, ran out, running out, finish!, over, expiry, expiration, end date, expiry date, expiration date, come to an end, comes to an end, coming to an end, due, lapse!, conclude!, up, deadline, final day, last day, complete!, end of, expires on, ends on, terminate!, wrap up, ending, expiring, endings, expirations, closing, come to the end of, comes to the end of, came to the end of, come to the end, goes until, goes, last, lasts",
  left: "left, remaining, remain!, to go, until, till, have left, left in, left on, left of, still has, still have, how much longer, longer, how many more days, more days, before",
  days: "day, days, number of days",
  plan: "plan*, tier*, subscription*, package*, pricing plan*, edition*, subscribed to, price plan*, pricing tier*, plan name, billing plan, subscribe!, pay for, pays for, paying for, plan type, subscription plan, subscription tier, pricing package, plan tier",
  seats:
    "seat*, licence*, license*, seat count, licensed seat*, paid seat*, user seat*, licensed user*, seats in total, number of seats, user licence*, user license*",
  bought:
    "bought, purchased, purchase, buy, paid for, pay for, pays for, paying for, contracted, licensed, booked, ordered, sold, included, paid, signed up for, paid to us, hold, holds, held",
  seatUse:
    "utilised, utilized, in use, filled, full, occupied, taken, utilisation, utilization, usage, used, use, using, being used, actually used, active, fill rate, occupancy, utilization rate, utilisation rate, actually use, actually using, actively used, how full, consumed, fill, uses, adoption, actively using, used up",
  seatUtilisation:
    "seat utilisation, seat utilization, seat usage, seat use, licence utilisation, license utilization, licence usage, license usage, licence utilization, seat occupancy, seat fill rate, seats used, used seats, seat adoption, license utilisation, seats in use, seat utilisation rate, seat utilization rate, licence use, license use, licenses in use, licences in use, licenses used, licences used",
  mrr: "mrr, monthly recurring revenue, recurring revenue, monthly revenue, revenue per month, mrrs, revenue a month, revenue each month, recurring revenue per month, monthly recurring, revenue every month",
  pay: "pay, pays, pay us, paying, paying us, pays us, spend, spends, spending, bring in, bringing in, brings in, do we get from, we get from, do we make from, we make from, are we getting from, we are getting from",
  perMonth: "per month, a month, monthly, each month, every month, per mo, p m, mo",
  currency:
    "by currency, per currency, each currency, in each currency, for each currency, split by currency, broken down by currency, currency by currency, by each currency, grouped by currency, currencies, by the currency, in every currency, per each currency, currency breakdown, breakdown by currency, separated by currency, currency split, every currency, in which currencies, currency, across currencies",
  stage:
    "stage*, lifecycle, life cycle, lifecycle stage*, life cycle stage*, phase, customer stage, account stage, lifecycle phase, customer lifecycle stage",
  trialStage:
    "trial, trials, trialing, trialling, in trial, on trial, in a trial, on a trial, free trial, free trials, poc, pilot, in the trial, in their trial, trialers, trialists, evaluating, still in trial, still trialing, trial stage, trial phase",
  activeStage: "active, live",
  payingStage:
    "paying, paid, paying customer, a customer, customer, converted, active customer, a paying customer, a paying account, paying account",
  churnedStage:
    "churned, churned out, cancelled, canceled, lost, churn, cancelled on us, left us, former, gone, churners, left, dropped out",
  healthyState:
    "healthy, in good health, green, in good shape, doing well, doing fine, healthiness, in the green, in the healthy state",
  watchState:
    "on watch, watch, watchlist, yellow, amber, watched, being watched, on the watchlist, on the watch list, watch list, in the watch state, to watch",
  riskState:
    "at risk, risk, red, in danger, risky, in jeopardy, endangered, in the red, at churn risk, churn risk, at risk of churn, at risk of churning, in trouble, in danger of churning, in the danger zone, at risk state, churn risks, risks, high risk, at high risk",
  unknownState:
    "insufficient data, without enough data, not enough data, too little data, without a score, unscored, no score, no health score, insufficient_data, insufficient, without a health score",
  staleState: "stale, frozen",
  state: "state, status, health state, health status, band, category",
  items:
    "inbox, inbox item*, item*, alert*, warning*, flag*, flagged, attention, needs attention, need attention, needing attention, requires attention, require attention, action item*, open item*, open alert*, needs my attention, needs our attention, need our attention, need my attention, needs a call, need a call, red flag*, finding*, open inbox item*",
  open: "open, outstanding, unresolved, pending, active, unhandled, still open, currently open, waiting, left open",
  since:
    "since, as a customer, been a customer, been a client, been with us, with us, become a customer, became a customer, become a client, became a client, joined, join!, sign! up, signed up, signup, start!, onboarded, onboard!, come on board, came on board, first appear, first appeared, first show up, first showed up, first seen, known, started with us, around, created, registered, first recorded, first tracked, on board, been around, our customer, existed, exist!, in our system, on our books, on the books, been known, first heard from, first known, begin, began, entered, start date",
  sinceThen: "since, ago",
  message: "message, messages, messages from, data",
  tenure:
    "since when, customer since, client since, tenure, how old, signup date, sign up date, join date, onboarding date, account age, customer age, age of the account, customer start date, first day, first day with us, very first day",
  firstSeen:
    "first seen, first event, first activity, first active, first used, first use, first appear, first appeared, first show up, first showed up, first action, earliest event, earliest activity, first appearance, first interaction, first sign of life, first usage, first sighting, first time seen, first log, first become active, first became active, first spotted, first start using, first started using, first do anything, first seen active",
  belong:
    "belong! to, belong!, work! for, work! at, part of, member of, a member of, employed by, employed at, in, at, from, under, with, associated with, linked to, tied to, grouped into, assigned to, work!, attached to, sit under, sits under, home, parent, of, side, assigned, linked, attached, sitting, sit",
  workFor: "work!, work! for, work! at, employed by, employed at, belong!, belong! to",
  // Movement.
  trend:
    "trend*, trending, trended, up or down, going up or down, rising or falling, increasing or decreasing, growing or shrinking, trajectory, direction, develop!, developing, development, evolve!, evolving, evolution, momentum, over time, trend line, trendline, going in the right direction, which way, heading, headed, up or down lately, down or up, growing or declining, increasing or declining, rising or declining, going down or up, declining or growing, moving, progress!, trend like, go up or down, gone up or down, increased or decreased, increase or decrease, grow or shrink, went up or down, higher or lower, rise or fall, risen or fallen, grown or shrunk, improving or declining",
  up: "up, rise!, rising, rose, risen, increase!, increasing, grow!, grew, grown, growing, growth, climb!, gain!, gaining traction, picking up, pick up, picked up, go up, going up, gone up, went up, surge!, accelerate!, ramping up, ramp up, trending up, trending upwards, upwards, upward, improving, improve!, traction, taking off, gaining momentum, on the rise, upswing",
  down: "down, fall, falls, fell, falling, fallen, drop!, dropping, dropped, decline!, declining, decrease!, decreasing, shrink!, shrank, shrunk, shrinking, slowing down, dip!, dipped, go down, going down, gone down, went down, tail! off, drop off, dropped off, dropping off, downward, downwards, trending down, trending downwards, sinking, sink!, contracting, reduce!, reducing, less active, fade!, fading, worsen!, deteriorate!, losing momentum, dwindle!, on the decline, slipping, slip!, slipped, plummet!, tanking, cooling off, wane!, declines, drops, losing ground, slump!, downturn, contracted, slowed down",
  compare:
    "compare!, comparing, comparison, versus, vs, against, compared to, compared with, in comparison, relative to, difference, difference between, differ!, stack up, how does it compare, v, side by side, compares to, comparison of, comparison between, difference in, contrast!, as opposed to, put side by side, stacked up, change from, changed from, compared against, measure up",
  than: "than, more than, less than, fewer than, higher than, lower than, greater than",
  more: "more, less, fewer, higher, lower, greater, most, highest, more active, less active, more heavily, more often, busier",
  healthier:
    "healthier, healthiest, better health, worse health, in better shape, in worse shape, in better health, in worse health, doing better, doing worse, riskier, more at risk, better off, less healthy, more healthy, unhealthier, higher score, lower score, scores higher, scores lower, better score, worse score, better health score, higher health score, lower health score",
  // Ranking and turnover.
  top: "top, most, biggest, largest, highest, leading, greatest, heaviest, busiest, rank!, ranking, leaderboard, ranked, highest number of, most of, the most, top ranking, most heavily, hardest, number one, no 1, main, strongest, steepest, sharpest, heavy, fastest",
  popular:
    "popular, most popular, common, popularity, most common, frequent, most frequent, most frequently, commonly, frequently, often, heavily, widely",
  by: "by, sorted by, ranked by, ordered by, in terms of, by number of, measured by, based on, according to, on the basis of, when it comes to, sort by, rank by, order by, judged by, regarding, in order of, with regard to",
  growing:
    "growing, growth, grow!, grew, grown, fastest growing, increase!, increasing, increased, expanding, expand!, improve!, improving, rising, rise!, up, ramping up, picking up, accelerating, usage growth, uptick, upward, grew most, growers, climbers, more active, using us more, using more, using the product more, using our product more, gaining the most activity, gaining the most usage",
  declining:
    "declining, decline!, decline, drop!, dropping, dropped, shrink!, shrinking, shrank, shrunk, decrease!, decreasing, fall, falling, fell, fallen, down, going down, fading, slowing down, slipping, usage drop, usage decline, decliners, contracting, decliner, worst decline, shrinkers, downward, fallers, reduced, reduce!, less active, using us less, using less, using the product less, using our product less, lost the most usage, lost most usage, lost the most activity, lost usage, lost activity, losing the most activity, losing the most usage",
  value:
    "highest paying, best paying, most valuable, valuable, by value, paying the most, pay the most, pays the most, pay us the most, pays us the most, highest paid, paying us the most, top paying, spending the most, spend the most, spends the most, top spenders, highest spending, biggest spenders, biggest paying, top spender, biggest payers, pay most, pays most, top payers",
  adoption:
    "adoption, adoption rate, uptake, penetration, how widely, widely adopted, adoption share, widely, how broadly, adoption level, reach, spread, widespread, how popular, how well adopted, how well, adoption of, uptake of",
  percent:
    "percent, percentage, share, proportion, fraction, rate, ratio, percentage of, share of, proportion of, fraction of, pct, percent of, what part, how large a share, what part of, how big a share, portion, portion of",
  stopped:
    "stopped using, stop using, stopped, stop, quit using, quit, no longer use, no longer uses, no longer using, abandoned, abandon!, gave up, given up, ceased, ceased using, dropped, used to use, drop! off, no longer used, not using any more, not use any more, discontinued, stops, stopping, gave up on, given up on, stopped working with, ceased to use, turned away from, ditched, walked away from, lapsed, moved away from, lost interest in, gone off, dropped off, leave behind, left behind, gave up using, churned from, churned off",
  new: "new, newly, newest, join!, joined, signed up, sign! up, onboarded, came on board, come on board, started, start!, created, newly added, recently added, brand new, started with us, first seen, first appeared, appeared, first showed up, showed up for the first time, for the first time, did we gain, did we win, did we add, did we acquire, have we gained, have we added, have we acquired, have we won, were added, was added, been added, we added, we gained, we acquired, we won, acquired, were acquired, sign on, signed on, onboard!, registered, new signups, were onboarded, did we onboard, did we sign, did we get, showed up first, who new",
  soon: "soon, shortly, upcoming, coming up, next, imminent, about to, near future, in the near future, coming",
  will: "will, going to, about to, scheduled to, due to, set to, supposed to",
  // Time, of what has no window.
  now: "now, currently, right now, at the moment, at present, presently, current, present, as of now, as of today, still, these days, as we speak, at this time, actual, at this point, this moment, today",
  latest: "latest, most recent, up to date, newest",
  lately:
    "recently, lately, these days, of late, in recent days, in recent weeks, nowadays, recent, in the recent past, over recent weeks, as of late, in recent times, the other day",
  already: "already",
  all: "all, all the, all of the, every",
  // Small words that change what is meant.
  not: "not, never, no, dont, doesnt, didnt, isnt, arent, havent, hasnt, wasnt, unused, ignore!, ignoring, neglect!, missing out on, missing, untouched, yet to use, yet to try, yet to adopt, nt, unexplored, miss!, overlook!, unadopted, skip!",
  never: "never, yet",
  and: "and, as well as, along with, plus",
  or: "or",
  between: "between, both, the two, two, from, out of, of the two",
  type: "of type, type, called, named, of the type, kind, of kind, with the name",
  better: "better, worse, getting better, getting worse, improved, worsened",
  breakdown: "break down, broken down, split, split up, grouped, breakdown",
} as const satisfies Record<string, string>;

/** What a word of a question may mean. */
export type Concept = keyof typeof CONCEPT_WORDS;

const NOUNS = "account customer company client".split(" ");
const ofNouns = (
  before: string,
  after: string,
  concepts: readonly Concept[],
): (readonly [string, readonly Concept[]])[] => NOUNS.map((noun) => [`${before}${noun}${after}`, concepts]);

/** Phrases that mean several things at once: "user count" is a number of users. */
export const COMPOUNDS: ReadonlyMap<string, readonly Concept[]> = new Map([
  ...ofNouns("", " count", ["howMany", "accountMany"]),
  ...ofNouns("active ", " count", ["howMany", "accountMany", "active"]),
  ...ofNouns("", " list", ["listing", "accountMany"]),
  ...ofNouns("active ", " list", ["listing", "accountMany", "active"]),
  ["user count", ["howMany", "userMany"]],
  ["active user count", ["howMany", "userMany", "active"]],
  ["user list", ["listing", "userMany"]],
  ["active user list", ["listing", "userMany", "active"]],
  ["event count", ["howMany", "event"]],
  ["feature count", ["howMany", "feature"]],
  ["feature list", ["listing", "feature"]],
  ["users list", ["listing", "userMany"]],
]);
