import { describe, expect, it } from "vitest";

import {
  dimensionsOf,
  type IndexedValue,
  MAX_TRAIT_DIMENSIONS,
  MAX_INDEXED_VALUES,
  MAX_WORKSPACE_VALUES,
  valuesWithRoom,
} from "../../../../src/core/ask/query/dimensions.ts";

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

const typeOf = (values: readonly (string | number | boolean)[]) =>
  dimensionsOf(new Map([["user.trait", values]])).find(({ name }) => name === "user.trait")?.type;

it("§16 keeps the type that most of a trait's values have, whatever the others are", () => {
  const odd = ["n/a", "12", true, "1524831183200260097", "2026-12-31"];
  const typed: Record<string, (string | number | boolean)[]> = {
    number: [100, 200, 300.5],
    boolean: [true, false],
    date: ["2026-12-31", "2027-01-31T00:00:00Z", "2027-03-01"],
  };
  for (const [type, values] of Object.entries(typed))
    for (const other of odd)
      expect(typeOf([...values, other, "", " \t"].toReversed()), `${type}, ${JSON.stringify(other)}`).toBe(type);
  expect(typeOf([1, 2, "gold", "silver"])).toBe("text");
  expect(typeOf([1, "gold"])).toBe("text");
});

it("§16 lists no blank values, and none twice", () => {
  const [trait] = dimensionsOf(new Map([["user.trait", ["", "5", 5, "gold", "  "]]])).slice(-1);
  expect(trait).toMatchObject({ type: "text", values: ["5", "gold"] });
  expect(dimensionsOf(new Map([["user.trait", [""]]])).at(-1)).toMatchObject({ type: "text", values: [] });
});

const valuesOf = (dimension: string, count: number, text = "v"): IndexedValue[] =>
  Array.from({ length: count }, (_, place) => ({ dimension, value: JSON.stringify(`${text}${place}`) }));
const traitsNamed = (text: string, count: number, values = 1): IndexedValue[] =>
  Array.from({ length: count }, (_, place) => valuesOf(`user.${text}${place}`, values)).flat();
const dimensionsIn = (values: readonly IndexedValue[]) => new Set(values.map(({ dimension }) => dimension));

describe("§16 the values that a workspace keeps", () => {
  it("§16 are those of the first 500 traits, and of any plan and currency", () => {
    const stored = traitsNamed("known", MAX_TRAIT_DIMENSIONS - 1);
    const found = [...traitsNamed("hostile", 3), ...valuesOf("plan", 1), ...valuesOf("currency", 1)];
    expect([...dimensionsIn(valuesWithRoom(stored, found))]).toEqual(["user.hostile0", "plan", "currency"]);
    expect(valuesWithRoom([...stored, ...valuesOf("user.hostile0", 1)], traitsNamed("other", 9))).toEqual([]);
  });

  it("§16 are at most 200 of a dimension, the stored ones among them", () => {
    for (const dimension of ["plan", "user.role"]) {
      const stored = valuesOf(dimension, MAX_INDEXED_VALUES - 2);
      const added = valuesWithRoom(stored, valuesOf(dimension, 5, "new"));
      expect(added).toEqual(valuesOf(dimension, 2, "new"));
    }
  });

  it("§16 leave room for a value of each trait, and for plans and currencies: 5,000 in all", () => {
    const flood = valuesWithRoom([], traitsNamed("id", 40, MAX_INDEXED_VALUES));
    expect(flood.length).toBeLessThan(MAX_WORKSPACE_VALUES);
    const later = [
      ...traitsNamed("late", 2 * MAX_TRAIT_DIMENSIONS, 2),
      ...valuesOf("plan", 2 * MAX_INDEXED_VALUES),
      ...valuesOf("currency", 2 * MAX_INDEXED_VALUES),
    ];
    const all = [...flood, ...valuesWithRoom(flood, later)];
    expect(all).toHaveLength(MAX_WORKSPACE_VALUES);
    expect(dimensionsIn(all).size).toBe(MAX_TRAIT_DIMENSIONS + 2);
    expect(valuesWithRoom(all, [...later, ...traitsNamed("id", 40, MAX_INDEXED_VALUES + 1)])).toEqual([]);
  });

  it("§16 have a bounded number of characters, which questions read", () => {
    const long = traitsNamed("long", 100, MAX_INDEXED_VALUES).map(({ dimension, value }) => ({
      dimension,
      value: JSON.stringify(value.padEnd(90, "x")),
    }));
    const kept = valuesWithRoom([], long);
    const characters = kept.reduce((sum, { value }) => sum + value.length, 0);
    expect(characters).toBeGreaterThan(49_000);
    expect(characters).toBeLessThanOrEqual(50_000 + 100 * 100);
  });
});
