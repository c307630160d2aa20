/**
 * A database with a read replica that is as old as D1 allows: it catches up only when a session has seen more than it has, and
 * then serves its copy until a session has seen more again. D1 guarantees no more. The local D1 has no replicas.
 */
import { type BoundStatement, faultyDatabase, type Trip } from "./faulty-bindings.ts";
import { restorePoint, tablesOf } from "./restores.ts";

export interface Replicated {
  DB: D1Database;
  /** Makes the replica equal to the primary, as it is now. */
  catchUp: () => Promise<void>;
  /** Returns the statements that the primary and the replica have run since the last call. */
  take: () => { primary: string[]; replica: string[] };
}

/** @param copy a database with the same tables, which becomes the replica */
export function replicated(primary: D1Database, copy: D1Database): Replicated {
  let ran = { primary: [] as string[], replica: [] as string[] };
  /** The states of the primary that were seen. A bookmark is a place in the list. */
  const states: string[] = [];
  let copied = -1;

  async function bookmark(): Promise<number> {
    const names = await tablesOf(primary);
    const tables = await primary.batch(names.map((name) => primary.prepare(`SELECT * FROM ${name}`)));
    const state = JSON.stringify(tables.map(({ results }) => results));
    return states.at(-1) === state ? states.length - 1 : states.push(state) - 1;
  }

  async function catchUp(): Promise<void> {
    copied = await bookmark();
    await (
      await restorePoint(primary)
    )(copy);
  }

  const onPrimary: Trip = (run, _number, statements = []) => {
    ran.primary.push(...statements.map(({ sql }) => sql));
    return run();
  };

  function newSession(start: string): D1Database {
    let seen = start === "first-primary" ? null : -1;
    const trip: Trip = async <T>(run: () => Promise<T>, number: number, statements: readonly BoundStatement[] = []) => {
      if (seen === null) {
        const results = await onPrimary(run, number, statements);
        seen = await bookmark();
        return results;
      }
      if (seen > copied) await catchUp();
      ran.replica.push(...statements.map(({ sql }) => sql));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the results of the same batch, from the copy
      return (await copy.batch(statements.map(({ sql, values }) => copy.prepare(sql).bind(...values)))) as T;
    };
    return faultyDatabase(primary, trip).DB;
  }

  const DB = new Proxy(faultyDatabase(primary, onPrimary).DB, {
    get: (target, name) => (name === "withSession" ? newSession : Reflect.get(target, name, target)),
  });
  return {
    DB,
    catchUp,
    take() {
      const taken = ran;
      ran = { primary: [], replica: [] };
      return taken;
    },
  };
}
