import type { Context } from "hono";

import type { AnswerHeaders } from "./answer.ts";
import type { KeyGrant } from "../services/workspaces/api-keys.ts";

/** What a request's one log line says. Never a body, a key, a property or a path: external ids stand in paths. */
export interface RequestFacts {
  operation?: string;
  workspace?: string;
  keyId?: string;
  /** Messages in the request, and what became of them. */
  messages?: number;
  stored?: number;
  duplicates?: number;
  rejected?: number;
  limiterMs?: number;
  databaseMs?: number;
  /** Why a request failed, for those who run the service. */
  fault?: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** What the headers of the answer will say. */
    headers: AnswerHeaders;
    facts: RequestFacts;
    /** Behind `requireKey` only. */
    grant: KeyGrant;
  };
}

export type AppContext = Context<AppEnv>;

/** Runs `work` and adds the time it took, milliseconds, to the log line. */
export async function timed<T>(c: AppContext, fact: "limiterMs" | "databaseMs", work: () => Promise<T>): Promise<T> {
  const facts = c.get("facts");
  const start = Date.now();
  try {
    return await work();
  } finally {
    facts[fact] = (facts[fact] ?? 0) + Date.now() - start;
  }
}
