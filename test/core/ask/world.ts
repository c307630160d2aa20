/**
 * A little world of names, and what its look-up finds for a question: the database's part done by hand, with the keys
 * that are its own. What a question comes to in it is told without the words that a window was read from.
 */
import type { Entity, Found, Hints, KnownName, Plan, Understood } from "../../../src/core/ask/model.ts";
import { foldName, spokenKey } from "../../../src/core/ask/names.ts";
import { lookUps } from "../../../src/core/ask/question/look-ups.ts";
import { readQuestion } from "../../../src/core/ask/question/read-question.ts";
import type { Clock } from "../../../src/core/ask/time/time-context.ts";
import { understand } from "../../../src/core/ask/understand.ts";
import { slipFinder, soughtSpans } from "../../../src/db/ask/slips.ts";

/** 2026-11-21, a Saturday. */
export const TODAY = 20_778;
/** 400 days of data. */
export const CLOCK: Clock = { today: TODAY, firstDay: TODAY - 399 };

export interface World {
  names: readonly KnownName[];
  plans: readonly string[];
}

let lastNumber = 0;

/** As the workspace would know it: an internal id has 24 hexadecimal digits. */
function entity(type: Entity["type"], externalId: string, name: string | null = null): Entity {
  lastNumber += 1;
  const hex = lastNumber.toString(16).padStart(24, "0");
  const id = { account: `acc_${hex}`, user: `usr_${hex}`, feature: externalId }[type];
  return { type, number: lastNumber, id, externalId, name };
}

export const account = (externalId: string, company: string | null = null) => entity("account", externalId, company);
export const user = (externalId: string, name: string | null = null) => entity("user", externalId, name);
export const feature = (name: string) => entity("feature", name);

/** Everything that something is called. */
export function namesOf(of: Entity, email?: string): KnownName[] {
  const known = (text: string, source: KnownName["source"]): KnownName => ({ entity: of, text, source });
  if (of.type === "feature") return [known(of.externalId, "event")];
  return [
    known(of.externalId, "external_id"),
    known(of.id, "internal_id"),
    ...(of.name === null ? [] : [known(of.name, of.type === "account" ? "company" : "name")]),
    ...(email === undefined ? [] : [known(email, "email")]),
  ];
}

export const ACME = account("acme");
export const ACME_CORP = account("org-17", "Acme Corp");
export const MARCH = account("mn-3", "March Networks");
export const FRIDAY = account("Friday");
export const GLOBEX = account("globex", "Globex GmbH");
export const UMBRELLA = account("umbrella");
export const MARIA = user("u1", "Maria Lopez");
export const JONAS = user("u.42", "Jonas Weber");
/** Two companies and two people of one name. */
export const TWINS = [account("tw-1", "Twin"), account("tw-2", "Twin")] as const;
export const SAMS = [user("s1", "Sam Field"), user("s2", "Sam Field")] as const;
export const EXPORTED = feature("report.exported");
export const VIEWED = feature("dashboard.viewed");
export const INVITED = feature("user.invited");
export const COMMENTED = feature("comment_added");

export const WORLD: World = {
  names: [
    ...[ACME, ACME_CORP, MARCH, FRIDAY, GLOBEX, UMBRELLA, ...TWINS].flatMap((of) => namesOf(of)),
    ...[JONAS, ...SAMS, EXPORTED, VIEWED, INVITED, COMMENTED].flatMap((of) => namesOf(of)),
    ...namesOf(MARIA, "maria@acme.example"),
  ],
  plans: ["Pro", "Enterprise", "Team Plus"],
};

/** What the database would find: by id, by folded and spoken forms, and by the trigrams of a misspelt name. */
export function foundIn({ names, plans }: World, text: string): Found {
  const asked = lookUps(readQuestion(text));
  const [exact, folded, spoken] = [new Set(asked.exact), new Set(asked.folded), new Set(asked.spoken)];
  const { isSlip } = slipFinder(soughtSpans(asked.fuzzy));
  return {
    names: names.filter(({ entity: of, text: name, source }) => {
      if (source === "internal_id") return exact.has(of.id);
      const key = foldName(name);
      const isExact = (source === "external_id" || source === "event") && exact.has(name);
      return isExact || folded.has(key) || (source === "event" && spoken.has(spokenKey(name))) || isSlip(key);
    }),
    plans: plans.filter((plan) => folded.has(foldName(plan))),
  };
}

export interface Asking {
  world?: World;
  hints?: Hints;
  clock?: Clock;
}

export function understoodFrom(text: string, { world = WORLD, hints = {}, clock = CLOCK }: Asking = {}): Understood {
  return understand(readQuestion(text), foundIn(world, text), hints, clock);
}

/** The plan, whatever words its windows were read from; of what is not understood, why. */
export function planOf(text: string, asking: Asking = {}): Plan | string {
  const understood = understoodFrom(text, asking);
  return understood.ok ? withoutPhrases(understood.plan) : understood.refusal.reason;
}

function withoutPhrases(plan: Plan): Plan {
  const windows = {
    ...("window" in plan && { window: { ...plan.window, phrase: null } }),
    ...("before" in plan && { before: { ...plan.before, phrase: null } }),
  };
  return { ...plan, ...windows };
}

/** Days counted from today, both included. */
export const days = (from: number, to: number) => ({ from: TODAY + from, to: TODAY + to, phrase: null });
