/**
 * The format of `ops/alerts/*.json` and `ops/dashboard/*.json`, and the decision whether an alert fires. Queries have the format of Cloudflare's API,
 * `POST /accounts/{id}/workers/observability/telemetry/query`, without the timeframe. The API has no ratios, so an alert may
 * have a second query, its base.
 */
import * as z from "zod";

const type = z.enum(["string", "number", "boolean"]);

const Condition = z.strictObject({
  kind: z.literal("filter").optional(),
  key: z.string(),
  operation: z.enum(["eq", "gte", "lt", "exists", "includes"]),
  type,
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
});
const Combination = z.enum(["and", "or"]);
const Filter = z.union([
  Condition,
  z.strictObject({ kind: z.literal("group"), filterCombination: Combination, filters: z.array(Condition) }),
]);

/** The part of the API's queries that the alerts use. */
export const Query = z.strictObject({
  queryId: z.string(),
  view: z.literal("calculations"),
  limit: z.int().max(2_000),
  parameters: z.strictObject({
    datasets: z.tuple([z.literal("cloudflare-workers")]),
    filterCombination: Combination,
    filters: z.array(Filter),
    calculations: z.tuple([
      z.strictObject({
        operator: z.enum(["count", "sum", "max"]),
        alias: z.string(),
        key: z.string().optional(),
        keyType: type.optional(),
      }),
    ]),
    groupBys: z.array(z.strictObject({ type, value: z.string() })).max(2),
  }),
});
export type Query = z.infer<typeof Query>;
export type Filter = z.infer<typeof Filter>;

const Measure = z.strictObject({ minutesAgo: z.strictObject({ from: z.number(), to: z.number() }), query: Query });
export type Measure = z.infer<typeof Measure>;

/** A figure of the dashboard. */
export const Panel = z.strictObject({ name: z.string(), title: z.string(), measured: Measure });

export const Alert = z.strictObject({
  name: z.string(),
  title: z.string(),
  meaning: z.string(),
  action: z.string(),
  measured: Measure,
  base: Measure.optional(),
  /** The alert fires for each group whose values meet all of these. */
  threshold: z.strictObject({
    atLeast: z.number().optional(),
    below: z.number().optional(),
    baseAtLeast: z.number().optional(),
    /** The value is more than this fraction of the base's. */
    shareOfBase: z.number().optional(),
  }),
});
export type Alert = z.infer<typeof Alert>;

/** The part of the API's `result` that an alert needs. */
export const Result = z.object({
  calculations: z
    .array(
      z.object({
        aggregates: z.array(
          z.object({
            value: z.number(),
            groups: z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]) })).optional(),
          }),
        ),
      }),
    )
    .default([]),
});
export type Result = z.infer<typeof Result>;

/** Returns the body for the API. @param service the Worker's name @param now milliseconds since the epoch */
export function bodyOf({ minutesAgo, query }: Measure, service: string, now: number) {
  const own: Filter = { key: "$metadata.service", operation: "eq", type: "string", value: service };
  const { parameters } = query;
  return {
    ...query,
    timeframe: { from: now - minutesAgo.from * 60_000, to: now - minutesAgo.to * 60_000 },
    parameters: { ...parameters, filters: [own, ...parameters.filters] },
  };
}

export interface Firing {
  /** A workspace, a database …; empty when the alert has no groups. */
  group: string;
  value: number;
  base: number;
}

/** Lists the groups for which an alert fires. @param base the result of the alert's base, if it has one */
export function firings({ threshold }: Alert, measured: Result, base?: Result): Firing[] {
  const values = valuesOf(measured);
  const bases = valuesOf(base);
  const { atLeast = -Infinity, below = Infinity, baseAtLeast = -Infinity, shareOfBase } = threshold;
  return [...new Set([...values.keys(), ...bases.keys()])]
    .map((group) => ({ group, value: values.get(group) ?? 0, base: bases.get(group) ?? 0 }))
    .filter(
      ({ value, base: of }) =>
        value >= atLeast &&
        value < below &&
        of >= baseAtLeast &&
        (shareOfBase === undefined || value > shareOfBase * of),
    );
}

/** Returns the values of a result by group. The groups of one with several are joined by commas. */
export function valuesOf(result: Result | undefined): Map<string, number> {
  const aggregates = result?.calculations[0]?.aggregates ?? [];
  return new Map(aggregates.map(({ value, groups = [] }) => [groups.map((each) => String(each.value)).join(), value]));
}
