/** Checks docs/security.md against the project. */
import { expect, it } from "vitest";

import document from "../../../docs/security.md?raw";

const tests = import.meta.glob("/test/{core,workers}/**/*.test.ts");
const sources = import.meta.glob("/src/**/*.ts");
const threats = document.split(/^### /m).slice(1);

/** The code spans of the document, or of the lines that begin with `start`. */
function named(pattern: RegExp, text = document): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

it("has an attack, a defense, tests and a risk for each threat", () => {
  expect(threats.length).toBeGreaterThan(12);
  for (const threat of threats) {
    expect(named(/^- \*\*(\w+):\*\*/gm, threat), threat.slice(0, 40)).toEqual(["Attack", "Defense", "Tests", "Risk"]);
  }
});

it("names tests that exist", () => {
  const names = threats.flatMap((threat) => named(/`([a-z/-]+)`/g, /^- \*\*Tests:.*$/m.exec(threat)?.[0]));
  expect(names.length).toBeGreaterThanOrEqual(threats.length);
  const files = names.map((name) => `/test/${name.startsWith("core/") ? name : `workers/${name}`}.test.ts`);
  expect(files.filter((file) => !(file in tests))).toEqual([]);
});

it("names code that exists", () => {
  const names = named(/`(src\/[^`]+\.ts)`/g);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !(`/${name}` in sources))).toEqual([]);
});
