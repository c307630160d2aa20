/**
 * A native capture becomes the internal message, or a list of issues: see docs/wire.md, Native capture. Strict about
 * the fields it knows, and silent about none: what it does not store is named as ignored.
 */
import * as z from "zod";

import { isJsonObject, type JsonObject } from "../json.ts";
import { MAX_STAGE_CHARACTERS, readAttribute, type AttributeName } from "./account-attributes.ts";
import { MAX_EVENT_CHARACTERS } from "./event-name.ts";
import { IDENTIFIER_FORM, readIdentifier } from "./identifiers.ts";
import { readIsoTime } from "./iso-time.ts";
import type { Mapping } from "./mapping.ts";
import type { AccountAttributes, Message } from "./message.ts";
import { isTooDeep, MAX_DEPTH } from "./message-size.ts";
import { pathSegment, redact, redactText } from "./personal-data.ts";
import { cutText } from "./text.ts";
import { notInFuture } from "./times.ts";

export const MAX_IGNORED = 100;

export interface NativeOptions {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** On the unversioned path the four later attributes are fields like any unknown one. */
  readonly versioned: boolean;
  /** The `Idempotency-Key`, or one made for this capture. */
  readonly messageId: string;
}

export interface NativeIssue {
  readonly path: string;
  readonly message: string;
}

/** What of a field JSON Schema can say, and a sentence: the code beside it is what decides. */
type Form = z.core.JSONSchemaMeta;

/** `ignored`: names of fields that are not stored; `redacted`: where personal data was, as `properties.email`. */
export type NativeCapture =
  | { readonly ok: true; readonly message: Message; readonly ignored: string[]; readonly redacted: string[] }
  | { readonly ok: false; readonly issues: NativeIssue[] };

const TIME_FORM = { type: ["string", "null"], format: "date-time" } satisfies Form;

const EVENT = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/;

const identifier = (description: string) =>
  z
    .unknown()
    .transform((value, context) => {
      const reading = readIdentifier(value);
      if (reading.ok && reading.value !== null) return reading.value;
      return refuse(context, reading.ok ? "is required" : reading.problem);
    })
    .meta({ ...IDENTIFIER_FORM, description });

const event = z
  .unknown()
  .transform((value, context) => {
    if (value === undefined || value === null || value === "") return refuse(context, "is required");
    if (typeof value === "string" && value.length <= MAX_EVENT_CHARACTERS && EVENT.test(value)) return value;
    return refuse(
      context,
      `must be dotted lower case as "report.exported", at most ${MAX_EVENT_CHARACTERS} characters`,
    );
  })
  .meta({
    type: "string",
    pattern: EVENT.source,
    maxLength: MAX_EVENT_CHARACTERS,
    description: "What happened, in dotted lower case.",
  });

const properties = optional(
  (value, context): JsonObject | null => {
    if (value === null) return null;
    if (!isJsonObject(value)) return refuse(context, "must be an object");
    return isTooDeep(value) ? refuse(context, `must not be nested more than ${MAX_DEPTH} levels deep`) : value;
  },
  {
    type: ["object", "null"],
    additionalProperties: true,
    description: `Whatever the sender wants to tell, nested at most ${MAX_DEPTH} levels deep. Personal data is removed.`,
  },
);

const timestamp = optional(
  (value, context): number | null => {
    if (value === null) return null;
    return readIsoTime(value, false) ?? refuse(context, "must be an ISO 8601 time with an offset or Z");
  },
  { ...TIME_FORM, description: "When it happened. The time of receipt if absent, or more than 5 minutes ahead." },
);

function attribute<Name extends AttributeName>(name: Name, problem: string, form: Form) {
  const read = (value: unknown, context: z.core.$RefinementCtx) => {
    const usable = readAttribute(name, value, false);
    return usable === undefined ? refuse(context, `${problem}, or null`) : usable;
  };
  return optional(read, form);
}

function optional<Value>(read: (value: unknown, context: z.core.$RefinementCtx) => Value, form: Form) {
  return z.unknown().transform(read).optional().meta(form);
}

