import { expect, it } from "vitest";

import manifest from "../../../package.json?raw";

it("the service has ten dependencies, each pinned to one version", () => {
  const { dependencies } = JSON.parse(manifest);
  expect(Object.keys(dependencies)).toEqual([
    "@hono/zod-validator",
    "@modelcontextprotocol/server",
    "d3-array",
    "d3-time",
    "drizzle-orm",
    "hono",
    "hyparquet",
    "hyparquet-writer",
    "jose",
    "zod",
  ]);
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
