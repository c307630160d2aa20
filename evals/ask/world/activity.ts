/** What the users of an account do, day by day: drawn from streams named by the account, so that each is by itself. */
import { chance, pickWeighted, type Random, randomOf, wholeBetween } from "../../simulator/random.ts";
import { atHour, dayOf, weekdayOf } from "../calendar.ts";
import type { Account, Course, Feature, Happening } from "./model.ts";

const FIRST_HOUR = 7;
const LAST_HOUR = 20;
const WEEKEND = 0.15;
/** A few events name no user: a server's, a webhook's. */
const WITHOUT_USER = 0.04;
const SILENT_DAYS = 33;
const MAX_EVENTS = 6;

/** @param now nothing happens later, in milliseconds since the epoch */
export function activityOf(account: Account, features: readonly Feature[], seed: number, now: number): Happening[] {
  const first = dayOf(account.firstAt);
  const last = dayOf(now);
  const own = ownFeatures(account, features, seed);
  return account.users.flatMap((user, place) => {
    const random = randomOf(`${seed}/activity/${account.id}/${user.id}`);
    const keenness = 0.25 + 0.6 * random();
    const happenings: Happening[] = [];
    for (let day = first; day <= last; day += 1) {
      const share = shareOn(account.course, day, first, last);
      const likely = keenness * share * (weekdayOf(day) > 4 ? WEEKEND : 1) * (place === 0 ? 1.2 : 1);
      if (!chance(random, likely)) continue;
      const count = wholeBetween(random, 1, MAX_EVENTS);
      for (let each = 0; each < count; each += 1) {
        const at = Math.floor(atHour(day, FIRST_HOUR + (LAST_HOUR - FIRST_HOUR) * random()));
        const feature = own[drawn(random, own)];
        const isAnonymous = !account.isSolo && chance(random, WITHOUT_USER);
        if (feature === undefined || at < account.firstAt || at > now) continue;
        happenings.push({ at, account: account.id, user: isAnonymous ? null : user.id, feature });
      }
    }
    return happenings;
  });
}

/** Falls from feature to feature, so that some are rare. */
const drawn = (random: Random, features: readonly Feature[]): number =>
  pickWeighted(
    random,
    features.map((_, place) => 1 / (place + 1)),
  );

/** Not every account uses everything. */
function ownFeatures(account: Account, features: readonly Feature[], seed: number): Feature[] {
  const random = randomOf(`${seed}/features/${account.id}`);
  const own = features.filter((_, place) => place < 2 || chance(random, 0.6));
  return own
    .map((value) => ({ value, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

function shareOn(course: Course, day: number, first: number, last: number): number {
  const age = (day - first) / Math.max(1, last - first);
  switch (course) {
    case "steady":
      return 1;
    case "growing":
      return 0.35 + 0.65 * age;
    case "declining":
      return last - day < 20 ? 0.12 : 1;
    case "silent":
      return last - day < SILENT_DAYS ? 0 : 1;
    case "sparse":
      return 0.15;
  }
}
