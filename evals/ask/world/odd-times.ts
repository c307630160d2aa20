/** Workspaces at odd times: just begun, left by their sender, and with more to fold than an answer can count. */
import { atHour, dayOf } from "../calendar.ts";
import { buildWorld } from "./build.ts";
import { ANALYTICS } from "./features.ts";
import type { Attributes, Happening, World } from "./model.ts";
import { people } from "./people.ts";

/** More than answers count without a fold. */
const BACKLOG = 21_000;
const STOPPED_DAYS = 14;

const paying: Attributes = { stage: "active", plan: "Growth", seats: 8, mrr: 500, currency: "USD" };

/** Six days old: nothing has a health score yet. */
export function young(now: number, seed: number): World {
  return buildWorld({
    name: "young",
    now,
    seed,
    accounts: ["Cadenza", "Morrow", "Ostara", "Pemberley"].map((id, place) => ({
      id,
      age: 5 - place,
      users: people(place * 4, 4),
      attributes: paying,
    })),
    features: ANALYTICS,
    recomputes: [atHour(dayOf(now), 0) + 300_000],
  });
}

/** Nothing has come for two weeks: scores are frozen, counts of these weeks are 0. */
export function stopped(now: number, seed: number): World {
  return buildWorld({
    name: "stopped",
    now,
    seed,
    accounts: ["Halcyon", "Ironbark", "Juniper", "Kestrel"].map((id, place) => ({
      id,
      age: 90,
      users: people(place * 5, 5),
      attributes: paying,
      course: place === 1 ? ("declining" as const) : ("steady" as const),
    })),
    features: ANALYTICS,
    recomputes: [atHour(dayOf(now), 0) + 300_000],
    silentDays: STOPPED_DAYS,
  });
}

/** An import of today that no recompute has seen. */
export function behind(now: number, seed: number): World {
  const [exported] = ANALYTICS;
  const hour = 3_600_000;
  const backlog = Array.from({ length: exported === undefined ? 0 : BACKLOG }, (_, place): Happening[] =>
    exported === undefined
      ? []
      : [
          {
            at: now - 3 * hour + Math.floor((place * 2 * hour) / BACKLOG),
            account: "Lantern",
            user: "maria.lopez",
            feature: exported,
          },
        ],
  ).flat();
  return buildWorld({
    name: "behind",
    now,
    seed,
    accounts: ["Lantern", "Meadow", "Nimbus"].map((id, place) => ({
      id,
      age: 60,
      users: people(place * 4, 4),
      attributes: paying,
    })),
    features: ANALYTICS,
    // Before the import begins.
    recomputes: [now - 4 * hour],
    more: backlog,
  });
}
