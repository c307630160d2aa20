/**
 * What the identity operation takes: docs/wire.md §6. Strict, since whatever it doesn't know could be personal data
 * that nobody meant to send here.
 */
import * as z from "zod";

import { isPlausibleAddress } from "../ingest/email-address.ts";
import { OPTIONAL_IDENTIFIER_FORM, readIdentifier } from "../ingest/identifiers.ts";
import { isLongerThan } from "../ingest/text.ts";

export const MAX_TRAIT_CHARACTERS = 256;

/** In the order in which answers list them, each with what it is a trait of. */
export const IDENTITY_TRAITS = { company: "account", name: "user", email: "user" } as const;
export const IDENTITY_KEYS = ["company", "name", "email"] as const satisfies (keyof typeof IDENTITY_TRAITS)[];
export type IdentityKey = (typeof IDENTITY_KEYS)[number];

export interface IdentityRequest {
  /** External or internal ids; `null` where none was given. */
  accountId: string | null;
  userId: string | null;
  /** A text to attach, `null` to remove; absent ones stay as they are. */
  traits: { [Key in IdentityKey]?: string | null | undefined };
}

const CONTROL_CHARACTER = /\p{Cc}/u;

const identifier = z
  .unknown()
  .transform((value, context): string | null => {
    const reading = readIdentifier(value);
    return reading.ok ? reading.value : refuse(context, reading.problem);
  })
  .default(null)
  .meta({
    ...OPTIONAL_IDENTIFIER_FORM,
    description: "The sender's id, or the one made here.",
  });

const trait = z
  .unknown()
  .transform((value, context): string | null => {
    if (value === null) return null;
    if (typeof value !== "string") return refuse(context, "must be a string, or null to remove it");
    const text = value.toWellFormed().trim();
    if (text === "" || isLongerThan(text, MAX_TRAIT_CHARACTERS)) {
      return refuse(context, `must have 1 to ${MAX_TRAIT_CHARACTERS} characters, or be null to remove it`);
    }
    return CONTROL_CHARACTER.test(text) ? refuse(context, "must not contain control characters") : text;
  })
  .optional()
  .meta({ type: ["string", "null"], minLength: 1, maxLength: MAX_TRAIT_CHARACTERS });

const email = trait
  .refine((text) => text == null || isPlausibleAddress(text), "must be an e-mail address")
  .meta({ format: "email" });

/** Reads a parsed body. Issues name fields, and hold nothing of their values. */
export const identityRequest: z.ZodType<IdentityRequest> = z
  .strictObject({
    accountId: identifier,
    userId: identifier,
    traits: z.strictObject({ company: trait, name: trait, email }).meta({ minProperties: 1 }),
  })
  .superRefine(({ accountId, userId, traits }, context) => {
    const given = IDENTITY_KEYS.filter((key) => traits[key] !== undefined);
    if (given.length === 0) {
      context.addIssue({ code: "custom", path: ["traits"], message: `must hold one of ${IDENTITY_KEYS.join(", ")}` });
    }
    const ids = { account: accountId, user: userId };
    for (const key of given) {
      const of = IDENTITY_TRAITS[key];
      if (ids[of] === null) context.addIssue({ code: "custom", path: [`${of}Id`], message: `is required for ${key}` });
    }
  });

function refuse(context: z.core.$RefinementCtx, problem: string): never {
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
}
