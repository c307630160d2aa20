/** Checks that names are opaque: in a renamed world, a question has the same query with the new names, or options. */
import { canonical } from "../../../src/core/ask/query/canonical.ts";
import type { TraitValue } from "../../../src/core/ask/query/dimensions.ts";
import type { Query } from "../../../src/core/ask/query/model.ts";
import { restate } from "../../../src/core/ask/query/restate.ts";
import { readQuestion } from "../../../src/core/ask/reader/read-question.ts";
import { chance, type Random, randomOf, shuffled } from "../../simulator/random.ts";
import { judgeFile, meaningOf } from "../written/judge.ts";
import { type Names, vocabularyOf } from "../written/vocabulary.ts";
import { writtenWorld } from "../written/world.ts";
import { plainNames, renamed, worldOf } from "./worlds.ts";

/** Words of questions, plans, dates, numbers and measures. */
const ODD =
  "Business|Team|Starter|the|all|any|please|our|who|October|last week|today|2026|1 May|this month|42|three|1,000|MRR|Events|Health|Seats|Score|At Risk|Active|Churned|Most|Top|Why|Inactive|New|Not|No|Never|Customers|Trial|Users|Feature|EUR|rail|emea|admin|by|per|over|than before|how many|days|and|or|with|is".split(
    "|",
  );

export interface NamesReport {
  same: number;
  askedBack: number;
  different: readonly string[];
}

export function checkNames(seed: string, cases: number): NamesReport {
  const random = randomOf(seed);
  const report = { same: 0, askedBack: 0, different: [] as string[] };
  for (let done = 0; done < cases; done += 1) {
    const { text, world } = questionOf(random);
    const before = readQuestion(text, vocabularyOf(world)(text));
    if (before.kind !== "query" || before.notes.length > 0) continue;
    const other = oddNames(random, world);
    const changed = other.spell(text);
    // "Hi team" isn't the plan.
    if (/\bhi team/i.test(text) || !other.isSpelled(before.query, changed)) continue;
    const after = readQuestion(changed, vocabularyOf(other.world)(changed));
    const wanted = renamed(before.query, other.nameOf);
    if (after.kind !== "query") report.askedBack += 1;
    else if (meaningOf(plain(after.query)) === meaningOf(plain(wanted))) report.same += 1;
    else report.different.push(`${text}\n  ${changed}\n  ${JSON.stringify(wanted)}\n  ${JSON.stringify(after.query)}`);
  }
  return report;
}

/** The first of several columns is the measure. */
function plain(query: Query): Query {
  const [measure, ...columns] =
    query.measure === undefined ? (query.with ?? []) : [query.measure, ...(query.with ?? [])];
  return canonical(measure === undefined ? query : { ...query, measure, with: columns });
}

const written = writtenWorld();
const questions = judgeFile("evals/ask/written/development.jsonl").filter(({ result }) => result.kind === "query");

function questionOf(random: Random): { text: string; world: Names } {
  const question = questions[Math.floor(2 * random() * questions.length)];
  if (question !== undefined) return { text: question.question, world: written };
  const { names: own, speech, draw } = worldOf(plainNames(random));
  const query = draw(random);
  return { text: restate(query, speech), world: own };
}

/** Gives about a third of all names and values another name. */
function oddNames(random: Random, world: Names) {
  const odd = shuffled(random, ODD);
  const ids = new Map<string, string>();
  const spelled: (readonly [from: string, to: string])[] = [];
  const next = (dimension: string, value: string, name = value): string => {
    const to = chance(random, 0.3) ? odd.pop() : undefined;
    ids.set(`${dimension} ${value}`, to ?? value);
    spelled.push([name, to ?? name]);
    return to ?? name;
  };
  const entities = (type: "account" | "user", all: Names["accounts"]): Names["accounts"] =>
    all.map(({ externalId, name }) => {
      const said = name ?? externalId.replaceAll("-", " ");
      const to = next(type, externalId, said);
      return to === said ? { externalId, name } : { externalId: to, name: name === null ? null : to };
    });
  const values = (name: string, all: readonly TraitValue[]): readonly TraitValue[] =>
    all.map((value) =>
      typeof value === "string" && name !== "currency" && !/^\d{4}-/.test(value) ? next(name, value) : value,
    );
  const other: Names = {
    ...world,
    accounts: entities("account", world.accounts),
    users: entities("user", world.users),
    events: world.events.map((event) => next("event", event)),
    values: new Map(Array.from(world.values, ([name, all]) => [name, values(name, all)])),
  };
  return {
    world: other,
    nameOf: (dimension: string, value: string) => ids.get(`${dimension} ${value}`),
    /** Whether the text contains all renamed names of the query. It may name an event in other words. */
    isSpelled: (query: Query, text: string): boolean => {
      let isSpelled = true;
      renamed(query, (dimension, value) => {
        const to = ids.get(`${dimension} ${value}`);
        isSpelled &&= to === undefined || to === value || text.includes(to);
        return to;
      });
      return isSpelled;
    },
    /** Replaces the longest names first, and nothing within a new name. */
    spell: (text: string): string => {
      const sorted = spelled.toSorted(([a], [b]) => b.length - a.length);
      const pattern = sorted.map(([from]) => from.replaceAll(/[^\w ]/g, String.raw`\$&`)).join("|");
      if (pattern === "") return text;
      return text.replaceAll(
        new RegExp(`(?<![\\w.])(?:${pattern})(?![\\w])`, "gi"),
        (found) => sorted.find(([from]) => from.toLowerCase() === found.toLowerCase())?.[1] ?? found,
      );
    },
  };
}
