/**
 * Maps a native capture to the internal message, or to a list of issues: see docs/wire/capture.md §3. Known fields are
 * validated strictly. Unknown fields are not stored, and the response lists them as ignored.
 */
import * as z from "zod";

import { isJsonObject, type JsonObject } from "../json.ts";
import { MAX_STAGE_CHARACTERS, readAttribute, UNKNOWN_VALUE, type AttributeName } from "./account-attributes.ts";
import { MAPPED_NAME, MAX_EVENT_CHARACTERS } from "./event-name.ts";
import { rejectValue, requiredIdentifier } from "./identifiers.ts";
import { readAnyTime } from "./iso-time.ts";
import type { AccountAttributes, Issue, Mapping, Message } from "./message.ts";
import { findNotFinite, isTooDeep, MAX_DEPTH, NOT_FINITE } from "./message-size.ts";
import { pathSegment, redact, redactText } from "./personal-data.ts";
import { cutText } from "./text.ts";
import { nativeOccurredAt } from "./occurred-at.ts";

const MAX_IGNORED = 100;

export interface NativeOptions {
  readonly receivedAt: number;
  /** The unversioned path treats the newer attributes as unknown fields. */
  readonly versioned: boolean;
  /** The `Idempotency-Key`, or a generated id. */
  readonly messageId: string;
}

/** The JSON Schema of a field, for the API description. The field's own code validates. */
type Form = z.core.JSONSchemaMeta;

/** `ignored` names the fields that are not stored; `redacted` says where personal data was, as in `properties.email`. */
export type NativeCapture =
  | { readonly ok: true; readonly message: Message; readonly ignored: string[]; readonly redacted: string[] }
  | { readonly ok: false; readonly issues: Issue[] };

const NOT_A_TIME = "must be an ISO 8601 time with Z or an offset: a string such as 2026-11-20T09:00:00Z, not a number";
const TIME_FORM = { type: ["string", "null"], format: "date-time" } satisfies Form;

const event = z
  .unknown()
  .transform((value, context) => {
    if (value === undefined || value === null || value === "") return rejectValue(context, "is required");
    if (typeof value === "string" && value.length <= MAX_EVENT_CHARACTERS && MAPPED_NAME.test(value)) return value;
    return rejectValue(
      context,
      `must be in dotted lower case like "report.exported", with at most ${MAX_EVENT_CHARACTERS} characters`,
    );
  })
  .meta({
    type: "string",
    pattern: MAPPED_NAME.source,
    maxLength: MAX_EVENT_CHARACTERS,
    description: "The event's name in dotted lower case.",
  });

const properties = optional(
  (value, context): JsonObject | null => {
    if (value === null) return null;
    if (!isJsonObject(value)) return rejectValue(context, "must be an object");
    if (isTooDeep(value)) return rejectValue(context, `must not be nested more than ${MAX_DEPTH} levels deep`);
    const notFinite = findNotFinite(value);
    return notFinite === null ? value : rejectValue(context, NOT_FINITE, notFinite.map(pathSegment));
  },
  {
    type: ["object", "null"],
    additionalProperties: true,
    description: `Any details, nested at most ${MAX_DEPTH} levels deep. Personal data is removed.`,
  },
);

const timestamp = optional(
  (value, context): number | null => {
    if (value === null) return null;
    const ms = readAnyTime(value, false);
    return Number.isNaN(ms) ? rejectValue(context, NOT_A_TIME) : ms;
  },
  {
    ...TIME_FORM,
    description:
      "When the event happened. Defaults to the time of receipt, also if it is before 2000 or more than 5 minutes in the future.",
  },
);

function attribute<Name extends AttributeName>(name: Name, problem: string, form: Form) {
  const read = (value: unknown, context: z.core.$RefinementCtx) => {
    const usable = readAttribute(name, value, false);
    if (usable === UNKNOWN_VALUE) return undefined;
    return usable === undefined ? rejectValue(context, `${problem}, or null`) : usable;
  };
  return optional(read, form);
}

function optional<Value>(read: (value: unknown, context: z.core.$RefinementCtx) => Value, form: Form) {
  return z.unknown().transform(read).optional().meta(form);
}

export const unversionedCapture = z.object({
  accountId: requiredIdentifier("Your id of the customer company. A new account is created if needed."),
  userId: requiredIdentifier("Your id of the person. A new user is created if needed. Don't use e-mail addresses."),
  event,
  properties,
  timestamp,
  accountStage: attribute("stage", `must be a string of 1 to ${MAX_STAGE_CHARACTERS} characters`, {
    type: ["string", "null"],
    minLength: 1,
    maxLength: MAX_STAGE_CHARACTERS,
    description: 'The account\'s lifecycle stage, such as "trial" or "active". `null` clears an attribute.',
  }),
  trialEndsAt: attribute("trialEndsAt", NOT_A_TIME, TIME_FORM),
});

export const versionedCapture = unversionedCapture.extend({
  accountPlan: attribute("plan", "must be a string that isn't blank", { type: ["string", "null"], minLength: 1 }),
  accountSeats: attribute("seats", "must be an integer of at least 0", { type: ["integer", "null"], minimum: 0 }),
  accountMrr: attribute("mrr", "must be a number of at least 0", {
    type: ["number", "null"],
    minimum: 0,
    description: "Monthly recurring revenue of the account.",
  }),
  accountCurrency: attribute("currency", "must be an ISO 4217 currency code", {
    type: ["string", "null"],
    pattern: "^[A-Za-z]{3}$",
    description: "Currency of accountMrr, as an ISO 4217 code.",
  }),
  accountContractEndsAt: attribute("contractEndsAt", NOT_A_TIME, TIME_FORM),
});

type Capture = z.infer<typeof unversionedCapture> & Partial<z.infer<typeof versionedCapture>>;

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
    accountTraits: null,
    attributes: attributesOf(capture, redacted),
    occurredAt: nativeOccurredAt(capture.timestamp ?? null, options.receivedAt, mapping),
    mapping,
  };
  return { ok: true, message, ignored: namesWithout(body, schema.shape), redacted };
}

function attributesOf(capture: Capture, redacted: string[]): AccountAttributes | null {
  const attributes: AccountAttributes = {};
  const stage = redactIfText(capture.accountStage, "accountStage", redacted);
  const plan = redactIfText(capture.accountPlan, "accountPlan", redacted);
  if (stage !== undefined) attributes.stage = stage === null ? null : cutText(stage, MAX_STAGE_CHARACTERS);
  if (capture.trialEndsAt !== undefined) attributes.trialEndsAt = capture.trialEndsAt;
  if (plan !== undefined) attributes.plan = plan;
  if (capture.accountSeats !== undefined) attributes.seats = capture.accountSeats;
  if (capture.accountMrr !== undefined) attributes.mrr = capture.accountMrr;
  if (capture.accountCurrency !== undefined) attributes.currency = capture.accountCurrency;
  if (capture.accountContractEndsAt !== undefined) attributes.contractEndsAt = capture.accountContractEndsAt;
  return Object.keys(attributes).length === 0 ? null : attributes;
}

function redactIfText<Value>(value: Value, path: string, redacted: string[]): Value | string {
  return typeof value === "string" ? redactText(value, path, redacted) : value;
}

function namesWithout(body: JsonObject, known: object): string[] {
  const names = Object.keys(body).filter((name) => !Object.hasOwn(known, name));
  return names.slice(0, MAX_IGNORED).map(pathSegment);
}

function toIssue(issue: z.core.$ZodIssue): Issue {
  const path = issue.path.join(".");
  return { path, message: `${path} ${issue.message}.` };
}
