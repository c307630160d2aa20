/** Checks that docs/security.md describes each threat completely, and names tests that exist. */
import { expect, it } from "vitest";

import document from "../../../docs/security.md?raw";

const tests = import.meta.glob("/test/{core,workers}/**/*.test.ts");
const threats = document.split(/^### /m).slice(1);

/** Returns the first group of each match. */
function named(pattern: RegExp, text = ""): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

it("says for each threat what the attack, the defense, the tests and the risk are", () => {
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
