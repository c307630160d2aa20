/** The filters and the order of the account list, as its address has them. A search is never part of an address. */
import * as z from "zod";

import { MAX_KEY_CHARACTERS, MAX_VALUE_CHARACTERS } from "../../core/ask/query/dimensions.ts";
import { HEALTH_STATES, STAGES } from "../../core/health/model.ts";
import { RENEWALS, SEAT_USES } from "../../db/accounts/account-conditions.ts";
import { CONSOLE_SORTS, type ConsoleSort } from "../../db/accounts/console-orders.ts";
import { MAX_OWNER_ID_CHARACTERS } from "../owner-ids.ts";
import { pathOf, withQuery } from "../paths.ts";

export const MAX_SEARCH_CHARACTERS = 200;
const MAX_TRAITS = 3;
export const TRAIT = "trait.";

/** A button sends its value after the form's field of the same name. */
const last = (value: unknown) => (Array.isArray(value) ? value.at(-1) : value);

const reversed = CONSOLE_SORTS.map((sort) => `-${sort}` as const);

/** Ignores what is invalid. Forms send an empty string for what isn't selected. */
const fields = z.object({
  q: z.string().trim().max(MAX_SEARCH_CHARACTERS).catch(""),
  state: z.enum(HEALTH_STATES).optional().catch(undefined),
  stage: z.enum(STAGES).optional().catch(undefined),
  plan: z.string().min(1).max(MAX_VALUE_CHARACTERS).optional().catch(undefined),
  /** The id of an owner, or `NOBODY`. */
  owner: z.string().min(1).max(MAX_OWNER_ID_CHARACTERS).optional().catch(undefined),
  renewal: z.enum(RENEWALS).optional().catch(undefined),
  seats: z.enum(SEAT_USES).optional().catch(undefined),
  /** With a minus, the order is reversed. */
  sort: z.preprocess(last, z.enum([...CONSOLE_SORTS, ...reversed])).catch("score"),
  cursor: z.string().optional().catch(undefined),
});

const trait = z.tuple([
  z
    .string()
    .startsWith(TRAIT)
    .min(TRAIT.length + 1)
    .max(TRAIT.length + MAX_KEY_CHARACTERS),
  z.string().min(1).max(MAX_VALUE_CHARACTERS),
]);

export type AccountsFilter = Omit<z.infer<typeof fields>, "cursor"> & { traits: Record<string, string> };
export type ReadFilter = AccountsFilter & { cursor?: string | undefined };

export function readAccountsFilter(form: Record<string, unknown>): ReadFilter {
  const { cursor, ...filter } = fields.parse(form);
  const traits = Object.entries(form)
    .flatMap((entry) => {
      const { data } = trait.safeParse(entry);
      return data === undefined ? [] : [[data[0].slice(TRAIT.length), data[1]] as const];
    })
    .slice(0, MAX_TRAITS);
  return { ...filter, cursor, traits: Object.fromEntries(traits) };
}

export const sortOf = ({ sort }: Pick<AccountsFilter, "sort">): { sort: ConsoleSort; isReversed: boolean } => {
  const isReversed = sort.startsWith("-");
  return { sort: CONSOLE_SORTS.find((each) => each === sort.replace("-", "")) ?? "score", isReversed };
};

/** The filters without the search. */
function shared({ q: _q, traits = {}, ...filter }: Partial<AccountsFilter>): Record<string, string | undefined> {
  return { ...filter, ...Object.fromEntries(Object.entries(traits).map(([key, value]) => [TRAIT + key, value])) };
}

/** The address of a page of the list, or of what is made of it. */
export const accountsPath = (
  workspace: { id: string },
  filter: Partial<AccountsFilter>,
  { cursor, page = [] }: { cursor?: string; page?: readonly string[] } = {},
): string => withQuery(pathOf(workspace, "accounts", ...page), { ...shared(filter), cursor }, { sort: "score" });

/** The query of a saved view. Stored ones have names of owners, not their ids. It drops keys and values that are unknown. */
export const viewQuery = (filter: Partial<AccountsFilter>): string =>
  withQuery("", shared(filter), { sort: "score" }).slice(1);

export const parseView = (query: string): ReadFilter =>
  readAccountsFilter({ ...Object.fromEntries(new URLSearchParams(query)), q: "", cursor: undefined });

/** Whether the list has filters, beside its order. */
export const isFiltered = ({ sort: _sort, traits, ...filter }: AccountsFilter): boolean =>
  Object.values(filter).some(Boolean) || Object.keys(traits).length > 0;
