/** Query parameters that name UTC days. */
import * as z from "zod";

import { DAY_MS } from "../../core/durations.ts";

const day = (description: string) =>
  z.iso
    .date()
    .transform((text) => Date.parse(text) / DAY_MS)
    .meta({ description });

export const daysQuery = z
  .strictObject({
    from: day("The first UTC day, such as `2026-11-23`."),
    to: day("The last UTC day (inclusive)."),
  })
  .refine(({ from, to }) => !(from > to), { path: ["to"], message: "must not be before from" });
export const exportQuery = daysQuery.safeExtend({
  cursor: z.string().optional().meta({ description: "Part of the `Link` of the previous page." }),
});
/** The body of an archive run on demand. */
export const archiveThrough = z.strictObject({ through: day("The last UTC day to archive. It may be today.") });
