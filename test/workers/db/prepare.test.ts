import { sqliteTable, integer, text } from "drizzle-orm/sqlite-core";
import { describe, expect, expectTypeOf, it } from "vitest";

import { columnsOf } from "../../../src/db/client/columns-of.ts";
import { expression, nullable } from "../../../src/db/client/expression.ts";
import { prepare, prepareQuery } from "../../../src/db/client/prepare.ts";
import type { Statement } from "../../../src/db/client/statement.ts";

const people = sqliteTable("people", {
  number: integer("number").primaryKey(),
  name: text("name"),
  isAdmin: integer("is_admin", { mode: "boolean" }).notNull(),
  traits: text("traits", { mode: "json" }).$type<{ plan: string }>().notNull(),
});
const person = columnsOf(people, "person");

describe("a prepared statement", () => {
  it("gives each name one number, in the order of the text", () => {
    const update = prepare("UPDATE people SET name = :name WHERE number = :number AND name <> :name");

    expect(update.bind({ number: 7, name: "Ada" })).toEqual({
      sql: "UPDATE people SET name = ?1 WHERE number = ?2 AND name <> ?1",
      values: ["Ada", 7],
    });
  });

  it("leaves colons in literals alone, and values that it doesn't name", () => {
    const select = prepare("SELECT ':name it''s :number' WHERE :number > 0");

    expect(select.bind({ name: "Ada", number: 1 })).toEqual({
      sql: "SELECT ':name it''s :number' WHERE ?1 > 0",
      values: [1],
    });
  });

  it("names the value that is missing", () => {
    expect(() => prepare("SELECT :number").bind({})).toThrow(":number");
  });

  it("types rows by the columns, as D1 returns them", () => {
    const select = prepareQuery(
      { ...person, table: expression<1>("1"), boss: nullable(person.number), count: expression<number>("count(*)") },
      (columns) => `SELECT ${columns} FROM ${person.table}`,
    );

    expectTypeOf(select.bind({})).toEqualTypeOf<
      Statement<{
        number: number;
        name: string | null;
        isAdmin: number;
        traits: string;
        table: 1;
        boss: number | null;
        count: number;
      }>
    >();
    expect(select.bind({}).sql).toContain("SELECT person.number AS number, person.name AS name, ");
  });

  it("doesn't compile with a column that was renamed, or a column without a type", () => {
    // @ts-expect-error `name` was `fullName`
    expect(person.fullName).toBeUndefined();
    const select = prepareQuery({ count: "count(*)" }, (columns) => `SELECT ${columns}`);
    expectTypeOf(select.bind({})).toEqualTypeOf<Statement<{ count: unknown }>>();
  });
});
