/**
 * The service as it is, behind bindings that fail. It is built and served by test/e2e/faulty-stream.test.ts.
 *
 *     PUT /faults {"rate": 0.1, "seed": 7}   faults from now on, counted from nothing
 *     GET /faults                            {"D1 lost before": 3, …}: how often each kind has struck
 */
import * as z from "zod";

import { createApp } from "../../../../src/app.ts";
import { faultyDatabase, faultyObjects } from "../../support/faulty-bindings.ts";
import { DrawnFaults } from "./drawn-faults.ts";

const settings = z.strictObject({ rate: z.number().min(0).max(1), seed: z.int() });

const app = createApp();
let faults = new DrawnFaults({ rate: 0, seed: 0 });

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname === "/faults") {
      if (request.method === "PUT") faults = new DrawnFaults(settings.parse(await request.json()));
      return Response.json(faults.counts());
    }
    const { DB } = faultyDatabase(env.DB, faults.ofDatabase);
    const { WRITE_LIMITER } = faultyObjects(env.WRITE_LIMITER, faults.ofObject);
    return app.fetch(request, { ...env, DB, WRITE_LIMITER }, context);
  },
} satisfies ExportedHandler<Env>;

export { WriteLimiter } from "../../../../src/limiter/write-limiter.ts";
