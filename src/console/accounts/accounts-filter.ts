/** The filter of the list of accounts. It is part of the page's address, so that a view can be shared. */
import * as z from "zod";

import { HEALTH_STATES } from "../../core/health/model.ts";
import { TABLE_SORTS } from "../../services/accounts.ts";

const MAX_SEARCH_CHARACTERS = 200;

/** Forms send an empty string for an option that isn't selected. */
const emptyToUndefined = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema);

export const accountsQuery = z.object({
  q: z.string().trim().max(MAX_SEARCH_CHARACTERS).default(""),
  state: emptyToUndefined(z.enum(HEALTH_STATES).optional()),
  sort: emptyToUndefined(z.enum(TABLE_SORTS).default("score")),
  cursor: z.string().optional(),
});

export type AccountsFilter = Pick<z.infer<typeof accountsQuery>, "q" | "state" | "sort">;

/** Returns the address of a page of the list, with its filter. */
export function hrefOf(path: string, { q, state, sort }: AccountsFilter, cursor?: string): string {
  const query = new URLSearchParams({
    ...(q !== "" && { q }),
    ...(state !== undefined && { state }),
    ...(sort !== "score" && { sort }),
    ...(cursor !== undefined && { cursor }),
  }).toString();
  return query === "" ? path : `${path}?${query}`;
}
