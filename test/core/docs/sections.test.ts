/** Checks that each number of a rule, and each anchor, leads to exactly one section of the documentation. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

import { fragmentsOf } from "./headings.ts";

const PAGES = globSync("docs/**/*.md");
const GUIDES = [...PAGES, "README.md", "CONTRIBUTING.md", "test/README.md"];
const SOURCES = globSync([
  "{src,scripts,evals,bench,test,migrations}/**/*.{ts,tsx,mjs,sql}",
  "*.{ts,toml}",
  ".oxlintrc.json",
]).filter((file) => !file.startsWith("test/core/docs/"));

const SECTION = /^#+ §(\d+(?:\.\d+)*) /gm;
const NUMBER = /§(\d+(?:\.\d+)*)/g;
const NUMBER_AS_LINK = /\[§(\d+(?:\.\d+)*)\]\(([^)#\s]*)#[^)]*\)/g;
/** A page with the numbers of its sections: `docs/wire/messages.md §4.2, §4.3`. */
const PAGE_WITH_NUMBERS = /(docs\/[\w/-]+\.md),? ((?:§[\d.]*\d(?:, | and | to )?)+)/g;
const PAGE_WITH_ANCHOR = /(docs\/[\w/-]+\.md)#([\w-]+)/g;
/** A title after a page, as in `docs/databases.md, Location`, can't be checked: cite the number or the anchor. */
const PAGE_WITH_TITLE = /docs\/[\w/-]+\.md, [A-Z"]\w+/g;

const read = (file: string): string => readFileSync(file, "utf8");
const numbersIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, number = ""]) => number);
const repeated = (values: string[]): string[] => values.filter((value, index) => values.indexOf(value) !== index);

const NUMBERED = PAGES.flatMap((page) => numbersIn(read(page), SECTION).map((number) => ({ number, page })));
const PAGE_OF = new Map(NUMBERED.map(({ number, page }) => [number, page]));

it("numbers each section once", () => {
  expect(repeated(NUMBERED.map(({ number }) => number))).toEqual([]);
});

describe.each(PAGES)("%s", (page) => {
  it("has no two headings with the same anchor", () => {
    expect(repeated(fragmentsOf(page))).toEqual([]);
  });

  it("marks the numbers of its headings with §", () => {
    const isDecision = page.startsWith("docs/decisions/");
    expect(isDecision ? [] : (read(page).match(/^#+ \d.*$/gm) ?? [])).toEqual([]);
  });

  it("links the numbers of other pages' sections to them", () => {
    const text = read(page);
    const misled = [...text.matchAll(NUMBER_AS_LINK)].flatMap(([link, number = "", target = ""]) =>
      PAGE_OF.get(number) === join(dirname(page), target) ? [] : [link],
    );
    const unlinked = numbersIn(text.replaceAll(NUMBER_AS_LINK, ""), NUMBER).filter(
      (number) => PAGE_OF.get(number) !== page,
    );
    expect([...misled, ...unlinked]).toEqual([]);
  });
});

/** Lists what `find` finds in each file that may cite the documentation. */
const inEveryFile = (find: (text: string) => string[]): string[] =>
  [...GUIDES, ...SOURCES].flatMap((file) => find(read(file)).map((citation) => `${file}: ${citation}`));

it("cites existing sections", () => {
  expect(inEveryFile((text) => numbersIn(text, NUMBER).filter((number) => !PAGE_OF.has(number)))).toEqual([]);
});

it("cites numbered sections with the page that has them", () => {
  const wrong = inEveryFile((text) =>
    [...text.matchAll(PAGE_WITH_NUMBERS)].flatMap(([citation, page, numbers = ""]) =>
      numbersIn(numbers, NUMBER).every((number) => PAGE_OF.get(number) === page) ? [] : [citation],
    ),
  );
  expect(wrong).toEqual([]);
});

it("cites sections without a number by their anchor", () => {
  const wrong = inEveryFile((text) => [
    ...[...text.matchAll(PAGE_WITH_ANCHOR)].flatMap(([citation, page = "", anchor = ""]) =>
      fragmentsOf(page).includes(anchor) ? [] : [citation],
    ),
    ...(text.match(PAGE_WITH_TITLE) ?? []),
  ]);
  expect(wrong).toEqual([]);
});

/** Lists the rules of test/README.md with their tests. A row without a number continues the rule above it. */
function testsOfRules(): { rule: string; name: string }[] {
  const [, table = ""] = read("test/README.md").split("## From a rule to its tests");
  const [rows = ""] = table.split("\n## ");
  let rule = "";
  return [...rows.matchAll(/^\| (?:§([\d.]+))? ?\| .* \| (.*) \|$/gm)].flatMap(([, number, names = ""]) => {
    rule = number ?? rule;
    return numbersIn(names, /`([a-z\d-]+\/[a-z\d/.*-]+)`/g).map((name) => ({ rule, name }));
  });
}

const filesOf = (name: string): string[] =>
  [`test/${name}.test.ts`, `test/workers/${name}.test.ts`, name]
    .map((path) => globSync(path))
    .find((files) => files.length > 0) ?? [];

it("lists tests under the numbers that their titles have", () => {
  const tests = testsOfRules();
  const unnumbered = tests.filter(({ rule, name }) => {
    const title = new RegExp(`["'\`][^"'\`\\n]*§${rule.replaceAll(".", "\\.")}(?!\\d)`);
    return !filesOf(name).some((file) => title.test(read(file)));
  });
  expect(unnumbered).toEqual([]);
  expect(tests.length).toBeGreaterThan(100);
});

it("keeps each page of docs/wire below 1,500 words", () => {
  const long = globSync("docs/wire/*.md").filter((page) => read(page).split(/\s+/).length >= 1_500);
  expect(long).toEqual([]);
});

it("lists each page in docs/README.md, or in docs/wire/README.md", () => {
  const missing = globSync("docs/{,wire/}*.md").filter(
    (page) =>
      !page.endsWith("README.md") && !read(join(dirname(page), "README.md")).includes(`](${page.split("/").at(-1)})`),
  );
  expect(missing).toEqual([]);
});
