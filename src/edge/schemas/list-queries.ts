/** Query parameters of lists: docs/wire/README.md §1, docs/wire/accounts.md §13. */
import * as z from "zod";

import { DEFAULT_PAGE_ROWS, MAX_PAGE_ROWS } from "../../config.ts";
import { HEALTH_STATES } from "../../core/health/model.ts";
import { ITEM_KINDS, ITEM_STATUSES } from "../../core/inbox/model.ts";
import { ownerName } from "./owner.ts";
import { ACCOUNT_SORTS } from "../../db/accounts/list-accounts.ts";

/** Decimal digits without leading zeros: `Number` would accept `0x10`, `1e2` and blanks too. */
const limit = z
  .string()
  .refine(
    (text) => /^[1-9]\d*$/.test(text) && Number(text) <= MAX_PAGE_ROWS,
    `must be a whole number from 1 to ${MAX_PAGE_ROWS}`,
  )
  .transform(Number)
  .default(DEFAULT_PAGE_ROWS)
  .meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE_ROWS,
    description: "Maximum number of rows in the page. A page may have fewer rows, or none, before the end of the list.",
  });

export const pageQuery = z.strictObject({
  limit,
  cursor: z
    .string()
    .optional()
    .meta({ description: "The `nextCursor` of the previous page of the same list with the same filters." }),
});

const owner = ownerName.optional().meta({ description: "Only what this owner looks after." });

export const accountFilters = {
  owner,
  state: z.enum(HEALTH_STATES).optional().meta({ description: "Only accounts with this health state." }),
  sort: z.enum(ACCOUNT_SORTS).default("score").meta({
    description: "Lowest score, highest MRR or latest activity first. Accounts without the value come last.",
  }),
};

export const itemFilters = {
  owner,
  status: z.enum(ITEM_STATUSES).default("open").meta({
    description: "`open` means unresolved, not dismissed and not snoozed. Each item has exactly one status.",
  }),
  kind: z.enum(ITEM_KINDS).optional().meta({ description: "Only items of this kind." }),
};
