/** What the body of a request says, read apart from the service. */
import { gunzipSync } from "node:zlib";

import * as z from "zod";

import type { FuzzRequest } from "../request.ts";

const Batch = z.object({ batch: z.array(z.unknown()) });
const MAX_BATCH_BYTES = 524_288;

export type Sent =
  /** Gzip may be more than the service takes: members after the first, or junk. */
  | { kind: "json"; value: unknown; gzipped: boolean }
  | { kind: "no json" }
  /** It is encoded in a way that another reader may read otherwise, or too long to be read. */
  | { kind: "unclear" };

export function readSent({ headers, body, wire }: FuzzRequest): Sent {
  const encodings = headers.filter(([name]) => /^content-encoding$/i.test(name)).map(([, value]) => value);
  if (wire !== null || encodings.length > 1 || (body?.length ?? 0) > MAX_BATCH_BYTES) return { kind: "unclear" };
  const [encoding = "identity"] = encodings;
  if (encoding !== "identity" && encoding !== "gzip") return { kind: "unclear" };
  try {
    const plain =
      encoding === "gzip" ? gunzipSync(body ?? "", { maxOutputLength: MAX_BATCH_BYTES }) : (body ?? Buffer.alloc(0));
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
    return { kind: "json", value, gzipped: encoding === "gzip" };
  } catch {
    return { kind: encoding === "gzip" ? "unclear" : "no json" };
  }
}

/** How many messages a body for the compatibility path holds. */
export function messagesIn(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  const batch = Batch.safeParse(value);
  return batch.success ? batch.data.batch.length : 1;
}
