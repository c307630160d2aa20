/** What the names of a question are taken to be: which are accounts, which users and which features. */
import type { Entity, Hints, Match, SubjectType } from "../model.ts";
import type { Candidate } from "../naming/candidates.ts";
import type { Rule } from "../rules/rule.ts";
import type { Unit } from "./units.ts";

/** A name with the type that it is taken to be of. */
export interface Assigned {
  unit: Extract<Unit, { kind: "name" }>;
  type: SubjectType;
  candidates: readonly Candidate[];
}

const TYPES: readonly SubjectType[] = ["account", "user", "feature"];
const MOST_ASSIGNMENTS = 32;

/** Each way to tell which of the names are accounts, which users and which features. */
export function assignmentsOf(units: readonly Unit[]): Assigned[][] {
  let assignments: Assigned[][] = [[]];
  for (const unit of units) {
    if (unit.kind !== "name") continue;
    const options = TYPES.flatMap((type): Assigned[] => {
      const candidates = unit.mention.byType[type];
      return candidates === undefined ? [] : [{ unit, type, candidates }];
    });
    assignments = assignments
      .flatMap((before) => options.map((option) => [...before, option]))
      .slice(0, MOST_ASSIGNMENTS);
  }
  return assignments;
}

/** Something that a rule is about, and how it was told. */
interface Told {
  entity: Entity;
  match: Match;
}

export interface Names {
  account: Told | undefined;
  other: Told | undefined;
  user: Told | undefined;
  feature: Told | undefined;
  /** Whether one of them is none of the question's names. */
  usesHint: boolean;
}

/** The names that a rule is about, where the question and the hints tell as many as it takes; else `null`. */
export function namesFor({ names }: Rule, assigned: readonly Assigned[], hints: Hints): Names | null {
  const told = (type: SubjectType): Told[] => {
    const said = distinct(assigned, type).flatMap(({ candidates: [best] }) => best ?? []);
    const hint = names[type] === 1 ? hints[type] : undefined;
    return said.length === 0 && hint !== undefined ? [{ entity: hint, match: "hint" }] : said;
  };
  const [accounts, users, features] = [told("account"), told("user"), told("feature")];
  if (accounts.length !== (names.account ?? 0) || users.length !== (names.user ?? 0)) return null;
  if (names.feature === "optional" ? features.length > 1 : features.length !== (names.feature ?? 0)) return null;
  return {
    account: accounts[0],
    other: accounts[1],
    user: users[0],
    feature: features[0],
    usesHint: [...accounts, ...users, ...features].some(({ match }) => match === "hint"),
  };
}

/** The names of a type, each entity once; a word of its own ("Friday") may be another thing the second time. */
function distinct(assigned: readonly Assigned[], type: SubjectType): Assigned[] {
  const ofType = assigned.filter((each) => each.type === type);
  const idOf = (each: Assigned) => each.candidates.map(({ entity }) => entity.id).join(" ");
  return ofType.filter(
    (each, at) => each.unit.mention.isOptional || ofType.findIndex((other) => idOf(other) === idOf(each)) === at,
  );
}
