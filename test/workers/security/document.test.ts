/** What docs/security.md says is there is there: the tests it names, and the code. */
import { describe, expect, it } from "vitest";

import document from "../../../docs/security.md?raw";

const tests = import.meta.glob("/test/{core,workers}/**/*.test.ts", { query: "?raw", import: "default", eager: true });
const sources = import.meta.glob("/src/**/*.ts");

const NAMED_TEST = /`([a-z/-]+)` "([^"]+)"/g;
const NAMED_SOURCE = /`(src\/[^`]+\.ts)`/g;
const sections = document.split(/^### /m).slice(1);

/** Whether a file has a test of a name, or one that begins with it. */
function hasTest(file: string, name: string): boolean {
  const text = tests[`/test/${file.startsWith("core/") ? file : `workers/${file}`}.test.ts`];
  return (
    typeof text === "string" &&
    ['"', "`"].some((quote) => text.includes(`(${quote}${name}`) || text.includes(`  ${quote}${name}`))
  );
}

describe("docs/security.md", () => {
  it("says of each threat what is tried, what stands against it, what shows it and what is left", () => {
    expect(sections.length).toBeGreaterThan(12);
    for (const section of sections) {
      const bold = [...section.matchAll(/^- \*\*(\w[\w ]*):\*\*/gm)].map(([, word]) => word);
      expect(bold, section.slice(0, 40)).toEqual(["Tried", "Defence", "Shown by", "Left"]);
      expect([...section.matchAll(NAMED_TEST)].length, section.slice(0, 40)).toBeGreaterThan(0);
    }
  });

  it("names tests that exist", () => {
    const missing = [...document.matchAll(NAMED_TEST)].filter(([, path = "", name = ""]) => !hasTest(path, name));
    expect(missing.map(([all]) => all)).toEqual([]);
  });

  it("names code that exists", () => {
    const named = [...document.matchAll(NAMED_SOURCE)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !(`/${path}` in sources))).toEqual([]);
  });
});
