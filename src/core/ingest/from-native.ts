/**
 * A native capture becomes the internal message, or a list of issues: see docs/wire.md, Native capture. Strict about
 * the fields it knows, and silent about none: what it does not store is named as ignored.
 */
import * as z from "zod";

import { isJsonObject, type JsonObject } from "../json.ts";
import { MAX_STAGE_CHARACTERS, readAttribute, type AttributeName } from "./account-attributes.ts";
import { MAX_EVENT_CHARACTERS } from "./event-name.ts";
import { readIdentifier } from "./identifiers.ts";
import { readIsoTime } from "./iso-time.ts";
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

/** `ignored`: names of fields that are not stored; `redacted`: where personal data was, as `properties.email`. */
export type NativeCapture =
  | { readonly ok: true; readonly message: Message; readonly ignored: string[]; readonly redacted: string[] }
  | { readonly ok: false; readonly issues: NativeIssue[] };

const EVENT = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/;

const identifier = z.unknown().transform((value, context) => {
  const reading = readIdentifier(value);
  if (reading.ok && reading.value !== null) return reading.value;
  return refuse(context, reading.ok ? "is required" : reading.problem);
});

const event = z.unknown().transform((value, context) => {
  if (value === undefined || value === null || value === "") return refuse(context, "is required");
  if (typeof value === "string" && value.length <= MAX_EVENT_CHARACTERS && EVENT.test(value)) return value;
  return refuse(context, `must be dotted lower case as "report.exported", at most ${MAX_EVENT_CHARACTERS} characters`);
});

const properties = optional((value, context): JsonObject | null => {
  if (value === null) return null;
  if (!isJsonObject(value)) return refuse(context, "must be an object");
  return isTooDeep(value) ? refuse(context, `must not be nested more than ${MAX_DEPTH} levels deep`) : value;
});

const timestamp = optional((value, context): number | null => {
  if (value === null) return null;
  return readIsoTime(value, false) ?? refuse(context, "must be an ISO 8601 time with an offset or Z");
});

function attribute<Name extends AttributeName>(name: Name, problem: string) {
  return optional((value, context) => {
    const usable = readAttribute(name, value, false);
    return usable === undefined ? refuse(context, `${problem}, or null`) : usable;
  });
}

function optional<Value>(read: (value: unknown, context: z.core.$RefinementCtx) => Value) {
  return z.unknown().transform(read).optional();
}

const unversionedCapture = z.object({
  accountId: identifier,
  userId: identifier,
  event,
  properties,
  timestamp,
  accountStage: attribute("stage", `must be a string of at most ${MAX_STAGE_CHARACTERS} characters`),
  trialEndsAt: attribute("trialEndsAt", "must be an ISO 8601 time with an offset or Z"),
});

const versionedCapture = unversionedCapture.extend({
  accountPlan: attribute("plan", "must be a string"),
  accountSeats: attribute("seats", "must be a whole number of at least 0"),
  accountMrr: attribute("mrr", "must be a number of at least 0"),
  accountCurrency: attribute("currency", "must be an ISO 4217 code"),
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
    occurredAt: notInFuture(capture.timestamp ?? options.receivedAt, options.receivedAt),
  };
  return { ok: true, message, ignored: namesWithout(body, schema.shape), redacted };
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
