/** §15.2: sifting names by trigrams loses none that is a slip away. */
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { editDistanceWithin, foldName, fuzzyReach } from "../../../src/core/ask/names.ts";
import { fuzzyGrams } from "../../../src/db/ask/name-rows.ts";
import { slipFinder, soughtSpans } from "../../../src/db/ask/slips.ts";

const letters = fc.string({
  unit: fc.constantFrom("a", "b", "n", "o", "r", "t", " ", "é"),
  minLength: 4,
  maxLength: 16,
});
type Edit = { at: number; how: "drop" | "add" | "change" | "swap"; letter: string };
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(16),
  how: fc.constantFrom("drop", "add", "change", "swap"),
  letter: fc.constantFrom("a", "o", "x", " "),
});

function edited(name: string, { at, how, letter }: Edit): string {
  const some = Array.from(name);
  const place = at % some.length;
  if (how === "drop") some.splice(place, 1);
  if (how === "add") some.splice(place, 0, letter);
  if (how === "change") some[place] = letter;
  if (how === "swap") some.splice(place, 2, ...some.slice(place, place + 2).toReversed());
  return some.join("");
}

it("§15.2 a name is found by a span exactly where it is within reach and has trigrams to be found by", () => {
  fc.assert(
    fc.property(letters, fc.array(edit, { maxLength: 3 }), letters, (written, edits, other) => {
      const name = foldName(written);
      const span = foldName(edits.reduce((text, one) => (text === "" ? text : edited(text, one)), name));
      const sought = soughtSpans([foldName(other), span]);
      const isWithin = sought.some((one) => {
        const reach = fuzzyReach(Array.from(one.span).length);
        return editDistanceWithin(one.span, name, reach) !== null;
      });
      expect(slipFinder(sought).isSlip(name)).toBe(isWithin && fuzzyGrams(name).length > 0);
    }),
    { numRuns: 20_000 },
  );
});
