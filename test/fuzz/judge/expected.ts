/** What a request may be answered with, as far as its request line tells. */
import type { ErrorCode } from "../../../src/edge/error-codes.ts";
import type { FuzzRequest } from "../request.ts";
import { type Operation, OPERATIONS, operationsAt } from "./operations.ts";

export interface Expected {
  /** Of which the answer may be a success. */
  operations: readonly Operation[];
  errors: ReadonlySet<ErrorCode>;
  /** False where the request may be read as another one. */
  certain: boolean;
  /** Whether it may be the answer to a browser that asks beforehand. */
  preflight: boolean;
}

/** Paths of which there are no two ways to read them. */
const PLAIN_PATH = /^(?:\/[\w~:-][\w~:.-]*)+\/?$/;

export function expectedOf({ method, target, headers, wire }: FuzzRequest): Expected {
  const [path = ""] = target.split(/[?#]/);
  const isPlain = PLAIN_PATH.test(path) && wire === null && !headers.some(([name]) => /^host$/i.test(name));
  if (!isPlain) return ANYTHING;
  const here = operationsAt(path);
  const own = here.filter((one) => one.method === (method === "HEAD" ? "GET" : method));
  const administration: ErrorCode[] = path.startsWith("/admin/") ? ["unauthorized"] : [];
  return {
    operations: own,
    certain: true,
    errors: new Set(
      own.length > 0
        ? own.flatMap(({ errors }) => errors)
        : [...administration, here.length > 0 ? "method_not_allowed" : "not_found"],
    ),
    preflight: method === "OPTIONS" && here.some(({ isIngest }) => isIngest),
  };
}

/** A wire that is not one request, or a path that may be read as another one. */
const ANYTHING: Expected = {
  operations: OPERATIONS,
  certain: false,
  errors: new Set<ErrorCode>(["not_found", "method_not_allowed", ...OPERATIONS.flatMap(({ errors }) => errors)]),
  preflight: true,
};
