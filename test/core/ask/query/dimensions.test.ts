import { expect, it } from "vitest";

import { dimensionsOf } from "../../../../src/core/ask/query/dimensions.ts";

it("types a trait by its values, and mixed values as text", () => {
  const dimensions = dimensionsOf(
    new Map<string, (string | number | boolean)[]>([
      ["plan", ["Team", "Business"]],
      ["account.headcount", [12, 40]],
      ["account.isPartner", [true]],
      ["account.contractEndsOn", ["2026-12-31", "2027-01-31T00:00:00Z"]],
      ["account.zip", ["01067", 4_040]],
      ["account.renewal", ["2026-13-40"]],
      ["user.role", ["admin"]],
    ]),
  );
  const typeOf = (wanted: string) => dimensions.find(({ name }) => name === wanted)?.type;
  expect(typeOf("account.headcount")).toBe("number");
  expect(typeOf("account.isPartner")).toBe("boolean");
  expect(typeOf("account.contractEndsOn")).toBe("date");
  expect([typeOf("account.zip"), typeOf("account.renewal"), typeOf("user.role")]).toEqual(["text", "text", "text"]);
  expect(dimensions.find(({ name }) => name === "plan")?.values).toEqual(["Team", "Business"]);
  expect(dimensions.find(({ name }) => name === "account.zip")?.values).toEqual(["01067", "4040"]);
  expect(dimensions.find(({ name }) => name === "user.role")?.of).not.toContain("accounts");
});
