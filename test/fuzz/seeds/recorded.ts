/** What the client libraries sent to the recording server; see record.ts. */
import { readFileSync } from "node:fs";

import { z } from "zod";

const Recorded = z.strictObject({
  library: z.string(),
  method: z.string(),
  target: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  gzipped: z.boolean(),
  body: z.unknown(),
});
export type Recorded = z.infer<typeof Recorded>;

export const RECORDED: readonly Recorded[] = z
  .array(Recorded)
  .min(1)
  .parse(JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")));
