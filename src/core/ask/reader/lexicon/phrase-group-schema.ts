/** What the files of phrases may contain. Only the build and the tests load this. */
import * as z from "zod";

import { AGGREGATES, filterSchema, FINDS, MEASURES, PERIODS, SHOWS, UNITS, windowSchema } from "../../query/model.ts";

const flag = z.literal(true).optional();
const fragment = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("find"),
    find: z.enum(FINDS),
    where: z.tuple([filterSchema]).optional(),
    isOne: flag,
  }),
  z.strictObject({ type: z.literal("form"), show: z.enum(SHOWS), who: flag, isOne: flag }),
  z.strictObject({ type: z.literal("measure"), measure: z.enum(MEASURES) }),
  z.strictObject({ type: z.literal("dimension"), dimension: z.string().min(1) }),
  z.strictObject({ type: z.literal("filter"), filter: filterSchema }),
  z.strictObject({ type: z.literal("use"), use: z.enum(["uses", "arose", "never", "stopped", "started"]) }),
  z.strictObject({ type: z.literal("window"), window: windowSchema, isVague: flag }),
  z.strictObject({ type: z.literal("number"), value: z.number(), unit: z.enum([...UNITS, "percent"]).optional() }),
  z.strictObject({ type: z.literal("bound"), condition: z.enum(["over", "under", "from", "to", "is"]) }),
  z.strictObject({
    type: z.literal("order"),
    direction: z.enum(["up", "down"]),
    by: z.enum(["size", "score", "time", "mrr", "events", "name", "date"]).optional(),
    isTop: flag,
    isMore: flag,
  }),
  z.strictObject({ type: z.literal("nth"), value: z.number() }),
  z.strictObject({
    type: z.literal("change"),
    direction: z.enum(["up", "down"]).nullable(),
    by: z.enum(["score", "what"]).optional(),
  }),
  z.strictObject({
    type: z.literal("per"),
    per: z.enum(PERIODS).optional(),
    isStrict: flag,
    isSplit: flag,
    isOrder: flag,
    isOver: flag,
    isVague: flag,
  }),
  z.strictObject({ type: z.literal("aggregate"), aggregate: z.enum(AGGREGATES) }),
  z.strictObject({ type: z.literal("unknown"), unknown: z.boolean() }),
  z.strictObject({ type: z.literal("pointer"), at: z.enum(["account", "user", "any"]) }),
  z.strictObject({
    type: z.literal("reason"),
    reason: z.enum(["out_of_scope", "prediction", "causal_claim", "opinion", "unmeasured_attribute", "no_such_event"]),
  }),
  ...(
    [
      "new",
      "negation",
      "compare",
      "before",
      "same",
      "share",
      "with",
      "or",
      "both",
      "unsupported",
      "moved",
      "returned",
      "sized",
      "over",
      "attention",
    ] as const
  ).map((type) => z.strictObject({ type: z.literal(type) })),
]);

const sorted = (phrases: readonly string[]): boolean =>
  phrases.every((phrase, at) => at === 0 || (phrases[at - 1] ?? "") < phrase);

export const phraseGroupSchema = z.strictObject({
  means: z.array(fragment),
  phrases: z
    .array(z.string().regex(/^[^\s"',.:;?!]+(?: [^\s"',.:;?!]+)*$/, "must be words in lower case, without punctuation"))
    .min(1)
    .refine(sorted, "must be sorted, each phrase once"),
});
