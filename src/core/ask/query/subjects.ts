/** The accounts, users and features that a query names. */
import type { Filter, FilterValue, Query } from "./model.ts";

export type EntityType = "account" | "user" | "feature";

/** The types of the entities that filters on a dimension name. */
export const ENTITY_TYPES: ReadonlyMap<string, EntityType> = new Map([
  ["account", "account"],
  ["user", "user"],
  ["event", "feature"],
]);

export interface NamedSubject {
  type: EntityType;
  name: string;
}

type ComparedTo = NonNullable<Query["compare"]>["to"];
type Subject = Extract<ComparedTo, { account: string } | { user: string } | { feature: string }>;

/** Tests whether a comparison is with another account, user or feature. */
export const comparesWithEntity = (to: ComparedTo): to is Subject =>
  typeof to === "object" && ("account" in to || "user" in to || "feature" in to);

/** Returns the entity to compare with, and the dimension of the filter that names the other side. */
export function comparedSubject(to: Subject): NamedSubject & { dimension: string } {
  if ("account" in to) return { type: "account", dimension: "account", name: to.account };
  if ("user" in to) return { type: "user", dimension: "user", name: to.user };
  return { type: "feature", dimension: "event", name: to.feature };
}

export const valuesNamedBy = ({ is, isNot, in: several }: Filter): FilterValue[] =>
  [is ?? [], isNot ?? [], several ?? []].flat();

export function namedSubjects({ where, of = [], compare }: Query): NamedSubject[] {
  const named = [...where, ...of].flatMap((filter) => {
    const type = ENTITY_TYPES.get(filter.dimension);
    return type === undefined ? [] : valuesNamedBy(filter).map((name) => ({ type, name: String(name) }));
  });
  return compare !== undefined && comparesWithEntity(compare.to) ? [...named, comparedSubject(compare.to)] : named;
}
