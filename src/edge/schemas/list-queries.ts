/** What lists take in their query: docs/wire.md §1, §13. */
import * as z from "zod";

import { DEFAULT_PAGE_ROWS, MAX_PAGE_ROWS } from "../../config.ts";
import { HEALTH_STATES } from "../../core/health/model.ts";
import { ITEM_KINDS } from "../../core/inbox/model.ts";
import { ACCOUNT_SORTS } from "../../services/accounts.ts";
import { ITEM_STATUSES } from "../../services/inbox.ts";

export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PAGE_ROWS)
    .default(DEFAULT_PAGE_ROWS)
    .meta({ description: "Rows of a page. It may hold fewer, even none, before the end of the list." }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "The `nextCursor` of the page before, of the same list with the same filters." }),
});

export const accountFilters = {
  state: z.enum(HEALTH_STATES).optional().meta({ description: "Only accounts whose health is in this state." }),
  sort: z.enum(ACCOUNT_SORTS).default("score").meta({
    description: "The lowest score, the highest revenue or the latest activity first. Accounts without it come last.",
  }),
};

export const itemFilters = {
  status: z.enum(ITEM_STATUSES).default("open").meta({
    description: "`open`: unresolved, and not put aside. Each item is in one of these at a time.",
  }),
  kind: z.enum(ITEM_KINDS).optional().meta({ description: "Only items of this kind." }),
};
