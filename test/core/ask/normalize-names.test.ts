/** The forms that names are looked up by. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { editDistanceWithin, foldName, maxEdits, nameKeys } from "../../../src/core/ask/normalize-names.ts";
import { stemOf } from "../../../src/core/ask/stem.ts";

const SMALL_WORDS = new Set(["a", "any", "of", "the"]);

/** Returns the sorted stems of the words that matter. */
const stemsOf = (text: string): string =>
  foldName(text)
    .split(" ")
    .filter((word) => !SMALL_WORDS.has(word))
    .map(stemOf)
    .toSorted()
    .join(" ");

/** Text of any kind, some of it with accents, ligatures and signs. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from("aAßÆøİıñ e\u0301.-_'&Ж漢ﬁ½")), maxLength: 20 }),
);

describe("§15.2 a folded name", () => {
  it.each([
    ["Acme", "acme"],
    ["  ACME,  Inc. ", "acme inc"],
    ["Ünïted-Corp.", "united corp"],
    ["report.exported", "report exported"],
    ["comment_added", "comment added"],
    ["maria@acme.example", "maria acme example"],
    ["Straße & Söhne", "strasse sohne"],
    ["Ærø Łódź Þór Đorđe", "aero lodz thor dorde"],
    ["İstanbul ısı", "istanbul isi"],
    ["ﬁnance", "finance"],
    ["Ｆｕｌｌ Ｗｉｄｔｈ", "full width"],
    ["Café", "cafe"],
    ["Cafe\u0301", "cafe"],
    ["日本 電気", "日本 電気"],
    ["Жук", "жук"],
    ["42", "42"],
    ["!?", ""],
    ["", ""],
  ])("§15.2 %j is %j", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it("§15.2 doesn't change if folded again", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
      { numRuns: 1_000 },
    );
  });

  it("§15.2 has single blanks between its words and none around them", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(foldName(name)).toMatch(/^(?:\S+(?: \S+)*)?$/u);
      }),
    );
  });

  it("§15.2 is the same for composed and decomposed letters", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(foldName(name.normalize("NFD"))).toBe(foldName(name.normalize("NFC")));
      }),
    );
  });
});

describe("§15.2 the stems of an event name", () => {
  it.each([
    ["report.exported", "exporting reports"],
    ["report.exported", "reports exported"],
    ["report.exported", "export of any reports"],
    ["user.invited", "user invitations"],
    ["dashboard.viewed", "views a dashboard"],
    ["comment_added", "adding comments"],
    ["invoice.sent", "send the invoices"],
    ["category.created", "create categories"],
    ["payment.submitted", "payment submission"],
    ["account.verified", "account verification"],
    ["plan.chosen", "choose a plan"],
    ["subscription.cancelled", "cancel subscription"],
    ["meeting.held", "hold meetings"],
    ["class.passed", "pass a class"],
    ["feed.freed", "freed feeds"],
  ])("§15.2 are the same for %j and %j", (name, said) => {
    expect(stemsOf(said)).toBe(stemsOf(name));
  });

  it.each([
    ["report.exported", "report.imported"],
    ["report.exported", "dashboard.exported"],
    ["report.exported", "exported"],
    ["user.invited", "user.removed"],
    ["v2.export", "v3.export"],
    ["plan.made", "plan.paid"],
  ])("§15.2 differ for %j and %j", (name, other) => {
    expect(stemsOf(name)).not.toBe(stemsOf(other));
  });
});

describe("§15.2 the keys of a name", () => {
  it.each([
    ["Halcyon Health", "company", ["halcyon health", "halcyon", "health"]],
    ["Bank of the North", "company", ["bank of the north", "bank", "north"]],
    ["acme", "external_id", ["acme"]],
    ["north-star", "external_id", ["north star", "north", "star"]],
    ["customer-12", "external_id", ["customer 12"]],
    ["Studio 54", "company", ["studio 54", "studio"]],
    ["jo.doe@acme.example", "email", ["jo doe acme example"]],
    ["Jo Jo", "name", ["jo jo"]],
  ] as const)("§15.2 of %j, a %s, are %j", (name, source, keys) => {
    expect(nameKeys(name, source).map(({ key }) => key)).toEqual(keys);
    expect(nameKeys(name, source).map(({ isPart }) => isPart)).toEqual(keys.map((_, at) => at > 0));
  });
});

describe("§15.2 the number of edits that a misspelling may have", () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [8, 1],
    [9, 2],
    [64, 2],
  ])("§15.2 for %i letters is %i", (length, reach) => {
    expect(maxEdits(length)).toBe(reach);
  });
});

describe("§15.2 the number of edits between two names", () => {
  it.each([
    ["acme", "acme", 0],
    ["acme", "acne", 1],
    ["acme", "acm", 1],
    ["acme", "aacme", 1],
    ["acme", "amce", 1],
    ["acme", "came", 1],
    ["globex", "golbxe", 2],
    ["globex", "blogex", 2],
    ["abc", "ca", 3],
    ["", "ab", 2],
    ["ab", "", 2],
    ["", "", 0],
    ["😀b", "b", 1],
  ])("§15.2 between %j and %j is %i", (a, b, distance) => {
    expect(editDistanceWithin(a, b, 3)).toBe(distance);
    expect(editDistanceWithin(b, a, 3)).toBe(distance);
    expect(editDistanceWithin(a, b, distance)).toBe(distance);
    expect(editDistanceWithin(a, b, distance - 1)).toBeNull();
  });

  it("§15.2 equals the result of a plain table of all prefixes", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
        const distance = plainDistance(a, b);
        expect(editDistanceWithin(a, b, most)).toBe(distance <= most ? distance : null);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Computes the distance by its definition, prefix by prefix. */
function plainDistance(a: string, b: string): number {
  const known = new Map<string, number>();
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const there = known.get(key);
    if (there !== undefined) return there;
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const least = Math.min(
      of(i - 1, j) + 1,
      of(i, j - 1) + 1,
      of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      isSwap ? of(i - 2, j - 2) + 1 : Infinity,
    );
    known.set(key, least);
    return least;
  };
  return of(a.length, b.length);
}
