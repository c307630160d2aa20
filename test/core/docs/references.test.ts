/** Checks that every link and file path in the documentation leads somewhere. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

import { fragmentsOf } from "./headings.ts";

const PAGES = globSync(["*.md", "docs/**/*.md", "test/README.md", "evals/**/*.md"]);
const SOURCES = globSync("{src,scripts,evals,bench,test}/**/*.{ts,tsx,sql}");
const PATH = /(?<![\w/.-])(?:src|test|scripts|evals|bench|docs|migrations)\/[\w./-]*[\w/]/g;
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

const read = (page: string): string => readFileSync(page, "utf8");

function brokenLinks(page: string): string[] {
  return [...read(page).matchAll(LINK)].flatMap(([, file = "", fragment]) => {
    const target = file === "" ? page : join(dirname(page), file);
    const isBroken = !existsSync(target) || (fragment !== undefined && !fragmentsOf(target).includes(fragment));
    return isBroken ? [fragment === undefined ? file : `${file}#${fragment}`] : [];
  });
}

const missingPaths = (file: string): string[] =>
  [...read(file).matchAll(PATH)].flatMap(([path]) => (existsSync(path) ? [] : [path]));

describe.each(PAGES)("%s", (page) => {
  it("has links to existing files and headings", () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it("names existing files", () => {
    expect(missingPaths(page)).toEqual([]);
  });
});

const isMissingTest = (name: string): boolean =>
  ![name, `test/${name}`, `test/${name}.test.ts`, `test/workers/${name}.test.ts`].some((file) => existsSync(file));

it("lists existing tests in test/README.md", () => {
  const names = [...read("test/README.md").matchAll(/`([a-z\d-]+\/[a-z\d/.-]+)`/g)].map(([, name = ""]) => name);
  expect(names.filter(isMissingTest)).toEqual([]);
});

it("names existing pages in the sources", () => {
  const missing = SOURCES.flatMap(missingPaths).filter((path) => path.startsWith("docs/"));
  expect(missing).toEqual([]);
});

const CODE = globSync("{src,test,evals}/**/*.{ts,tsx}");
const FILE = "`([\\w/-]+(?:\\.\\w+)*\\.tsx?|test/browser)`";
const CONSTANT = /`([A-Z][A-Z_]*[A-Z])`/g;

/** Finds the file that a line names beside a constant: `RULES` in `rules.ts`, `RULES` (`rules.ts`), or `rules.ts`: … `RULES`. */
function fileBeside(line: string, { 0: constant, index }: RegExpExecArray): string | undefined {
  const after = new RegExp(`^ (?:in |\\()${FILE}`).exec(line.slice(index + constant.length));
  const before = [...line.slice(0, index).matchAll(new RegExp(`${FILE}:`, "g"))].at(-1);
  return (after ?? before)?.[1];
}

const definesIn = (name: string, constant: string): boolean =>
  CODE.some(
    (path) =>
      (path === name || path.endsWith(`/${name}`) || path.startsWith(`${name}/`)) &&
      new RegExp(`\\bconst ${constant}\\b`).test(read(path)),
  );

it("names constants in CONTRIBUTING.md beside the files that define them", () => {
  const named = read("CONTRIBUTING.md")
    .split("\n")
    .flatMap((line) =>
      [...line.matchAll(CONSTANT)].map((match) => ({ constant: match[1] ?? "", file: fileBeside(line, match) })),
    );
  const beside = named.flatMap(({ constant, file }) => (file === undefined ? [] : [{ constant, file }]));

  expect(beside.filter(({ constant, file }) => !definesIn(file, constant))).toEqual([]);
  expect(beside.length).toBeGreaterThan(15);
});

it("numbers decisions without gaps or repeats", () => {
  const numbers = globSync("docs/decisions/*.md").map((file) => Number(basename(file).slice(0, 4)));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
});

it("has no conflict markers in a page or a source", () => {
  const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m;
  const others = globSync(["{ops,clients,migrations}/**/*.{json,ts,sql}", ".github/**/*.yml", "*.{toml,json,ts}"], {
    exclude: ["**/node_modules/**"],
  });
  expect([...PAGES, ...SOURCES, ...others].filter((file) => CONFLICT.test(read(file)))).toEqual([]);
});

it("keeps the rows of CONTRIBUTING.md short", () => {
  const long = (read("CONTRIBUTING.md").match(/^\|.*$/gm) ?? []).filter((row) => row.length > 150);
  expect(long).toEqual([]);
});

it("keeps the README below 10 KB", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThan(10 * 1_024);
});
