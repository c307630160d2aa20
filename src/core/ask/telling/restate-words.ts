/** The parts that restated questions are made of. Names are quoted: they are data. */
import type { Window } from "../../health/model.ts";
import type { ActivityMetric, Entity } from "../model.ts";
import { isoDate } from "../time/calendar.ts";

/** As the sender named it; what has no name of its own by its id. */
export const nameOf = ({ name, externalId }: Entity): string => quoted(name ?? externalId);
export const quoted = (text: string): string => `"${text}"`;

/** `from 2026-10-25 to 2026-11-21` */
export const datesOf = ({ from, to }: Window): string =>
  from === to ? `on ${isoDate(from)}` : `from ${isoDate(from)} to ${isoDate(to)}`;
export const against = (window: Window, before: Window): string => `${datesOf(window)} compared to ${datesOf(before)}`;
export const eventsOf = (feature: Entity | undefined): string =>
  feature === undefined ? "events" : `events of type ${nameOf(feature)}`;

export function counted(metric: ActivityMetric, feature: Entity | undefined): string {
  switch (metric) {
    case "events":
      return eventsOf(feature);
    case "active_users":
      return feature === undefined ? "active users" : `users using ${nameOf(feature)}`;
    case "active_days":
      return feature === undefined ? "active days" : `days with use of ${nameOf(feature)}`;
  }
}
