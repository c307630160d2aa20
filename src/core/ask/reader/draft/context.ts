/** What the steps know beside the pieces of a question, and what the filters of a query being filled in are about. */
import { isMoney } from "../../query/check.ts";
import { byName, type Dimension, isAccountDimension, ONLY_OF_ACCOUNTS } from "../../query/dimensions.ts";
import type { Filter } from "../../query/model.ts";
import type { Draft } from "../fragments/fragments.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

export type DraftContext = Pick<Vocabulary, "dimensions" | "today" | "firstDay">;

export const dimensionType = (name: string, { dimensions }: DraftContext): Dimension["type"] | undefined =>
  byName(dimensions).get(name)?.type;

export const isEntityDimension = (dimension: string): boolean => dimension === "account" || dimension === "user";

export const filtersOn = ({ where }: Draft, pattern: RegExp): boolean =>
  where.some(({ dimension }) => pattern.test(dimension));

/** Tests whether the filters name the one account or user that the query finds. */
export const findsOneEntity = ({ find, where }: Draft): boolean =>
  find !== "events" && where.some(({ dimension, is }) => is !== undefined && `${dimension}s` === find);

/** "Are Lumen and Kestrel at risk" asks about each. */
export const namesSeveralEntities = ({ dimension, in: several }: Filter): boolean =>
  several !== undefined && isEntityDimension(dimension);

/** Tests whether a name is about accounts. The names of accounts and of their owners may stand for other questions. */
export const isOfAccounts = (name: string): boolean =>
  !/^(?:account|owner)$/.test(name) && (isAccountDimension(name) || ONLY_OF_ACCOUNTS.has(name) || isMoney(name));
