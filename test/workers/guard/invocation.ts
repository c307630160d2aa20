/**
 * Checks what local databases don't. D1 ends an invocation that sends over 1,000 statements, every statement about a
 * workspace must go to the database that holds the workspace, a reader's queries must check whose rows they read, and no
 * subquery may compare a row with itself.
 */
import { AsyncLocalStorage } from "node:async_hooks";

import { faultyDatabase } from "../support/faulty-bindings.ts";
import { selfComparisons } from "./self-comparisons.ts";
import { checkDatabase, checkOwner, databasesIn } from "./workspace-databases.ts";

/** The statements that an invocation may send. Each one of a batch counts. */
export const MAX_STATEMENTS = 1_000;
export const TOO_MANY_REQUESTS = "D1_ERROR: Too many API requests by single Worker invocation.";

const invocation = new AsyncLocalStorage<{ sent: number; isReader: boolean }>();

/**
 * Runs an invocation, and all work that it leaves to `waitUntil`.
 * @param isReader whether a cached key, or an entry of the directory, says whose rows it reads
 */
export const inInvocation = <T>(run: () => T, isReader = false): T => invocation.run({ sent: 0, isReader }, run);

const guarded = new WeakMap<D1Database, D1Database>();

/** Wraps the databases, each always by the same wrapper, because requests of an isolate share their commits. */
export function guardDatabases<E extends object>(env: E): E {
  const wrapped = databasesIn(env).map(([name, database]) => {
    const wrapper = guarded.get(database) ?? guard(name, database);
    guarded.set(database, wrapper);
    return [name, wrapper] as const;
  });
  return { ...env, ...Object.fromEntries(wrapped) };
}

const compared = new Set<string>();

/** @throws Error that names the comparison */
function checkComparisons(sql: string): void {
  if (compared.has(sql)) return;
  const [found] = selfComparisons(sql);
  if (found !== undefined) throw new Error(`A subquery compares a row with itself, by ${found}: ${sql}`);
  compared.add(sql);
}

const guard = (name: string, database: D1Database): D1Database =>
  faultyDatabase(database, async (run, _number, statements = []) => {
    const own = invocation.getStore();
    if (own !== undefined && (own.sent += statements.length) > MAX_STATEMENTS) throw new Error(TOO_MANY_REQUESTS);
    await checkDatabase(name, statements);
    if (own?.isReader === true) checkOwner(statements);
    for (const { sql } of statements) checkComparisons(sql);
    return run();
  }).DB;
