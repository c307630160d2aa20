/** Request bodies that create, change and rotate keys: docs/wire/keys.md §22. */
import * as z from "zod";

import { type Scope, SCOPES } from "../../core/api-key.ts";
import { readIsoTime } from "../../core/ingest/iso-time.ts";
import { readOrigin } from "../../core/origins/origins.ts";
import { name, writeLimit } from "./admin-requests.ts";

const MAX_ORIGINS = 20;
const MAX_GRACE_HOURS = 30 * 24;

const origins = z
  .array(
    z.string().transform((text, context) => {
      const read = readOrigin(text);
      if ("origin" in read) return read.origin;
      context.addIssue(read.message);
      return z.NEVER;
    }),
  )
  .min(1)
  .max(MAX_ORIGINS)
  .meta({
    description:
      "The pages that may use the key: `https://app.example.com`, or `https://*.example.com` for every subdomain.",
  });

/** Milliseconds since the epoch. */
const expiresAt = z
  .string()
  .transform((text, context) => {
    const at = readIsoTime(text, false);
    if (at !== null && at > Date.now()) return at;
    context.addIssue("must be a time in the future, such as 2030-01-31T00:00:00Z");
    return z.NEVER;
  })
  .meta({ format: "date-time", description: "From then on the key is unknown. `null` for never." });

const ownLimit = writeLimit.meta({
  description:
    "Messages that this key may write per 10 s, within the workspace's limit. A browser key without one has half of the workspace's.",
});

const fields = z.strictObject({
  name: name.optional(),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .optional()
    .meta({ description: "Scopes of the key. If absent, the key has all scopes, including future ones." }),
  expiresAt: expiresAt.nullable().default(null),
  origins: origins.optional(),
  writeLimit: ownLimit.nullable().default(null),
  signed: z.boolean().default(false).meta({
    description: "Whether each request needs a signature. The response has the secret to sign with, once.",
  }),
  segmentBatches: z.boolean().default(false).meta({
    description:
      "Whether a signature of only the first message of a batch counts, as Segment signs batches. The others are then unsigned.",
  }),
});

type Fields = z.infer<typeof fields>;

/** Browser keys and signed keys only ingest. */
const onlyIngests = ({ origins: pages, signed }: Fields): boolean => pages !== undefined || signed;
const scopesOf = (given: Fields): Scope[] | null => {
  if (onlyIngests(given)) return ["ingest"];
  return given.scopes === undefined ? null : [...new Set(given.scopes)];
};

export const newKey = fields
  .refine((given) => !onlyIngests(given) || given.scopes?.some((scope) => scope !== "ingest") !== true, {
    path: ["scopes"],
    message: "must be absent or only `ingest` beside origins or signed",
  })
  .refine(({ origins: pages, signed }) => pages === undefined || !signed, {
    path: ["signed"],
    message: "must be false beside origins: a page can't keep a secret",
  })
  .refine(({ signed, segmentBatches }) => signed || !segmentBatches, {
    path: ["segmentBatches"],
    message: "needs signed: true",
  })
  .transform((given) => ({
    ...given,
    name: given.name ?? null,
    origins: given.origins ?? null,
    scopes: scopesOf(given),
  }));

export const keyChange = z.strictObject({
  name: name.nullable().optional(),
  origins: origins.optional(),
  writeLimit: ownLimit.nullable().optional(),
  expiresAt: expiresAt.nullable().optional(),
});

export const rotation = z.strictObject({
  graceHours: z.number().min(0).max(MAX_GRACE_HOURS).default(24).meta({
    description: "Hours for which the old key still works.",
  }),
});
