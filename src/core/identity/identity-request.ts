/**
 * The schema of the identity operation: docs/wire/identity.md §6. It refuses every unknown field, because an unknown
 * field could be personal data that the sender did not mean to send.
 */
import * as z from "zod";

import { CONTROL_CHARACTER, nullableIdentifier, rejectValue } from "../ingest/identifiers.ts";
import { isLongerThan } from "../ingest/text.ts";

export const MAX_IDENTITY_TRAIT_CHARACTERS = 256;

/** Each identity trait with what it describes, in the order in which answers list them. */
export const IDENTITY_TRAITS = { company: "account", name: "user", email: "user" } as const;
export const IDENTITY_KEYS = ["company", "name", "email"] as const satisfies (keyof typeof IDENTITY_TRAITS)[];
export type IdentityKey = (typeof IDENTITY_KEYS)[number];

/** An address at a host with a dot. Zod's own patterns accept only ASCII, or also hosts without a dot. */
const ADDRESS = z.email({
  pattern:
    /^(?:"[^"\\]+"|[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)*)@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u,
});

const identifier = nullableIdentifier("An external id, or an internal one of this service.").default(null);

const trait = z
  .unknown()
  .transform((value, context): string | null => {
    if (value === null) return null;
    if (typeof value !== "string") return rejectValue(context, "must be a string, or null to remove it");
    const text = value.toWellFormed().trim();
    if (text === "" || isLongerThan(text, MAX_IDENTITY_TRAIT_CHARACTERS)) {
      return rejectValue(
        context,
        `must have 1 to ${MAX_IDENTITY_TRAIT_CHARACTERS} characters, or be null to remove it`,
      );
    }
    return CONTROL_CHARACTER.test(text) ? rejectValue(context, "must not contain control characters") : text;
  })
  .optional()
  .meta({ type: ["string", "null"], minLength: 1, maxLength: MAX_IDENTITY_TRAIT_CHARACTERS });

const email = trait
  .refine((text) => text == null || ADDRESS.safeParse(text).success, "must be an e-mail address")
  .meta({ format: "email" });

/** Parses a body. The issues name fields and contain nothing of their values. */
export const identityRequest = z
  .strictObject({
    accountId: identifier,
    userId: identifier,
    traits: z.strictObject({ company: trait, name: trait, email }).meta({ minProperties: 1 }),
  })
  .superRefine(({ accountId, userId, traits }, context) => {
    const given = IDENTITY_KEYS.filter((key) => traits[key] !== undefined);
    if (given.length === 0) {
      const message = `must have at least one of ${IDENTITY_KEYS.join(", ")}`;
      context.addIssue({ code: "custom", path: ["traits"], message });
    }
    const ids = { account: accountId, user: userId };
    for (const key of given) {
      const owner = IDENTITY_TRAITS[key];
      if (ids[owner] === null) {
        context.addIssue({ code: "custom", path: [`${owner}Id`], message: `is required to set or remove ${key}` });
      }
    }
  });

export type IdentityRequest = z.infer<typeof identityRequest>;
