/** The values by which questions and queries describe accounts and users. */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The distinct values that senders have stored: of plans, currencies and free-form traits. */
export const dimensionValues = sqliteTable(
  "dimension_values",
  {
    workspace: integer("workspace").notNull(),
    /** `plan`, `currency`, or a trait as `account.industry` or `user.role`. */
    dimension: text("dimension").notNull(),
    /** JSON text of a string, a number or a boolean. */
    value: text("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.dimension, table.value] })],
);
