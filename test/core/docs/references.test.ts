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

it("numbers decisions without gaps or repeats", () => {
  const numbers = globSync("docs/decisions/*.md").map((file) => Number(basename(file).slice(0, 4)));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
});

it("keeps the rows of CONTRIBUTING.md short", () => {
  const long = (read("CONTRIBUTING.md").match(/^\|.*$/gm) ?? []).filter((row) => row.length > 150);
  expect(long).toEqual([]);
});

it("keeps the README below 10 KB", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThan(10 * 1_024);
});
