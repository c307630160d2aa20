/** Request bodies that create, change and rotate keys: docs/wire/keys.md §22. */
import * as z from "zod";

import { type Scope, SCOPES } from "../../core/api-key.ts";
import { readIsoTime } from "../../core/ingest/iso-time.ts";
import { readOrigin } from "../../core/origins/origins.ts";
import { flag, name, writeLimit } from "./admin-requests.ts";

const MAX_ORIGINS = 20;
const MAX_GRACE_HOURS = 30 * 24;

const ORIGINS_ERROR = `must have 1 to ${MAX_ORIGINS} entries`;
const SCOPES_ERROR = "must have at least 1 entry";
const HOURS_ERROR = `must be a number from 0 to ${MAX_GRACE_HOURS}`;

const origins = z
  .array(
    z.string("must be a string").transform((text, context) => {
      const read = readOrigin(text);
      if ("origin" in read) return read.origin;
      context.addIssue(read.message);
      return z.NEVER;
    }),
    ORIGINS_ERROR,
  )
  .min(1, ORIGINS_ERROR)
  .max(MAX_ORIGINS, ORIGINS_ERROR)
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
    .array(z.enum(SCOPES, `must be one of ${SCOPES.join(", ")}`), SCOPES_ERROR)
    .min(1, SCOPES_ERROR)
    .optional()
    .meta({ description: "Scopes of the key. If absent, the key has all scopes, including future ones." }),
  expiresAt: expiresAt.nullable().default(null),
  origins: origins.optional(),
  writeLimit: ownLimit.nullable().default(null),
  signed: flag.default(false).meta({
    description: "Whether each request needs a signature. The response has the secret to sign with, once.",
  }),
  segmentBatches: flag.default(false).meta({
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
  graceHours: z.number(HOURS_ERROR).min(0, HOURS_ERROR).max(MAX_GRACE_HOURS, HOURS_ERROR).default(24).meta({
    description: "Hours for which the old key still works.",
  }),
});
