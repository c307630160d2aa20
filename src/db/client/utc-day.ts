/** Days in SQL, as the rest of the service counts them. */
import { DAY_MS } from "../../core/durations.ts";

/** Makes the time of any year from 0 on positive, since division of integers cuts towards zero. */
const DAYS_BEFORE_EPOCH = 719_528;

/** The UTC day of a time (milliseconds since the epoch), counted since 1970-01-01, in SQL. */
export const dayOf = (time: string): string =>
  `((${time} + ${DAYS_BEFORE_EPOCH * DAY_MS}) / ${DAY_MS} - ${DAYS_BEFORE_EPOCH})`;
