/** Filters in words: each is a clause that can follow a noun, be asked of one subject, or complete "How many accounts". */
import { BUILT_IN, type DimensionType } from "./dimensions.ts";
import { isWindowed } from "./canonical.ts";
import type { Filter, FilterValue, Find } from "./model.ts";
import { labelOf, sayEntity, sayNumber, type Speech, sayText, sayValue } from "./say-names.ts";
import { sayDay, sayWhen } from "./say-windows.ts";
import * as clauseWords from "./words-of-clauses.ts";
import * as words from "./words.ts";

/** How to say things if there are several ways: 0 is the first. */
export interface Voice extends Speech {
  other: boolean;
}

export interface Clause {
  /** Follows a noun: `on the Business plan`, `that had no events`. */
  after: string;
  /** Follows "How many accounts": `are on the Business plan`. `null` if nothing can. */
  main: string | null;
  /** Asks it of one subject. */
  ask: (subject: string) => string;
  /** Says it of one subject, or denies it. */
  say: (subject: string, holds: boolean) => string;
  /** After "When did they". */
  did: string | null;
}

export function clauseOf(filter: Filter, voice: Voice, find: Find = "accounts"): Clause {
  const type = voice.dimensions.find(({ name }) => name === filter.dimension)?.type ?? "text";
  const suffix = [
    ...(filter.asOf === undefined ? [] : [words.fill(words.AS_OF, { d: sayDay(filter.asOf) })]),
    ...(filter.window === undefined || !isWindowed(filter) ? [] : [sayWhen(filter.window, voice.other)]),
  ];
  const end = suffix.map((text) => ` ${text}`).join("");
  if (filter.dimension === "active" || type === "boolean") return booleanClause(filter, voice, end, find);
  const label = labelOf(filter.dimension, voice);
  const { kind, places } = said(filter, type, voice);
  const chosen = templateOf(filter, kind, label, find);
  return toClause(chosen, { ...places, label }, end, voice.other);
}

/** How a dimension's filter is said: in words of its own, or as all of its type. */
function templateOf(
  { dimension }: Filter,
  kind: clauseWords.ClauseKind,
  label: string,
  find: Find,
): clauseWords.ClauseTable[clauseWords.ClauseKind] {
  const isLong = label.includes(" ") ? clauseWords.LONG_LABEL[kind] : undefined;
  const own = clauseWords.CLAUSES[`${find}.${dimension}`] ?? clauseWords.CLAUSES[dimension];
  return own?.[kind] ?? isLong ?? clauseWords.CLAUSES_OF_TYPES[kind];
}

const isCounted = (dimension: string): boolean =>
  dimension === "seats" || (isActivity(dimension) && dimension !== "seat_use" && dimension !== "adoption");
const isActivity = (name: string): boolean => BUILT_IN.some((each) => each.name === name && "isActivity" in each);

type Said = { kind: clauseWords.ClauseKind; places: Record<string, string> };

function said(filter: Filter, type: DimensionType, voice: Voice): Said {
  const { dimension, is, isNot, in: several, within, isUnknown, became, changed } = filter;
  if (isUnknown !== undefined) return { kind: "unknown", places: { u: clauseWords.UNKNOWN[isUnknown ? 0 : 1] } };
  if (changed !== undefined)
    return { kind: "changed", places: { c: clauseWords.CHANGES[changed][0], base: clauseWords.CHANGES[changed][1] } };
  if (within !== undefined) return { kind: "date", places: { d: sayWhen(within, voice.other) } };
  if (type === "date") return { kind: "date", places: { d: dateBound(filter) } };
  if (type === "number" || type === "percent")
    return { kind: "number", places: numberBound(filter, type, voice.other) };
  const value = (each: FilterValue) => valueOf(dimension, each, voice);
  if (became !== undefined) return { kind: "became", places: { v: value(became) } };
  if (isNot !== undefined) return { kind: "isNot", places: { v: value(isNot) } };
  return { kind: "is", places: { v: (several ?? [is ?? ""]).map(value).join(" or ") } };
}

function valueOf(dimension: string, value: FilterValue, voice: Voice): string {
  if (dimension === "account" || dimension === "user") return sayEntity(dimension, value, voice);
  if (dimension === "event") return sayEntity("feature", value, voice);
  const codes = words.CODES[dimension];
  if (codes !== undefined) return codes[String(value)] ?? sayValue(value);
  return dimension === "severity" || dimension === "status" ? String(value) : sayText(String(value));
}

function dateBound({ is, from, to }: Filter): string {
  if (is !== undefined) return `${clauseWords.DAYS.is} ${sayDay(String(is))}`;
  return from === undefined
    ? `${clauseWords.DAYS.to} ${sayDay(String(to))}`
    : `${clauseWords.DAYS.from} ${sayDay(String(from))}`;
}

