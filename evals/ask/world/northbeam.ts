/**
 * A workspace as most are: companies by their plain names, one currency, and a few names that look like something
 * else in a question (a month, a day, a word of the trade).
 */
import { DAY_MS, atHour, dayOf } from "../calendar.ts";
import { type AccountSketch, buildWorld, type UserSketch } from "./build.ts";
import { ANALYTICS } from "./features.ts";
import type { Attributes, Happening, World } from "./model.ts";
import { people } from "./people.ts";

/** The time of day is that of now, so that days left come out whole by any way of counting. */
const inDays = (now: number, days: number): number => now + days * DAY_MS;

const paying = (plan: string, seats: number, mrr: number): Attributes => ({
  stage: "active",
  plan,
  seats,
  mrr,
  currency: "USD",
});

export function northbeam(now: number, seed: number): World {
  let taken = 0;
  const team = (count: number): UserSketch[] => {
    taken += count;
    return people(taken - count, count);
  };
  const trial = (days: number, plan = "Starter"): Attributes => ({
    stage: "trial",
    plan,
    seats: 5,
    trialEndsAt: inDays(now, days),
  });
  const accounts: AccountSketch[] = [
    {
      id: "Acme",
      age: 90,
      users: team(9),
      attributes: paying("Growth", 12, 1_200),
      traits: { industry: "logistics", region: "emea" },
    },
    { id: "Acme Corp", age: 85, users: team(5), attributes: paying("Growth", 8, 640), traits: { industry: "retail" } },
    {
      id: "March Networks",
      age: 90,
      users: team(8),
      attributes: paying("Enterprise", 20, 4_100),
      traits: { industry: "telecom", region: "amer" },
    },
    { id: "Friday", age: 90, users: team(6), attributes: paying("Growth", 10, 900), traits: { industry: "media" } },
    {
      id: "globex",
      age: 90,
      course: "declining",
      users: team(10),
      attributes: paying("Enterprise", 25, 5_200),
      traits: { industry: "energy", region: "emea" },
    },
    {
      id: "initech",
      age: 90,
      course: "silent",
      users: team(7),
      attributes: paying("Growth", 9, 780),
      traits: { region: "apac" },
    },
    {
      id: "Stark Industries",
      age: 90,
      course: "growing",
      users: team(12),
      attributes: paying("Enterprise", 14, 6_000),
      traits: { industry: "defence" },
    },
    {
      id: "wayne-enterprises",
      age: 90,
      users: team(7),
      attributes: paying("Enterprise", 40, 3_300),
      later: { daysAgo: 9, attributes: { seats: 24 } },
    },
    { id: "umbrella", age: 80, course: "declining", users: team(6), attributes: paying("Growth", 10, 820) },
    {
      id: "Pied Piper",
      age: 16,
      course: "growing",
      users: team(4),
      attributes: trial(5),
      traits: { industry: "software" },
    },
    { id: "tyrell", age: 20, users: team(3), attributes: trial(12) },
    { id: "Blue Sun", age: 12, course: "sparse", users: team(2), attributes: trial(3, "Growth") },
    { id: "oscorp", age: 6, users: team(3), attributes: trial(20) },
    { id: "nakatomi", age: 3, users: team(2), attributes: trial(40) },
    { id: "Active Minds", age: 70, users: team(4), attributes: paying("Starter", 5, 150) },
    {
      id: "Health Partners",
      age: 75,
      users: team(5),
      attributes: paying("Growth", 7, 560),
      traits: { industry: "healthcare" },
    },
    {
      id: "soylent",
      age: 88,
      course: "silent",
      users: team(4),
      attributes: { stage: "churned", plan: "Growth", seats: 6 },
    },
    { id: "cyberdyne", age: 90, course: "sparse", users: team(5), attributes: paying("Starter", 5, 140) },
    {
      id: "Second Street Labs",
      age: 45,
      users: [...team(5), { id: "drifter" }],
      attributes: paying("Starter", 6, 180),
      traits: { industry: "biotech" },
    },
    {
      id: "dunder mifflin",
      age: 90,
      users: team(6),
      attributes: paying("Growth", 8, 610),
      traits: { industry: "paper" },
    },
    { id: "solo-quill", isSolo: true, age: 50, users: [{ id: "solo-quill" }] },
    { id: "solo-finch", isSolo: true, age: 60, users: [{ id: "solo-finch" }] },
  ];
  const today = dayOf(now);
  return buildWorld({
    name: "northbeam",
    now,
    seed,
    accounts,
    features: ANALYTICS,
    // Once after midnight; the events of today are not folded.
    recomputes: [atHour(today, 0) + 300_000],
    more: planned(now),
  });
}

/** Whatever was drawn: something within the last minutes, and someone who changed places. */
function planned(now: number): Happening[] {
  const [exported, viewed] = ANALYTICS;
  if (exported === undefined || viewed === undefined) return [];
  return [
    { at: now - 90_000, account: "Acme", user: "maria.lopez", feature: exported },
    { at: now - 60_000, account: "Acme", user: "jonas.weber", feature: viewed },
    { at: now - 2_000, account: "March Networks", user: null, feature: viewed },
    // Alone, before joining a company: an account of one that is superseded.
    ...[83, 82, 79].map((ago) => ({ at: now - ago * DAY_MS, account: "drifter", user: "drifter", feature: exported })),
  ];
}
