/** §15.2: what the names that the database found mean in a question. */
import { describe, expect, it } from "vitest";

import { type KnownName, matchNames, nameLookup } from "../../../../../src/core/ask/reader/words/match-names.ts";
import { splitWords } from "../../../../../src/core/ask/reader/words/split-words.ts";

const known = (key: string, rest: Partial<KnownName> = {}): KnownName => ({
  type: "account",
  externalId: key.replaceAll(" ", "-"),
  name: null,
  number: 1,
  id: `acc_${key}`,
  isPersonal: false,
  key,
  isPart: false,
  isTruncated: false,
  ...rest,
});

function matchesOf(text: string, byKey: readonly KnownName[], byPrefix: readonly KnownName[] = []) {
  const words = splitWords(text);
  return matchNames(words, nameLookup(text, words), { byKey, byPrefix });
}

const matched = (...given: Parameters<typeof matchesOf>) =>
  matchesOf(...given).map(({ matchedBy, externalId }) => `${matchedBy} ${externalId}`);

describe("§15.2 names in a question", () => {
  it("§15.2 are whole names before parts, and only for proposal if there may be more", () => {
    expect(
      matched("Acme", [known("acme"), known("acme", { externalId: "acme-two", id: "acc_2", isPart: true })]),
    ).toEqual(["folded acme"]);
    expect(matched("Acme", [known("acme", { isTruncated: true })])).toEqual(["suggestion acme"]);
    expect(matched("acme", [known("acme", { isTruncated: true })])).toEqual(["external_id acme"]);
    expect(matched("halcyon", [known("halcyon", { isPart: true, externalId: "halcyon-health" })])).toEqual([
      "part halcyon-health",
    ]);
    expect(matched("halcyon", [known("halcyon", { isPart: true, isTruncated: true })])).toEqual(["suggestion halcyon"]);
  });

  it("§15.2 leave out a sign at either end, unless the stored name has it", () => {
    expect(matchesOf("acme + globex", [known("acme")])).toMatchObject([{ from: 0, to: 1, matchedBy: "external_id" }]);
    expect(matched("A+", [known("a", { name: "A+" })])).toContain("name a");
  });

  it("§15.2 are misspelled, or only similar, by their distance", () => {
    expect(matched("globxe", [], [known("globex")])).toEqual(["fuzzy globex"]);
    expect(matched("globxe", [], [known("globex", { isTruncated: true })])).toEqual(["suggestion globex"]);
    expect(matched("glabxe", [], [known("globex")])).toEqual(["suggestion globex"]);
    expect(matched("globex", [], [known("globex industries")])).toEqual(["suggestion globex-industries"]);
    expect(matched("glo", [], [known("globex")])).toEqual([]);
    expect(matched("globex1", [], [known("globex")])).toEqual([]);
  });

  it("§15.2 are of the type that the question says, by id or by name", () => {
    const kims = [known("kim"), known("kim", { type: "user", id: "usr_kim" })];
    const typed = (text: string) => matchesOf(text, kims).map(({ type }) => type);
    expect(typed("kim")).toEqual(["account", "user"]);
    expect(typed("user kim")).toEqual(["user"]);
    expect(typed("account kim")).toEqual(["account"]);
    const id = "acc_0123456789abcdef01234567";
    expect(nameLookup(id, splitWords(id)).ids).toEqual([id]);
    expect(matched(id, [known("acc 0123456789abcdef01234567", { id, externalId: "acme" })])).toEqual([
      "internal_id acme",
    ]);
    expect(matched("Kim Doe", [known("kim doe", { name: "Kim Doe" })])).toEqual(["name kim-doe"]);
  });

  it("§15.2 are never part of an id", () => {
    expect(matched("globex-1 and x.globex", [known("globex")])).toEqual([]);
    expect(matched("globex, then.", [known("globex")])).toEqual(["external_id globex"]);
  });
});