function numberBound(filter: Filter, type: DimensionType, other: boolean): Record<string, string> {
  const bound =
    (["is", "isNot", "over", "under", "from", "to"] as const).find((each) => filter[each] !== undefined) ?? "is";
  const number = `${sayNumber(Number(filter[bound]))}${type === "percent" ? "%" : ""}`;
  const pick = (table: typeof clauseWords.COUNTS): string =>
    other ? (table[bound][1] ?? table[bound][0]) : table[bound][0];
  const isNone = bound === "is" && filter.is === 0 && isCounted(filter.dimension);
  return {
    n: isNone ? clauseWords.NONE : `${pick(clauseWords.COUNTS)} ${number}`,
    a: `${pick(clauseWords.AMOUNTS)} ${number}`,
  };
}

function booleanClause(filter: Filter, voice: Voice, end: string, find: Find): Clause {
  const { dimension, is, isUnknown } = filter;
  const label = labelOf(dimension, voice);
  if (isUnknown !== undefined)
    return toClause(
      clauseWords.CLAUSES_OF_TYPES.unknown,
      { u: clauseWords.UNKNOWN[isUnknown ? 0 : 1], label },
      end,
      false,
    );
  if (dimension === "active")
    return toClause(
      [{ were: clauseWords.ACTIVE[find === "features" ? "features" : "accounts"][is === true ? 0 : 1] }],
      {},
      end,
      false,
    );
  const rest = clauseWords.BOOLEANS[is === true ? 0 : 1];
  return toClause([{ whose: "{label}", verb: ["be", "is"], rest }], { label }, end, false);
}

function toClause(
  choices: readonly clauseWords.ClauseWords[] = [],
  places: Record<string, string>,
  end: string,
  other: boolean,
): Clause {
  const chosen = (other ? choices.at(-1) : undefined) ?? choices[0] ?? { is: "{v}" };
  const isOne = places["n"]?.endsWith(" 1") === true;
  const counted = (text: string) => (isOne ? text.replace(/( 1 (?:active )?\w+)s\b/, "$1") : text);
  const filled = (text: string) => `${counted(words.fill(text, places))}${end}`;
  if ("has" in chosen) {
    const has = filled(chosen.has);
    return {
      after: `with ${has}`,
      main: `have ${has}`,
      ask: (subject) => `Does ${subject} have ${has}`,
      say: (subject, holds) => `${subject} ${holds ? "has" : "does not have"} ${has}`,
      did: null,
    };
  }
  if ("did" in chosen) {
    const [base, past] = [filled(chosen.did), filled(chosen.past)];
    const one = words.ONE.get(places["v"] ?? "");
    const ofOne = (text: string) => (one === undefined ? text : text.replace(places["v"] ?? "", one));
    const denied = base.startsWith("not ") ? base.slice(4) : `not ${base}`;
    return {
      after: `that ${past}`,
      main: past,
      ask: (subject) => `Did ${subject} ${ofOne(base)}`,
      say: (subject, holds) => (holds ? `${subject} ${ofOne(past)}` : `${subject} did ${ofOne(denied)}`),
      did: base,
    };
  }
  if ("whose" in chosen) return whose(filled, chosen, places);
  const verb = "were" in chosen ? (["was", "were"] as const) : (["is", "are"] as const);
  const text = filled("is" in chosen ? chosen.is : "were" in chosen ? chosen.were : chosen.are);
  const value = places["v"] ?? "";
  const singular = words.ONE.get(value);
  const one = singular === undefined ? text : text.replace(value, singular);
  return {
    after: "is" in chosen ? text : `that ${verb[1]} ${text}`,
    main: `${verb[1]} ${text}`,
    ask: (subject) => `${verb[0] === "is" ? "Is" : "Was"} ${subject} ${one}`,
    say: (subject, holds) =>
      `${subject} ${verb[0]} ${holds ? one : one.startsWith("not ") ? one.slice(4) : `not ${one}`}`,
    did: null,
  };
}

function whose(
  filled: (text: string) => string,
  chosen: Extract<clauseWords.ClauseWords, { whose: string }>,
  places: Record<string, string>,
): Clause {
  const end = filled("");
  const label = words.fill(chosen.whose, places);
  const rest = filled(chosen.rest);
  const [base, third] = chosen.verb;
  // A change has no verb of its own: it is one.
  const finite = third === "" ? rest : `${third} ${rest}`;
  const infinite = third === "" ? `${places["base"]}${end}` : `${base} ${rest}`;
  return {
    after: `whose ${label} ${finite}`,
    main: null,
    ask: (subject) => {
      if (base === "be") return `Is the ${label} of ${subject} ${rest}`;
      return `${third === "" ? "Did" : "Does"} the ${label} of ${subject} ${infinite}`;
    },
    say: (subject, holds) => {
      if (holds) return `The ${label} of ${subject} ${finite}`;
      if (base === "be") return `The ${label} of ${subject} is not ${rest}`;
      return `The ${label} of ${subject} ${third === "" ? "did" : "does"} not ${infinite}`;
    },
    did: null,
  };
}