export const unversionedCapture = z.object({
  accountId: identifier("The customer company, by the sender's id; made if it is new."),
  userId: identifier("The person in it, by the sender's id; made if new. Not an e-mail address."),
  event,
  properties,
  timestamp,
  accountStage: attribute("stage", `must be a string of at most ${MAX_STAGE_CHARACTERS} characters`, {
    type: ["string", "null"],
    maxLength: MAX_STAGE_CHARACTERS,
    description: 'Where the account stands, as "trial" or "active". `null` clears it, as any attribute.',
  }),
  trialEndsAt: attribute("trialEndsAt", "must be an ISO 8601 time with an offset or Z", TIME_FORM),
});

export const versionedCapture = unversionedCapture.extend({
  accountPlan: attribute("plan", "must be a string", { type: ["string", "null"] }),
  accountSeats: attribute("seats", "must be a whole number of at least 0", { type: ["integer", "null"], minimum: 0 }),
  accountMrr: attribute("mrr", "must be a number of at least 0", {
    type: ["number", "null"],
    minimum: 0,
    description: "What the account pays in a month.",
  }),
  accountCurrency: attribute("currency", "must be an ISO 4217 code", {
    type: ["string", "null"],
    pattern: "^[A-Za-z]{3}$",
    description: "Of accountMrr, as an ISO 4217 code.",
  }),
});

type Capture = z.infer<typeof unversionedCapture> & Partial<z.infer<typeof versionedCapture>>;

/** Maps a parsed body. */
export function mapNativeCapture(body: unknown, options: NativeOptions): NativeCapture {
  if (!isJsonObject(body)) return { ok: false, issues: [{ path: "", message: "The body must be a JSON object." }] };
  const schema = options.versioned ? versionedCapture : unversionedCapture;
  const parsed = schema.safeParse(body);
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.map(toIssue) };
  const capture: Capture = parsed.data;
  const redacted: string[] = [];
  const mapping: Mapping = { accountField: "accountId" };
  const message: Message = {
    index: 0,
    type: "track",
    messageId: options.messageId,
    userId: capture.userId,
    accountId: capture.accountId,
    event: capture.event,
    properties: capture.properties ? redact(capture.properties, "properties", redacted) : null,
    traits: null,
    attributes: attributesOf(capture, redacted),
    occurredAt: readTime(capture.timestamp ?? null, options.receivedAt, mapping),
    mapping,
  };
  return { ok: true, message, ignored: namesWithout(body, schema.shape), redacted };
}

function readTime(time: number | null, receivedAt: number, mapping: Mapping): number {
  if (time === null) return receivedAt;
  mapping.timeField = "timestamp";
  return notInFuture(time, receivedAt, mapping);
}

function attributesOf(capture: Capture, redacted: string[]): AccountAttributes | null {
  const attributes: AccountAttributes = {};
  const stage = withoutAddresses(capture.accountStage, "accountStage", redacted);
  const plan = withoutAddresses(capture.accountPlan, "accountPlan", redacted);
  if (stage !== undefined) attributes.stage = stage === null ? null : cutText(stage, MAX_STAGE_CHARACTERS);
  if (capture.trialEndsAt !== undefined) attributes.trialEndsAt = capture.trialEndsAt;
  if (plan !== undefined) attributes.plan = plan;
  if (capture.accountSeats !== undefined) attributes.seats = capture.accountSeats;
  if (capture.accountMrr !== undefined) attributes.mrr = capture.accountMrr;
  if (capture.accountCurrency !== undefined) attributes.currency = capture.accountCurrency;
  return Object.keys(attributes).length === 0 ? null : attributes;
}

function withoutAddresses<Value>(value: Value, path: string, redacted: string[]): Value | string {
  return typeof value === "string" ? redactText(value, path, redacted) : value;
}

function namesWithout(body: JsonObject, known: object): string[] {
  const names = Object.keys(body).filter((name) => !Object.hasOwn(known, name));
  return names.slice(0, MAX_IGNORED).map(pathSegment);
}

function refuse(context: z.core.$RefinementCtx, problem: string): never {
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
}

function toIssue(issue: z.core.$ZodIssue): NativeIssue {
  const path = issue.path.join(".");
  return { path, message: `${path} ${issue.message}.` };
}
