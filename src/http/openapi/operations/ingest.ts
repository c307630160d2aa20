/** Sending: docs/wire.md §3, §4. */
import type * as z from "zod";

import { MAX_IDEMPOTENCY_KEY_CHARS } from "../../../config.ts";
import { unversionedCapture, versionedCapture } from "../../../core/ingest/from-native.ts";
import type { ErrorCode } from "../../../edge/error-codes.ts";
import { captured, ingested } from "../answers/ingest.ts";
import { groupBody, identifyBody, messageBody, trackBody, unaskedBody } from "../requests/messages.ts";
import { CAPTURED, INGESTED, MESSAGES } from "./examples.ts";
import { INGEST, type Operation } from "./operation.ts";

const capture = (path: string, id: string, schema: z.ZodType, fields: object): Operation => ({
  at: { [path]: id },
  method: "post",
  tag: "Ingest",
  summary: "Capture one behaviour event",
  description:
    "At most 16 KB. Fields that are not known are not stored, and named in `ignored`. `null` clears an attribute of the account, an absent one leaves it.",
  access: "ingest",
  requestHeaders: {
    "Idempotency-Key": {
      description: "Makes a retry safe: the same key again stores nothing and answers `deduped: true`.",
      maxLength: MAX_IDEMPOTENCY_KEY_CHARS,
    },
  },
  body: {
    schema,
    example: { accountId: "acme", userId: "u1", event: "report.exported", properties: { format: "pdf" }, ...fields },
  },
  answer: {
    status: 200,
    description: "It is durable.",
    schema: captured,
    examples: { stored: CAPTURED },
  },
  limited: true,
  errors: [...INGEST, "message_too_large"],
});

const messages = (
  at: Operation["at"],
  summary: string,
  schema: z.ZodType,
  example: unknown,
  description: string,
  errors: readonly ErrorCode[] = ["message_too_large"],
): Operation => ({
  at,
  method: "post",
  tag: "Ingest",
  summary,
  description: `${description} One message, \`{"batch": […]}\` or an array: at most 512 KB decoded, 1,000 messages, 16 KB each. A batch is 200 whatever is in it.`,
  access: "ingest",
  body: { schema, example, description: "Any `Content-Type`, or none; plain or with `Content-Encoding: gzip`." },
  answer: {
    status: 200,
    description: "What was accepted is durable; the rest is listed in `rejected`.",
    schema: ingested,
    examples: { stored: INGESTED },
  },
  limited: true,
  errors: [...INGEST, "invalid_message", "batch_too_large", ...errors],
});

const ON_TYPED_PATH = "As client libraries send. The path supplies a missing `type`; another one is invalid here.";

const preflight = (paths: Operation["at"]): Operation => ({
  at: paths,
  method: "options",
  tag: "Ingest",
  summary: "What a browser asks before it sends",
  description: "Any origin may send, without credentials of the browser's.",
  access: null,
  answer: { status: 204, description: "It may." },
  errors: [],
});

const SENDING: readonly Operation[] = [
  capture("/api/v1/events", "captureEvent", versionedCapture, { accountPlan: "pro", accountSeats: 25 }),
  capture("/api/events", "captureEventUnversioned", unversionedCapture, { accountStage: "active" }),
  messages(
    {
      "/api/v1/cdp": "ingestMessages",
      "/api/cdp": "ingestMessagesUnversioned",
      "/v1/batch": "sendBatch",
      "/v1/b": "sendBatchFromBrowser",
    },
    "Ingest compatibility messages",
    messageBody,
    { batch: Object.values(MESSAGES) },
    "Messages in the form of Segment, from any sender that speaks it.",
  ),
  messages(
    { "/v1/track": "sendTrack", "/v1/t": "sendTrackFromBrowser" },
    "Ingest `track` messages",
    trackBody,
    MESSAGES.track,
    ON_TYPED_PATH,
  ),
  messages(
    { "/v1/identify": "sendIdentify", "/v1/i": "sendIdentifyFromBrowser" },
    "Ingest `identify` messages",
    identifyBody,
    MESSAGES.identify,
    ON_TYPED_PATH,
  ),
  messages(
    { "/v1/group": "sendGroup", "/v1/g": "sendGroupFromBrowser" },
    "Ingest `group` messages",
    groupBody,
    MESSAGES.group,
    ON_TYPED_PATH,
  ),
  messages(
    {
      "/v1/page": "sendPage",
      "/v1/p": "sendPageFromBrowser",
      "/v1/screen": "sendScreen",
      "/v1/s": "sendScreenFromBrowser",
      "/v1/alias": "sendAlias",
      "/v1/a": "sendAliasFromBrowser",
    },
    "Take messages that nothing is made of",
    unaskedBody,
    { userId: "u1", messageId: "m4" },
    `${ON_TYPED_PATH} They are listed in \`rejected\`, and only counted.`,
    [],
  ),
];

export const INGESTING: readonly Operation[] = [
  ...SENDING,
  preflight(
    Object.fromEntries(
      SENDING.flatMap(({ at }) => Object.entries(at).map(([path, id]) => [path, `${id}Preflight`] as const)),
    ),
  ),
];
