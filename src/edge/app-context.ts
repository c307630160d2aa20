import type { Context } from "hono";
import type { RequestIdVariables } from "hono/request-id";

import type { Actor } from "../core/audit.ts";
import type { Call, RequestLogFields } from "../services/call.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    logFields: RequestLogFields;
    /** Set by `requireKey`. */
    grant: KeyGrant;
    /** The administrator, for the audit log. Set by `requireAdmin`. */
    actor: Actor;
    /** Parsed JSON, and the time of receipt in milliseconds since the epoch. Set by `openIngestRequest`. */
    body: unknown;
    receivedAt: number;
    /** Names a request with a signed key; `null` for any other. Set by `openIngestRequest`. */
    signatureId: string | null;
  };
}

export type AppContext = Context<AppEnv>;

export const callOf = (c: AppContext): Call => ({
  env: c.env,
  logFields: c.get("logFields"),
  clientAddress: c.req.header("CF-Connecting-IP"),
  keepAlive: (work) => c.executionCtx.waitUntil(work),
});
