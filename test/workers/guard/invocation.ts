/**
 * The environment of one invocation behind two checks. D1 ends an invocation that sends over 1,000 statements, which local
 * databases don't. And every statement about a workspace must go to the database that holds the workspace.
 */
import { faultyDatabase } from "../support/faulty-bindings.ts";
import { checkDatabase } from "./workspace-databases.ts";

/** The statements that an invocation may send. Each one of a batch counts. */
export const MAX_STATEMENTS = 1_000;
export const TOO_MANY_REQUESTS = "D1_ERROR: Too many API requests by single Worker invocation.";

/** Wraps the databases. Call it once for each invocation. */
export function guardInvocation<E extends object>(env: E): E {
  const databases = Object.entries(env).filter((entry): entry is [string, D1Database] => isDatabase(entry));
  const byName = Object.fromEntries(databases);
  let sent = 0;
  const guarded = databases.map(([name, database]) => {
    const { DB } = faultyDatabase(database, async (run, _number, statements = []) => {
      sent += statements.length;
      if (sent > MAX_STATEMENTS) throw new Error(TOO_MANY_REQUESTS);
      await checkDatabase(byName, name, statements);
      return run();
    });
    return [name, DB] as const;
  });
  return { ...env, ...Object.fromEntries(guarded) };
}

const isDatabase = ([name, binding]: [string, unknown]): boolean =>
  /^DB(?:_\d+)?$/.test(name) && typeof binding === "object" && binding !== null && "batch" in binding;
