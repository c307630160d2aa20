/** Draws the names and values of a workspace. Renaming a world keeps its structure. */
import { dimensionsOf, type TraitValue } from "../../../src/core/ask/query/dimensions.ts";
import type { Query } from "../../../src/core/ask/query/model.ts";
import type { DisplayNames } from "../../../src/core/ask/query/display-names.ts";
import type { EntityType } from "../../../src/core/ask/query/subjects.ts";
import { isoDate } from "../../../src/core/ask/query/windows.ts";
import type { Vocabulary } from "../../../src/core/ask/reader/read-question.ts";
import { type Random, shuffled } from "../../simulator/random.ts";
import { drawQuery } from "../query/queries.ts";
import { EVENTS, TODAY } from "../query/world.ts";
import { type Names, vocabularyOf } from "../written/vocabulary.ts";

export interface NamedWorld {
  names: Names;
  speech: DisplayNames;
  vocabulary: (question: string) => Vocabulary;
  /** Draws a query about the world. */
  draw: (random: Random) => Query;
}

const COMPANIES = ["Halcyon Health", "Northwind", "Brightwater Bank", "Pixelforge", "Kestrel Labs", "Acme"];
const PEOPLE = ["Maria Lopez", "Tomas Novak", "Ines Duarte", "Omar Haddad", "Wei Zhang", "Ann"];
const FEATURES = ["report.exported", "Dashboard Viewed", "invite_sent", "forecast", "login"] as const;
const VALUES: Readonly<Record<string, readonly TraitValue[]>> = {
  plan: ["Starter", "Team", "Business", "Enterprise"],
  currency: ["EUR", "USD"],
  "account.industry": ["Rail", "Food & Drink", "Banking"],
  "account.region": ["emea", "apac"],
  "account.contractEndsOn": ["2027-01-31"],
  "account.employees": [5, 120],
  "account.beta": [true, false],
  "user.role": ["admin", "analyst", "viewer"],
  "user.invitedOn": ["2026-10-01"],
};

const entity = (name: string) => ({ externalId: name.toLowerCase().replaceAll(" ", "-"), name });

export const plainNames = (random: Random): Names => ({
  accounts: [...shuffled(random, COMPANIES).slice(0, 4).map(entity), { externalId: "a-17", name: null }],
  users: [...shuffled(random, PEOPLE).slice(0, 4).map(entity), { externalId: "u-9", name: null }],
  events: FEATURES,
  values: new Map(Object.entries(VALUES)),
  today: isoDate(TODAY),
});

export function worldOf(names: Names): NamedWorld {
  const dimensions = dimensionsOf(names.values);
  const ids = { account: names.accounts.map(idOf), user: names.users.map(idOf) };
  const events = new Map([...EVENTS, "never.sent"].map((event, index) => [event, names.events[index] ?? event]));
  const forms = [...names.accounts, ...names.users].map(({ name }) => name).concat(names.events);
  const nameOf = (type: EntityType, id: string): string | null => {
    if (type === "feature") return names.events.includes(id) ? id : null;
    const known = type === "account" ? names.accounts : names.users;
    const name = known.find(({ externalId }) => externalId === id)?.name ?? null;
    return forms.filter((each) => each === name).length === 1 ? name : null;
  };
  return {
    names,
    speech: { dimensions, nameOf },
    vocabulary: vocabularyOf(names),
    draw: (random) =>
      renamed(drawQuery(random, dimensions, ids), (type, id) => (type === "event" ? events.get(id) : id)),
  };
}

const idOf = ({ externalId }: { externalId: string }): string => externalId;

/** Replaces the values in filters and comparisons. */
export function renamed(query: Query, nameOf: (dimension: string, value: string) => string | undefined): Query {
  const change = <Value>(dimension: string, value: Value): Value | string =>
    typeof value === "string" ? (nameOf(dimension, value) ?? value) : value;
  const filters = (where: Query["where"]): Query["where"] =>
    where.map((filter) => ({
      ...filter,
      ...(filter.is !== undefined && { is: change(filter.dimension, filter.is) }),
      ...(filter.isNot !== undefined && { isNot: change(filter.dimension, filter.isNot) }),
      ...(filter.became !== undefined && { became: change(filter.dimension, filter.became) }),
      ...(filter.newly !== undefined && { newly: change(filter.dimension, filter.newly) }),
      ...(filter.after !== undefined && { after: change(filter.dimension, filter.after) }),
      ...(filter.in !== undefined && { in: filter.in.map((each) => change(filter.dimension, each)) }),
    }));
  const to = query.compare?.to;
  const compared =
    typeof to !== "object"
      ? to
      : "account" in to
        ? { account: change("account", to.account) }
        : "user" in to
          ? { user: change("user", to.user) }
          : "feature" in to
            ? { feature: change("event", to.feature) }
            : to;
  return {
    ...query,
    where: filters(query.where),
    ...(query.of && { of: filters(query.of) }),
    ...(compared !== undefined && { compare: { to: compared } }),
  };
}
