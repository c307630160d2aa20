/** Real bindings whose calls go through a `Trip`, which can fail as the platform does. */

/** A statement of a round trip, with its bound values. */
export interface BoundStatement {
  sql: string;
  values: (string | number | null)[];
}

/** Runs, delays or fails a round trip. `number` counts from 1. */
export type Trip = <T>(run: () => Promise<T>, number: number, statements?: readonly BoundStatement[]) => Promise<T>;

export const D1_OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
export const D1_QUEUE_FULL = "D1_ERROR: D1 DB is overloaded. Too many requests queued.";
export const D1_FULL = "D1_ERROR: Exceeded maximum DB size.";
export const D1_NO_BUDGET = "D1_ERROR: Too many API requests by single Worker invocation.";
export const D1_FREE_PLAN =
  "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.";
export const D1_LOST = "D1_ERROR: Network connection lost.";
export const D1_RESET = "D1_ERROR: Internal error in D1 DB storage caused object to be reset.";
export const D1_UPDATED = "D1_ERROR: D1 DB reset because its code was updated.";
export const D1_TIMED_OUT = "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.";
export const D1_BROKEN = "D1_ERROR: ambiguous column name: very_secret_table.id: SQLITE_ERROR";

/** Sends each round trip to the database through `trip`. */
export function faultyDatabase(database: D1Database, trip: Trip): { DB: D1Database; trips: () => number } {
  let count = 0;
  const real = new WeakMap<object, BoundStatement & { statement: D1PreparedStatement }>();
  const wrap = (statement: D1PreparedStatement, bound: BoundStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name === "bind") {
          return (...values: BoundStatement["values"]) => wrap(target.bind(...values), { ...bound, values });
        }
        return (...args: unknown[]) =>
          trip(() => Promise.resolve(Reflect.apply(member, target, args)), ++count, [bound]);
      },
    });
    real.set(wrapped, { ...bound, statement });
    return wrapped;
  };
  const through = <D extends D1Database | D1DatabaseSession>(calls: D): D =>
    new Proxy(calls, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (name === "prepare") return (sql: string) => wrap(target.prepare(sql), { sql, values: [] });
        if (name === "batch") {
          return (statements: D1PreparedStatement[]) => {
            const bound = statements.flatMap((statement) => real.get(statement) ?? []);
            return trip(() => target.batch(bound.map(({ statement }) => statement)), ++count, bound);
          };
        }
        if (name === "withSession" && "withSession" in target) {
          return (start: string) => through(target.withSession(start));
        }
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  const DB = through(database);
  return { DB, trips: () => count };
}

export interface FaultyObjects {
  WRITE_LIMITER: Env["WRITE_LIMITER"];
  /** Counts calls of one method, or of all. */
  calls: (method?: string) => number;
  stubs: () => number;
}

/** Sends each call of the objects through `trip`. */
export function faultyObjects(objects: Env["WRITE_LIMITER"], trip: Trip): FaultyObjects {
  const calls: string[] = [];
  let stubs = 0;
  const WRITE_LIMITER = new Proxy(objects, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== "getByName") return typeof member === "function" ? member.bind(target) : member;
      return (workspace: string) => {
        stubs += 1;
        return new Proxy(target.getByName(workspace), {
          get(stub, method) {
            return (...values: unknown[]) => {
              const call: unknown = Reflect.get(stub, method, stub);
              if (typeof call !== "function") throw new Error(`the object has no ${String(method)}`);
              const number = calls.push(String(method));
              return trip(() => Promise.resolve(Reflect.apply(call, stub, values)), number);
            };
          },
        });
      };
    },
  });
  const callsOf = (method?: string) => calls.filter((called) => method === undefined || called === method).length;
  return { WRITE_LIMITER, calls: callsOf, stubs: () => stubs };
}

/** Makes an error marked as the platform marks it. */
export const objectError = (message: string, marks: { retryable?: boolean; overloaded?: boolean }): Error =>
  Object.assign(new Error(message), marks);
