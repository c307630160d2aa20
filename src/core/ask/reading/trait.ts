/**
 * Questions for what a sender has told of an account or a user beside what is measured: "acme's industry", "the account
 * owner of acme". Whether there is such a trait is for the facts to tell.
 */
import type { Entity, Hints, Match, Plan } from "../model.ts";
import { isLexiconWord } from "../lexicon/lexicon.ts";
import { foldName } from "../names.ts";
import { textOf } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import type { Clock } from "../time/time-context.ts";
import { windowsFor } from "../time/windows.ts";
import { type Matched, matchesOf } from "./match.ts";
import { isTraitName, POSSESSIVES, traitRun } from "./trait-name.ts";
import type { Reading, Unit } from "./units.ts";

interface Owner {
  entity: Entity;
  /** As it was typed. */
  said: string;
  match: Match;
  type: "account" | "user";
}

/** A trait that a question asks for where nothing that is measured was. */
export function traitIn(question: Question, readings: readonly Reading[], hints: Hints, clock: Clock): Matched | null {
  for (const { units } of readings) {
    const trait = traitAsked(question, units, hints, clock);
    if (trait !== null) return trait;
  }
  return null;
}

function traitAsked(question: Question, units: readonly Unit[], hints: Hints, clock: Clock): Matched | null {
  if (units.some(({ kind }) => kind === "time" || kind === "plan")) return null;
  const ownerAt = units.findIndex(
    (unit) => unit.kind === "name" || (unit.kind === "word" && POSSESSIVES.has(unit.word)),
  );
  const owner = ownerOf(units[ownerAt], hints);
  if (owner === null || units.slice(ownerAt + 1).some(({ kind }) => kind === "name")) return null;
  const run = traitRun(question, units, ownerAt);
  if (run === null || !isTraitName(question, units.slice(run.from, run.to + 1))) return null;
  // What is asked with the unknown words left out is what they change.
  const without = units.filter(
    (unit, at) => at < run.from || at > run.to || (unit.kind === "word" && isLexiconWord(unit.word)),
  );
  if (matchesOf(without, hints, clock).length > 0) return null;
  const key = foldName(textOf(question, { parts: [{ from: units[run.from]?.at ?? 0, to: units[run.to]?.at ?? 0 }] }));
  const windows = windowsFor("now", [], clock);
  if (windows === null || key === "") return null;
  const plan: Plan =
    owner.type === "account"
      ? { subject: "account", account: owner.entity, measure: "trait", key }
      : { subject: "user", user: owner.entity, measure: "trait", key };
  return {
    plan,
    matchedBy: owner.match,
    windows,
    namesPlan: false,
    needs: new Set(),
    usesHint: owner.match === "hint",
    inexactness: 0,
    taken: owner.match === "fuzzy" ? [{ said: owner.said, meant: owner.entity.name ?? owner.entity.externalId }] : [],
    candidates: [],
    dropped: [],
  };
}

/** Exactly one account or user, as what owns the trait. */
function ownerOf(unit: Unit | undefined, hints: Hints): Owner | null {
  if (unit?.kind === "word") {
    if (hints.account !== undefined && hints.user !== undefined) return null;
    if (hints.account !== undefined) return { entity: hints.account, said: unit.word, match: "hint", type: "account" };
    return hints.user === undefined ? null : { entity: hints.user, said: unit.word, match: "hint", type: "user" };
  }
  if (unit?.kind !== "name") return null;
  const { account = [], user = [] } = unit.mention.byType;
  const [first] = [...account, ...user];
  if (first === undefined || account.length + user.length !== 1) return null;
  return { ...first, said: unit.mention.said, type: account.length === 1 ? "account" : "user" };
}
