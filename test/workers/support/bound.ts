import type { Statement, Value } from "../../../src/db/client/statement.ts";

/** Binds the values of a test's own SQL text, from ?1 on. */
export const bound = <R>(sql: string, ...values: readonly Value[]): Statement<R> => ({ sql, values });
