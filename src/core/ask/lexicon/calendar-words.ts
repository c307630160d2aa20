/** What months and days of the week are called. */
export const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** "Sept" has a letter more than the others. */
export const SHORT_MONTHS = [...MONTHS.map((month) => month.slice(0, 3)), "sept"];
/** From Monday. */
export const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
