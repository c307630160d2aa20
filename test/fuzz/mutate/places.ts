/** Places in the JSON of a draft, for mutators to pick from. */
import { type JsonObjectTree, type JsonSlot, slotsOf } from "../json-tree.ts";
import type { Draft } from "./draft.ts";

export const slotsIn = ({ json }: Draft): JsonSlot[] => (json === null ? [] : slotsOf(json));

/** Any place, the top rarely; `null` where there is no JSON. */
export function pickSlot(draft: Draft): JsonSlot | null {
  const all = slotsIn(draft);
  const inner = draft.chance.happens(97) ? all.slice(1) : all;
  const from = inner.length > 0 ? inner : all;
  return from.length === 0 ? null : draft.chance.pick(from);
}

export function pickObject(draft: Draft): JsonObjectTree | null {
  const objects = slotsIn(draft).flatMap(({ get }) => {
    const tree = get();
    return tree.kind === "object" ? [tree] : [];
  });
  return objects.length === 0 ? null : draft.chance.pick(objects);
}
