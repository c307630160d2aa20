/**
 * The query language: `POST /api/v1/query` takes it, and questions are turned into it. A query finds entities, filters
 * them, and shows something about them. docs/queries.md describes it.
 */
import * as z from "zod";

export const FINDS = ["accounts", "users", "features", "items", "events"] as const;
export type Find = (typeof FINDS)[number];

export const SHOWS = ["list", "count", "share", "value", "yes_no", "when", "why", "summary"] as const;
export type Show = (typeof SHOWS)[number];

/** What is counted, summed or averaged for the entities found. Money is per currency; ARR is twelve times MRR. */
export const MEASURES = [
  /** Behavior events, and the distinct users, days (UTC), accounts and event names with one. */
  "events",
  "active_users",
  "active_days",
  "active_accounts",
  "features_used",
  /** The share of active accounts that used a feature, in percent. */
  "adoption",
  "mrr",
  "arr",
  /** The MRR of customers that churned in the window, before they did, and what other customers' MRR fell by. */
  "mrr_lost",
  "seats",
  /** Active users, in percent of seats. */
  "seat_use",
  /** Seats without an active user: seats minus active users, but at least 0, in each account. */
  "unused_seats",
  /** The health score, from 0 to 100. A set of accounts has its average. */
  "score",
] as const;
export type Measure = (typeof MEASURES)[number];

export const UNITS = ["day", "week", "month", "quarter", "year"] as const;
export type Unit = (typeof UNITS)[number];

/** The periods that results can be divided into. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** Maximum days of a window and rows of a result. Limits on filters and texts keep queries small. */
export const MAX_WINDOW_DAYS = 800;
export const MAX_ROWS = 100;
export const MAX_FILTERS = 10;
const MAX_COLUMNS = 5;
const MAX_FILTER_VALUES = 20;
const MAX_TEXT = 256;

/** Objects whose errors list the fields or have an example, so that a caller can repair a query at once. */
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape, example: string) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? `is not a field: use ${Object.keys(shape).join(", ")}` : `must be like ${example}`,
  });
const names = (example: string) => ({ error: `must be a list of names, such as ${example}` });

const date = z.iso.date("must be a date such as 2026-11-20").describe("A UTC day, such as `2026-11-23`.");
const count = z.int().min(1).max(MAX_WINDOW_DAYS);

/** Days, both ends included. `this` ends today; `previous` is the calendar unit before this one. */
export const windowSchema = z.union(
  [
    z.strictObject({ last: count, unit: z.enum(UNITS) }),
    z.strictObject({ next: count, unit: z.enum(UNITS) }),
    z.strictObject({ this: z.enum(UNITS) }),
    z.strictObject({ previous: z.enum(UNITS) }),
    z.strictObject({ from: date, to: date }),
    z.strictObject({ all: z.literal(true) }),
  ],
  'must be like {"last": 30, "unit": "day"}, {"next": 90, "unit": "day"}, {"this": "month"}, {"previous": "month"}, ' +
    `{"from": "2026-10-01", "to": "2026-10-31"} or {"all": true}; a unit is ${UNITS.join(", ")}`,
);
export type WindowName = z.infer<typeof windowSchema>;

const text = z.string().min(1).max(MAX_TEXT);
const value = z.union([text, z.number(), z.boolean()]);
export type FilterValue = z.infer<typeof value>;

/** A dimension by its name: `plan`, or a trait as `account.industry` or `user.role`. */
const dimension = z.string("must be the name of a dimension, such as plan").min(1).max(MAX_TEXT);

const bound = z.union([z.number(), date], "must be a number, or a date such as 2026-11-20");

/** The conditions of a filter. Each filter has exactly one. */
const conditions = z.strictObject({
  is: value.optional(),
  isNot: value.optional(),
  in: z.array(value).min(1).max(MAX_FILTER_VALUES).optional().describe("One of these values."),
  over: z.number().optional().describe("More than this number."),
  under: z.number().optional().describe("Less than this number."),
  from: bound.optional().describe("At least this number, or on or after this day."),
  to: bound.optional().describe("At most this number, or on or before this day."),
  within: windowSchema.optional().describe("A date in this window."),
  isUnknown: z.boolean().optional().describe("Whether the value is absent."),
  became: value.optional().describe("Changed to this value in the window, whatever it is now."),
  newly: value.optional().describe("Changed to this value in the window, and still has it."),
  changed: z.enum(["up", "down"]).optional().describe("Rose or fell in the window."),
});
export type Conditions = z.infer<typeof conditions>;
export type Condition = keyof Conditions;
export const CONDITIONS = conditions.keyof().options;

export const filterSchema = object(
  {
    ...conditions.shape,
    dimension: dimension.describe("A name from the workspace's dimensions. Give exactly one condition with it."),
    window: windowSchema.optional().describe("For activity and changes: replaces the query's window."),
    asOf: date.optional().describe("Uses the value at the end of this day, of a dimension with a history."),
    after: value.optional().describe("With `became`: the value just before the change."),
    first: z.literal(true).optional().describe("With `became`: only the first such change ever."),
  },
  '{"dimension": "plan", "is": "Pro"}',
);
export type Filter = z.infer<typeof filterSchema>;

const filters = z
  .array(filterSchema, 'must be a list of filters, such as [{"dimension": "plan", "is": "Pro"}]')
  .max(MAX_FILTERS, `must have at most ${MAX_FILTERS} filters`);

/** How the values of several accounts or users are combined. Default: the average of scores, else the total. */
export const AGGREGATES = ["sum", "average", "median"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

const subjects = [
  z.strictObject({ account: text }),
  z.strictObject({ user: text }),
  z.strictObject({ feature: text }),
] as const;

const COMPARED =
  '"before", {"last": 30, "unit": "day"}, {"account": "globex"}, {"user": "u1"} or {"feature": "search.used"}';

export const querySchema = object(
  {
    find: z.enum(FINDS).describe("What the query is about."),
    where: filters.default([]).describe("All of these filters must hold."),
    show: z.enum(SHOWS),
    of: filters.optional().describe("With `share`: filters that choose the whole; `where` chooses the part of it."),
    measure: text.optional().describe(`What a value or a list shows: ${MEASURES.join(", ")}, or a dimension.`),
    aggregate: z.enum(AGGREGATES).optional().describe("How values of several accounts or users are combined."),
    with: z
      .array(text, names('["mrr", "plan"]'))
      .min(1)
      .max(MAX_COLUMNS, `must have at most ${MAX_COLUMNS} names`)
      .optional()
      .describe("Further measures and dimensions that a list of accounts or users shows."),
    per: z
      .union([z.enum(PERIODS), dimension], `must be ${PERIODS.join(", ")} or the name of a dimension`)
      .optional()
      .describe("One count or value per day, week or month (of events), or per value of a dimension."),
    window: windowSchema.optional().describe("The days that count. Default: the last 28."),
    compare: object(
      { to: z.union([z.literal("before"), windowSchema, ...subjects], `must be like ${COMPARED}`) },
      `{"to": "before"}`,
    )
      .optional()
      .describe(
        "Compares with the days before, an earlier window as long as the query's, or another account, user or feature.",
      ),
    order: object({ by: text, direction: z.enum(["up", "down"]) }, '{"by": "mrr", "direction": "down"}')
      .optional()
      .describe(
        "By a measure, a dimension or `change` (of a comparison); `down` is the highest first, `up` the lowest.",
      ),
    limit: z.int().min(1).max(MAX_ROWS).optional().describe("Maximum of rows, for each currency if sorted by money."),
  },
  '{"find": "accounts", "show": "count"}',
);
export type Query = z.infer<typeof querySchema>;
