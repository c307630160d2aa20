/** The real database behind a connection that loses requests or answers. */
import { databaseWith, D1_LOST, envWith } from "../support/faulty-env.ts";

/** The outcome of a round trip: the answer arrives, the answer is lost, or the request is lost. */
export type Fate = "answered" | "answer lost" | "request lost";

/** Applies these outcomes to the round trips in turn. Later ones are answered. */
export function fated(...fates: Fate[]): Env {
  const { DB } = databaseWith(async (run, number) => {
    const fate = fates[number - 1] ?? "answered";
    if (fate === "request lost") throw new Error(D1_LOST);
    const results = await run();
    if (fate === "answer lost") throw new Error(D1_LOST);
    return results;
  });
  return envWith({ DB });
}

/** Adds a failing statement to the end of each transaction. */
export function failingAtTheEnd(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) =>
          target.batch([...statements, target.prepare("INSERT INTO workspaces (number) VALUES (NULL)")]);
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
