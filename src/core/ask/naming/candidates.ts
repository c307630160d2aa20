/** What a span may name, by each of the forms that names are known in, from the most exact to the loosest. */
import type { Entity, KnownName, Match } from "../model.ts";
import { foldName, spokenKey } from "../names.ts";
import { rawForms, type Span } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { hasOuterFrame } from "./plain-words.ts";

export interface Candidate {
  entity: Entity;
  match: Match;
}

const TIERS: readonly Match[] = ["external_id", "internal_id", "name", "folded", "spoken", "fuzzy"];
/** The lower, the more exact. Ids count alike. */
export const tierOf = (match: Match): number => Math.max(0, TIERS.indexOf(match) - 1);

type ByForm = Map<string, Entity[]>;

/** What is known, by the form that it is found by. */
export interface Forms {
  external: ByForm;
  internal: ByForm;
  names: ByForm;
  folded: ByForm;
  spoken: ByForm;
}

export function formsOf(names: readonly KnownName[]): Forms {
  const forms: Forms = {
    external: new Map(),
    internal: new Map(),
    names: new Map(),
    folded: new Map(),
    spoken: new Map(),
  };
  for (const { entity, text, source } of names) {
    put(forms.internal, entity.id, entity);
    if (source === "internal_id") continue;
    put(source === "external_id" || source === "event" ? forms.external : forms.names, text, entity);
    put(forms.folded, foldName(text), entity);
    if (source === "event") put(forms.spoken, spokenKey(text), entity);
  }
  return forms;
}

function put(map: ByForm, key: string, entity: Entity): void {
  const there = map.get(key) ?? [];
  if (key !== "" && !there.some((other) => isSame(other, entity))) map.set(key, [...there, entity]);
}

export const isSame = (a: Entity, b: Entity): boolean => a.type === b.type && a.id === b.id;

export function candidatesOf(question: Question, span: Span, forms: Forms): Candidate[] {
  const raws = span.parts.flatMap((part) => rawForms(question.text, question.tokens, part));
  const [first] = raws;
  return [
    ...matches(forms.external, raws, "external_id"),
    // A feature's id is its event name, which is an external id too.
    ...matches(forms.internal, raws, "internal_id").filter(({ entity }) => entity.type !== "feature"),
    ...matches(forms.names, raws, "name"),
    ...matches(forms.folded, raws.map(foldName), "folded"),
    ...(first === undefined || hasOuterFrame(question, span) ? [] : spokenCandidates(first, forms)),
  ];
}

/** Of words in any order and form. */
export const spokenCandidates = (said: string, forms: Forms): Candidate[] =>
  matches(forms.spoken, [spokenKey(said)], "spoken");

const matches = (forms: ReadonlyMap<string, readonly Entity[]>, keys: readonly string[], match: Match): Candidate[] =>
  [...new Set(keys)].flatMap((key) => (forms.get(key) ?? []).map((entity) => ({ entity, match })));
