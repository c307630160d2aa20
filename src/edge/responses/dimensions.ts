/** The dimensions of queries: docs/wire/queries.md §16. */
import * as z from "zod";

import { DIMENSION_TYPES } from "../../core/ask/query/dimensions.ts";
import { FINDS } from "../../core/ask/query/model.ts";
import { response } from "../named-schemas.ts";
import { ok, text } from "./fields.ts";

export const dimension = z.strictObject({
  name: text,
  type: z.enum(DIMENSION_TYPES),
  of: z.array(z.enum(FINDS)).describe("The kinds of records that it describes."),
  values: z.array(z.string()).optional().describe("All codes, or the workspace's values (at most 200)."),
  isActivity: z.literal(true).optional().describe("True if it is counted in a window."),
  hasHistory: z.literal(true).optional().describe("True if its past values are known, by day."),
});

export const dimensions = response(
  "DimensionsResponse",
  z.strictObject({
    ok,
    dimensions: z.array(dimension),
  }),
);
