/** The compatibility path (`cdp`): ingests messages in Segment's format. See docs/wire/batches.md §4. */
import * as z from "zod";

import { MAX_BATCH_BYTES } from "../../config.ts";
import { errorResponse } from "../../edge/errors.ts";
import { type CdpOutcome, ingestCdp } from "../../services/ingest.ts";
import { ingestCallOf, openIngestRequest, writeRefused } from "../middleware/write-request.ts";
import { response, type ResponseBody } from "../../edge/named-schemas.ts";
import { groupBody, identifyBody, messagesBody, trackBody, unsupportedBody } from "../requests/cdp-bodies.ts";
import {
  ACCOUNT_REF,
  accountRef,
  count,
  deduped,
  ok,
  redactedPaths,
  text,
  USER_REF,
  userRef,
} from "../../edge/responses/fields.ts";
import { INGEST_ERRORS, route } from "../declare-route.ts";

export const ingested = response(
  "MessagesResponse",
  z.strictObject({
    ok,
    deduped,
    source: z.literal("cdp"),
    account: accountRef.nullable().describe("The account of the last message that was not rejected."),
    user: userRef.nullable().describe("The user of the last message that was not rejected."),
    stored: count.describe("`stored`, `duplicates` and the length of `rejected` add up to the number of messages."),
    duplicates: count,
    rejected: z.array(
      z.strictObject({
        index: count.describe("Position of the message in the request, from 0."),
        messageId: text.optional(),
        code: z.enum(["invalid_message", "unsupported_type", "message_too_large"]),
        message: text,
        path: z.string().optional().describe("The invalid field."),
      }),
    ),
    redacted: z.array(z.strictObject({ index: count, messageId: text.optional(), paths: redactedPaths })),
  }),
);

const EXAMPLES = {
  group: { type: "group", messageId: "m1", userId: "u1", groupId: "acme", traits: { plan: "pro", seats: "25" } },
  identify: { type: "identify", messageId: "m2", userId: "u1", traits: { role: "admin" } },
  track: { type: "track", messageId: "m3", userId: "u1", event: "Report Exported", properties: { format: "pdf" } },
  page: { type: "page", messageId: "m4", userId: "u1" },
};

const INGESTED = {
  ok: true,
  deduped: false,
  source: "cdp",
  account: ACCOUNT_REF,
  user: USER_REF,
  stored: 3,
  duplicates: 0,
  rejected: [
    {
      index: 3,
      messageId: "m4",
      code: "unsupported_type",
      message: "type must be track, identify or group.",
      path: "type",
    },
  ],
  redacted: [],
};

const LIMIT = { maxBytes: MAX_BATCH_BYTES, code: "batch_too_large" } as const;
const openRequest = openIngestRequest(LIMIT);
const openBeacon = openIngestRequest(LIMIT, true);

const FORMS =
  'One message, `{"batch": […]}` or an array: at most 512 KB after decoding, 1,000 messages, 16 KB per message. A batch with invalid messages returns 200 and lists them in `rejected`.';
const TYPED = `For client libraries. The path supplies a missing \`type\`; a message with another type is invalid. ${FORMS}`;

const ERRORS = ["invalid_message", "batch_too_large", "message_too_large"] as const;

interface CdpRoute {
  paths: Readonly<Record<string, string>>;
  /** The message type that the paths name, or `null`. */
  pathType: string | null;
  summary: string;
  description: string;
  schema: z.ZodType;
  example: unknown;
  errors?: readonly (typeof ERRORS)[number][];
  isBeacon?: true;
}

