/** Words for time, as they stand at the end of a sentence. */
import { dateOf, isoOf, monthName, ordinal, type Span, spokenDate } from "../calendar.ts";
import type { WindowKind } from "../window-kinds.ts";

export function openWindows(kind: WindowKind, { from, to }: Span): readonly string[] {
  const { year, month: place, date } = dateOf(from);
  const end = dateOf(to);
  const endMonth = monthName(end.month);
  const month = monthName(place);
  const short = month.slice(0, 3);
  switch (kind) {
    case "default":
    case "default_of_silence":
      return [""];
    case "today":
      return ["today", "so far today", "today so far", "TODAY"];
    case "yesterday":
      return ["yesterday"];
    case "last_7_days":
      return [
        "in the last 7 days",
        "over the past 7 days",
        "during the last 7 days",
        "within the past seven days",
        "in the last seven days",
        "last 7 days",
        "in the last 7d",
        "over the course of the last seven days",
        "for the past 7 days",
      ];
    case "last_14_days":
      return [
        "in the last 14 days",
        "in the past 14 days",
        "within the last 14 days",
        "over the previous 14 days",
        "over the last fourteen days",
        "past 14 days",
        "in the last fortnight",
      ];
    case "last_30_days":
      return [
        "in the last 30 days",
        "in the previous 30 days",
        "during the past 30 days",
        "for the last 30 days",
        "last 30d",
        "over the trailing 30 days",
        "in the past thirty days",
        "during the previous 30 days",
      ];
    case "last_2_weeks":
      return [
        "in the last 2 weeks",
        "over the last 2 weeks",
        "in the past two weeks",
        "during the last 2 weeks",
        "in the last 2 wks",
        "for the past two weeks",
        "these last two weeks",
      ];
    case "last_2_months":
      return [
        "in the last 2 months",
        "over the past two months",
        "in the past 2 months",
        "in the last two months",
        "during the past 2 mo",
      ];
    case "this_week":
      return ["this week", "so far this week", "during this week", "this wk"];
    case "last_week":
      return ["last week", "during last week", "in the previous week", "last wk", "LAST WEEK"];
    case "this_month":
      return [
        "this month",
        "so far this month",
        "MTD",
        "month to date",
        "since the start of this month",
        "during this month",
      ];
    case "last_month":
      return ["last month", "during last month", "in the previous month", "in the last calendar month", "last mo"];
    case "this_quarter":
      return ["this quarter", "during this quarter", "this qtr", "QTD", "quarter to date", "so far this quarter"];
    case "since_date":
      return [
        `since ${isoOf(from)}`,
        `since ${date} ${month} ${year}`,
        `from ${isoOf(from)} until today`,
        `since ${month} ${ordinal(date)}, ${year}`,
        `from ${isoOf(from)} on`,
      ];
    case "since_spoken_date":
      return [
        `since ${spokenDate(from)}`,
        `since ${short} ${ordinal(date)}`,
        `since ${date} ${month}`,
        `since the ${ordinal(date)} of ${month}`,
        `since ${month} ${date}, ${year}`,
      ];
    case "named_month":
      return [
        `in ${month}`,
        `during ${month}`,
        `in ${short}`,
        `for ${month}`,
        `in the month of ${month}`,
        `over ${month.toLowerCase()}`,
      ];
    case "month_of_year":
      return [
        `in ${month} ${year}`,
        `during ${month} ${year}`,
        `in ${short} ${year}`,
        `for ${month} ${year}`,
        `in ${month} of ${year}`,
        `in ${year}-${String(place + 1).padStart(2, "0")}`,
      ];
    case "quarter_of_year": {
      const quarter = Math.floor(place / 3) + 1;
      return [
        `in Q${quarter} ${year}`,
        `during Q${quarter} ${year}`,
        `for Q${quarter} ${year}`,
        `in q${quarter} of ${year}`,
        `in the ${ordinal(quarter)} quarter of ${year}`,
      ];
    }
    case "between_dates":
      return [
        `between ${isoOf(from)} and ${isoOf(to)}`,
        `from ${isoOf(from)} to ${isoOf(to)}`,
        `from ${spokenDate(from)} to ${spokenDate(to)}`,
        `from ${month} ${date}, ${year} through ${endMonth} ${end.date}, ${end.year}`,
        `${isoOf(from)} to ${isoOf(to)}`,
      ];
    case "between_spoken_dates":
      return [
        `between ${spokenDate(from)} and ${spokenDate(to)}`,
        `between ${date} ${month} and ${end.date} ${endMonth}`,
        `from the ${ordinal(date)} of ${month} to the ${ordinal(end.date)} of ${endMonth}`,
        `from ${short} ${date} until ${endMonth.slice(0, 3)} ${end.date}`,
      ];
    case "one_day":
      return [
        `on ${isoOf(from)}`,
        `on ${spokenDate(from)}`,
        `on the ${ordinal(date)} of ${month}`,
        `on ${short} ${date}`,
        `on ${date} ${month} ${year}`,
        `on ${month} ${ordinal(date)}`,
        `on ${short}. ${date}`,
      ];
  }
}
