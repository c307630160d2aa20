import type { Context } from "hono";
import type { RequestIdVariables } from "hono/request-id";

import * as calls from "../services/call.ts";
import type { KeyGrant } from "../services/workspaces/api-keys.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    logFields: calls.RequestLogFields;
    /** Set by `requireKey`. */
    grant: KeyGrant;
    /** Parsed JSON, and the time of receipt in milliseconds since the epoch. Set by `openIngestRequest`. */
    body: unknown;
    receivedAt: number;
  };
}

export type AppContext = Context<AppEnv>;

export const callOf = (c: AppContext): calls.Call => ({
  env: c.env,
  logFields: c.get("logFields"),
  clientAddress: c.req.header("CF-Connecting-IP"),
});

export const timed = <T>(c: AppContext, field: "limiterMs" | "databaseMs", work: () => Promise<T>): Promise<T> =>
  calls.timed({ logFields: c.get("logFields") }, field, work);
