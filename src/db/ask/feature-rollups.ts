/**
 * Rollups of one feature on a condensed day, in SQL: one look-up for each user of the day, whatever else they did on it.
 * A day with more users than its summary names is read as a whole.
 */
import { MAX_DAY_USERS } from "../users/day-users.ts";

/** ?3 is the event name. No row before it was folded for the first time. */
export const FEATURE_OF_NAME = `SELECT number, '$."' || number || '"' AS path FROM event_names WHERE workspace = ?1 AND name = ?3`;

/** Whether a row `d` of `account_days` has the feature `n`. */
export const HAS_FEATURE = "json_type(d.features, n.path) IS NOT NULL";

/** Of the users that the row names, and of nobody, who is 0. */
export const ROLLUPS_OF_FEATURE = `json_each(iif(d.user_days <= ${MAX_DAY_USERS}, json_insert(d.users, '$[#]', 0), '[]')) p
  CROSS JOIN rollups r ON r.account = d.account AND r.day = d.day AND r.user = p.value AND r.event = n.number`;

/** Of a day's users where they are too many to be named. */
export const ROLLUPS_OF_CROWD = `rollups r ON r.account = d.account AND r.day = d.day AND r.event = n.number
  AND d.user_days > ${MAX_DAY_USERS}`;
