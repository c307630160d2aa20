/** Values of the body become others, of the same type and of none that is expected. */
import type { Chance } from "../chance.ts";
import { hostileKey, hostileNumber, hostileText, hostileTime } from "../hostile-values.ts";
import { type JsonTree, textOf } from "../json-tree.ts";
import type { Draft, Mutator } from "./draft.ts";
import { pickSlot, slotsIn } from "./places.ts";

const raw = (text: string): JsonTree => ({ kind: "text", text });

/** Something else in a number of places. */
const replacing = (name: string, weight: number, make: (chance: Chance) => JsonTree): Mutator => ({
  name,
  stage: "json",
  weight,
  mutate: (draft) => {
    for (let left = draft.chance.between(1, 3); left > 0; left--) pickSlot(draft)?.set(make(draft.chance));
  },
});

export const valueMutators: Mutator[] = [
  replacing("json: text", 10, (chance) => textOf(hostileText(chance))),
  replacing("json: number", 6, (chance) => raw(hostileNumber(chance))),
  replacing("json: time", 5, (chance) => textOf(hostileTime(chance))),
  replacing("json: type", 6, (chance) =>
    raw(chance.pick(["null", "true", "false", "0", '""', "[]", "{}", "[[]]", '{"a":1}', '["u1"]'])),
  ),
  {
    name: "json: time of a message",
    stage: "json",
    weight: 4,
    mutate: (draft) => {
      const times = slotsIn(draft).filter(
        ({ key }) => key !== null && /timestamp|sentAt|receivedAt|trialEndsAt|until/i.test(key),
      );
      for (const slot of times) if (draft.chance.happens(60)) slot.set(textOf(hostileTime(draft.chance)));
    },
  },
  {
    name: "json: identifier",
    stage: "json",
    weight: 5,
    mutate: (draft) => {
      const { chance } = draft;
      const ids = slotsIn(draft).filter(({ key }) => key !== null && /Id$|_id$|^id$|event|type/.test(key));
      for (const slot of ids) {
        if (chance.happens(50)) slot.set(chance.happens(70) ? textOf(hostileText(chance)) : raw(hostileNumber(chance)));
      }
    },
  },
  {
    name: "json: words of a text",
    stage: "json",
    weight: 4,
    mutate: (draft) => {
      const { chance } = draft;
      for (const slot of slotsIn(draft)) {
        const tree = slot.get();
        if (tree.kind !== "text" || !/^".* /.test(tree.text)) continue;
        const words: string[] = String(JSON.parse(tree.text)).split(" ");
        words.splice(chance.below(words.length), chance.below(2), ...otherWords(chance));
        slot.set(textOf(words.join(" ")));
      }
    },
  },
  {
    name: "json: canaries",
    stage: "json",
    weight: 8,
    mutate: (draft) => {
      for (let left = draft.chance.between(2, 6); left > 0; left--) plantCanary(draft);
    },
  },
];

const otherWords = (chance: Chance): string[] =>
  Array.from({ length: chance.between(0, 2) }, () =>
    chance.pick([
      "not",
      "or",
      "per",
      "last",
      "in 2019",
      "3",
      "week",
      "u1",
      "and",
      '"',
      "?",
      "before",
      "yesterday",
      hostileText(chance),
      hostileTime(chance),
    ]),
  );

/** A text that must not come back: as a value, or as a key, mostly of objects that may have any. */
export function plantCanary(draft: Draft): void {
  const { chance } = draft;
  const objects = slotsIn(draft).flatMap(({ get, key }) => {
    const tree = get();
    return tree.kind === "object" ? [{ tree, free: /properties|traits|context|company/.test(key ?? "") }] : [];
  });
  const free = objects.filter((one) => one.free);
  if (objects.length === 0) return;
  const { tree } = chance.pick(free.length > 0 && chance.happens(80) ? free : objects);
  const [key, value] = chance.happens(60) ? [hostileKey(chance), chance.canary()] : [chance.canary(), chance.below(9)];
  tree.members.push([key, textOf(value)]);
}