const cdpRoute = ({ paths, pathType, summary, description, schema, example, errors = ERRORS, isBeacon }: CdpRoute) =>
  route(
    {
      name: "ingest_cdp",
      method: "post",
      paths,
      tag: "Ingest",
      summary,
      description,
      ...(isBeacon
        ? ({ access: "browser", anyOrigin: "with_credentials", use: [openBeacon] } as const)
        : ({ access: "ingest", anyOrigin: true, use: [openRequest] } as const)),
      body: {
        schema,
        example,
        description: "Any `Content-Type`, or none; uncompressed or with `Content-Encoding: gzip`.",
        validatedBy: "service",
      },
      response: {
        status: 200,
        description: "Accepted messages are stored durably; the others are listed in `rejected`.",
        schema: ingested,
        examples: { stored: INGESTED },
      },
      limited: true,
      errors: [...INGEST_ERRORS, ...errors],
    },
    async (c) => {
      const result = await ingestCdp(ingestCallOf(c), pathType);
      switch (result.outcome) {
        case "stored":
          return c.json(presentStored(result), 200);
        case "batch_too_large":
        case "message_too_large":
          return errorResponse(c, result.outcome, result.message);
        case "invalid":
          return errorResponse(c, "invalid_request", result.message, result.issues);
        case "invalid_message": {
          const { message, path } = result.rejection;
          return errorResponse(c, "invalid_message", message, [{ path: path ?? "", message }]);
        }
        case "unauthorized":
        case "rate_limited":
        case "storage_full":
          return writeRefused(c, result);
      }
    },
  );

function presentStored(result: Extract<CdpOutcome, { outcome: "stored" }>): ResponseBody<typeof ingested> {
  const { stored, duplicates, account, user, rejections, redactions } = result;
  return {
    ok: true,
    deduped: duplicates > 0 && stored === 0,
    source: "cdp",
    account,
    user,
    stored,
    duplicates,
    rejected: rejections.map(({ automatic: _automatic, kept: _kept, messageId, path, ...rest }) => ({
      ...rest,
      ...(messageId !== null && { messageId }),
      ...(path !== null && { path }),
    })),
    redacted: redactions.map(({ messageId, ...rest }) => ({ ...rest, ...(messageId !== null && { messageId }) })),
  };
}

/** Paths that name the type of their messages. Browser libraries send to the short one. */
const typed = (type: string, id: string, schema: z.ZodType, example: unknown) => ({
  paths: { [`/v1/${type}`]: id, [`/v1/${type.charAt(0)}`]: `${id}FromBrowser` },
  pathType: type,
  summary: `Ingest \`${type}\` messages`,
  description: TYPED,
  schema,
  example,
});

const unsupported = (type: string, id: string) =>
  cdpRoute({
    ...typed(type, id, unsupportedBody, { userId: "u1", messageId: "m4" }),
    summary: `Accept \`${type}\` messages, which are not stored`,
    description: `${TYPED} These messages are counted and listed in \`rejected\`.`,
    // These messages are not stored, so they are not measured.
    errors: ERRORS.filter((code) => code !== "message_too_large"),
  });

export const cdpRoutes = [
  cdpRoute({
    paths: {
      "/api/v1/cdp": "ingestMessages",
      "/api/cdp": "ingestMessagesUnversioned",
      "/v1/batch": "sendBatch",
      "/v1/b": "sendBatchFromBrowser",
      "/v1/import": "sendImport",
    },
    pathType: null,
    summary: "Ingest compatibility messages",
    description: `Messages in Segment's format, from any sender. ${FORMS}`,
    schema: messagesBody,
    example: { batch: Object.values(EXAMPLES) },
  }),
  cdpRoute(typed("track", "sendTrack", trackBody, EXAMPLES.track)),
  cdpRoute(typed("identify", "sendIdentify", identifyBody, EXAMPLES.identify)),
  cdpRoute(typed("group", "sendGroup", groupBody, EXAMPLES.group)),
  unsupported("page", "sendPage"),
  unsupported("screen", "sendScreen"),
  unsupported("alias", "sendAlias"),
  cdpRoute({
    paths: { "/beacon/v1/batch": "sendBeacon" },
    pathType: null,
    summary: "Ingest a beacon",
    description: `From RudderStack's browser library, with a browser key in \`?writeKey=\`. ${FORMS}`,
    schema: messagesBody,
    example: { batch: Object.values(EXAMPLES) },
    isBeacon: true,
  }),
];
