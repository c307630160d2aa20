/** What the list of accounts is asked for: all of it stands in the address, so that a view can be sent to others. */
import * as z from "zod";

import { HEALTH_STATES } from "../../core/health/model.ts";
import { TABLE_SORTS } from "../../services/accounts.ts";

const MAX_CALLED_CHARACTERS = 200;

/** A form sends what was not chosen as nothing. */
const chosen = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema);

export const AccountsQuery = z.object({
  q: z.string().trim().max(MAX_CALLED_CHARACTERS).default(""),
  state: chosen(z.enum(HEALTH_STATES).optional()),
  sort: chosen(z.enum(TABLE_SORTS).default("score")),
  cursor: z.string().optional(),
});

export type AccountsFilter = Pick<z.infer<typeof AccountsQuery>, "q" | "state" | "sort">;

/** Where a page of the list is, with the filter that it has. */
export function hrefOf(path: string, { q, state, sort }: AccountsFilter, cursor?: string): string {
  const query = new URLSearchParams({
    ...(q !== "" && { q }),
    ...(state !== undefined && { state }),
    ...(sort !== "score" && { sort }),
    ...(cursor !== undefined && { cursor }),
  }).toString();
  return query === "" ? path : `${path}?${query}`;
}
