/** The body takes on another structure: members go, come twice, or stand where they don't belong; all of it is deep, or long. */
import { hostileKey, hostileNumber, hostileText } from "../hostile-values.ts";
import { type JsonTree, textOf, write } from "../json-tree.ts";
import type { Draft, Mutator } from "./draft.ts";
import { pickObject, pickSlot, slotsIn } from "./places.ts";

/** Around the depth that is allowed, and far beyond what a stack takes. */
const DEPTHS = [2, 28, 29, 30, 31, 32, 33, 34, 100, 1_000, 10_000, 100_000];
const LENGTHS = [2, 20, 99, 100, 101, 256, 257, 300];
/** Well beyond all limits; what multiplies must not multiply without end. */
const MAX_ADDED_BYTES = 2_000_000;
const BATCH_LENGTHS = [2, 99, 100, 101, 300];

const structural = (name: string, weight: number, mutate: (draft: Draft) => void): Mutator => ({
  name: `json: ${name}`,
  stage: "json",
  weight,
  mutate,
});

export const structureMutators: Mutator[] = [
  structural("delete", 6, (draft) => {
    const { chance } = draft;
    for (let left = chance.between(1, 4); left > 0; left--) {
      const slot = pickSlot(draft);
      const parent = slot?.parent;
      if (parent?.kind === "object") parent.members = parent.members.filter(([key]) => key !== slot?.key);
      if (parent?.kind === "array") parent.items.splice(chance.below(parent.items.length), 1);
    }
  }),
  structural("key twice", 4, (draft) => {
    const { chance } = draft;
    const object = pickObject(draft);
    if (object === null || object.members.length === 0) return;
    const [key] = chance.pick(object.members);
    object.members.splice(chance.below(object.members.length + 1), 0, [key, anyTree(draft)]);
  }),
  structural("another key", 8, (draft) => {
    const object = pickObject(draft);
    for (let left = draft.chance.between(1, 4); left > 0; left--) {
      object?.members.push([hostileKey(draft.chance), anyTree(draft)]);
    }
  }),
  structural("rename", 5, (draft) => {
    const object = pickObject(draft);
    if (object === null || object.members.length === 0) return;
    draft.chance.pick(object.members)[0] = hostileKey(draft.chance);
  }),
  structural("swap", 3, (draft) => {
    const [one, other] = [pickSlot(draft), pickSlot(draft)];
    if (one === null || other === null) return;
    // Copies: one may lie within the other.
    const [a, b] = [copy(one.get()), copy(other.get())];
    one.set(b);
    other.set(a);
  }),
  structural("nest", 4, (draft) => {
    const slot = pickSlot(draft);
    slot?.set(nested(slot.get(), draft.chance.pick(DEPTHS), draft.chance.happens(50)));
  }),
  structural("many keys", 3, (draft) => {
    const object = pickObject(draft);
    const count = draft.chance.pick(LENGTHS);
    for (let index = 0; index < count; index++) object?.members.push([`key${index}`, textOf(index)]);
  }),
  structural("long array", 3, (draft) => {
    const slot = pickSlot(draft);
    const item = write(anyTree(draft));
    const count = Math.min(draft.chance.pick([10, 1_000, 20_000]), Math.floor(MAX_ADDED_BYTES / item.length));
    // As text, or the next mutator would find a place in each of them.
    slot?.set({ kind: "text", text: `[${Array.from({ length: count }, () => item).join(",")}]` });
  }),
  structural("long batch", 2, (draft) => {
    const { chance } = draft;
    const array = slotsIn(draft)
      .map(({ get }) => get())
      .find((tree) => tree.kind === "array");
    const item = array?.kind === "array" ? array.items[0] : undefined;
    if (array?.kind !== "array" || item === undefined) return;
    const wanted = chance.happens(10) ? chance.pick([999, 1_000, 1_001]) : chance.pick(BATCH_LENGTHS);
    const length = Math.min(wanted, Math.ceil(MAX_ADDED_BYTES / write(item).length));
    array.items = Array.from({ length }, (_, index) =>
      chance.happens(90) ? withOwnId(item, chance.letters(12)) : (array.items[index] ?? item),
    );
  }),
  structural("near the limit", 3, (draft) => {
    const { chance } = draft;
    const object = pickObject(draft);
    // Around 4, 16 and 512 KB of body.
    const limit = chance.happens(10) ? 524_288 : chance.pick([4_096, 16_384]);
    const size = draft.json === null ? 0 : Buffer.byteLength(write(draft.json.tree));
    object?.members.push(["padding", textOf("x".repeat(Math.max(0, limit - size - 13 + chance.between(-2, 2))))]);
  }),
  structural("another body", 2, (draft) => {
    const { chance, json } = draft;
    if (json === null) return;
    json.tree = chance.happens(50) ? anyTree(draft) : { kind: "array", items: [anyTree(draft), copy(json.tree)] };
  }),
];

function anyTree({ chance, json }: Draft): JsonTree {
  const top = json?.tree;
  switch (chance.below(5)) {
    case 0:
      return { kind: "text", text: hostileNumber(chance) };
    case 1:
      return { kind: "text", text: chance.pick(["null", "true", "{}", "[]"]) };
    case 2:
      return top?.kind === "object" && top.members.length > 0 ? copy(chance.pick(top.members)[1]) : textOf([]);
    case 3:
      return { kind: "object", members: [[hostileKey(chance), textOf(hostileText(chance))]] };
    default:
      return textOf(hostileText(chance));
  }
}

/** As text: no recursion here would survive it either. */
function nested(tree: JsonTree, depth: number, inArrays: boolean): JsonTree {
  const [open, close] = inArrays ? ["[", "]"] : ['{"a":', "}"];
  return { kind: "text", text: open.repeat(depth) + write(tree) + close.repeat(depth) };
}

function withOwnId(item: JsonTree, id: string): JsonTree {
  const own = copy(item);
  const inner = own.kind === "object" ? (own.members.find(([key]) => key === "json")?.[1] ?? own) : own;
  if (inner.kind === "object")
    inner.members = [...inner.members.filter(([key]) => key !== "messageId"), ["messageId", textOf(id)]];
  return own;
}

const copy = (tree: JsonTree): JsonTree => structuredClone(tree);
