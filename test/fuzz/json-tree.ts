/**
 * JSON as a sender may write it and `JSON.stringify` never would: with keys that stand twice, numbers beyond all
 * numbers, and nesting that no recursion survives.
 */

export type JsonTree = JsonObjectTree | JsonArrayTree | JsonText;

export interface JsonObjectTree {
  kind: "object";
  members: [key: string, value: JsonTree][];
}

export interface JsonArrayTree {
  kind: "array";
  items: JsonTree[];
}

/** Written as it is. */
export interface JsonText {
  kind: "text";
  text: string;
}

/** A place in the tree that holds a value. */
export interface JsonSlot {
  readonly get: () => JsonTree;
  readonly set: (value: JsonTree) => void;
  /** What holds it; `null` at the top. */
  parent: JsonObjectTree | JsonArrayTree | null;
  /** The key, in an object. */
  key: string | null;
}

export const textOf = (value: unknown): JsonText => ({ kind: "text", text: JSON.stringify(value) ?? "null" });

/** @param value as `JSON.parse` makes it */
export function toTree(value: unknown): JsonTree {
  if (Array.isArray(value)) return { kind: "array", items: value.map(toTree) };
  if (typeof value !== "object" || value === null) return textOf(value);
  return { kind: "object", members: Object.entries(value).map(([key, member]) => [key, toTree(member)]) };
}

export function write(tree: JsonTree): string {
  switch (tree.kind) {
    case "text":
      return tree.text;
    case "array":
      return `[${tree.items.map(write).join(",")}]`;
    case "object":
      return `{${tree.members.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(",")}}`;
  }
}

/** All places of the tree, the top first. */
export function slotsOf(top: { tree: JsonTree }): JsonSlot[] {
  const slots: JsonSlot[] = [];
  const visit = (slot: JsonSlot): void => {
    slots.push(slot);
    const tree = slot.get();
    if (tree.kind === "array") {
      for (const [index, value] of tree.items.entries()) {
        visit({
          get: () => tree.items[index] ?? value,
          set: (to) => void (tree.items[index] = to),
          parent: tree,
          key: null,
        });
      }
    }
    if (tree.kind === "object") {
      for (const member of tree.members) {
        visit({ get: () => member[1], set: (to) => void (member[1] = to), parent: tree, key: member[0] });
      }
    }
  };
  visit({ get: () => top.tree, set: (to) => void (top.tree = to), parent: null, key: null });
  return slots;
}
