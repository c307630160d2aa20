import { Hono } from "hono";

import { pingDatabase } from "../../services/database.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";

/** Liveness: the Worker runs. Readiness: and D1 answers (503 otherwise, by the error handler). */
export const health = new Hono<AppEnv>()
  .get("/healthz", operation("liveness"), (c) => answerJson(c, { ok: true }))
  .get("/readyz", operation("readiness"), async (c) => {
    await timed(c, "databaseMs", () => pingDatabase(c.env));
    return answerJson(c, { ok: true });
  });
