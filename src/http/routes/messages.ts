/** Ingests messages of Segment-style senders: docs/wire.md §4. */
import type * as z from "zod";

import { MAX_BATCH_BYTES } from "../../config.ts";
import { errorResponse } from "../../edge/errors.ts";
import { ingestCdp } from "../../services/ingest.ts";
import { ingestCallOf, openIngestRequest } from "../middleware/ingest-request.ts";
import { writeRefused } from "../middleware/write-limit.ts";
import { presentIngest } from "../present/ingest.ts";
import { route } from "../route.ts";
import { INGEST } from "../schemas/error-sets.ts";
import { ingested } from "../schemas/ingest.ts";
import { groupBody, identifyBody, messagesBody, trackBody, unsupportedBody } from "../schemas/messages.ts";
import { INGESTED, MESSAGES } from "./examples.ts";

const openRequest = openIngestRequest({ maxBytes: MAX_BATCH_BYTES, code: "batch_too_large" });

const FORMS =
  'One message, `{"batch": […]}` or an array: at most 512 KB after decoding, 1,000 messages, 16 KB per message. A batch with invalid messages is 200 and lists them in `rejected`.';
const TYPED = `For client libraries. The path supplies a missing \`type\`; a message with another type is invalid. ${FORMS}`;

const ERRORS = [...INGEST, "invalid_message", "batch_too_large", "message_too_large"] as const;

interface MessagesRoute {
  paths: Readonly<Record<string, string>>;
  /** The message type that the paths name, or `null`. */
  pathType: string | null;
  summary: string;
  description: string;
  schema: z.ZodType;
  example: unknown;
  errors?: readonly (typeof ERRORS)[number][];
}

const messagesRoute = ({ paths, pathType, summary, description, schema, example, errors = ERRORS }: MessagesRoute) =>
  route(
    {
      name: "ingest_cdp",
      method: "post",
      paths,
      tag: "Ingest",
      summary,
      description,
      access: "ingest",
      anyOrigin: true,
      use: [openRequest],
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
      errors,
    },
    async (c) => {
      const result = await ingestCdp(ingestCallOf(c), { body: c.get("body"), pathType });
      switch (result.outcome) {
        case "stored":
          return c.json(presentIngest(result), 200);
        case "too_many_messages":
          return errorResponse(c, "batch_too_large", result.message);
        case "message_too_large":
          return errorResponse(c, "message_too_large", result.message);
        case "invalid":
          return errorResponse(c, "invalid_request", result.message, result.issues);
        case "invalid_message": {
          const { message, path } = result.rejection;
          return errorResponse(c, "invalid_message", message, [{ path: path ?? "", message }]);
        }
        case "unauthorized":
        case "rate_limited":
          return writeRefused(c, result);
      }
    },
  );

const unsupported = (pathType: string, paths: Readonly<Record<string, string>>) =>
  messagesRoute({
    paths,
    pathType,
    summary: `Accept \`${pathType}\` messages, which are not stored`,
    description: `${TYPED} These messages are counted and listed in \`rejected\`.`,
    schema: unsupportedBody,
    example: { userId: "u1", messageId: "m4" },
    // These messages are not stored, so they are not measured.
    errors: ERRORS.filter((code) => code !== "message_too_large"),
  });

export const messagesRoutes = [
  messagesRoute({
    paths: {
      "/api/v1/cdp": "ingestMessages",
      "/api/cdp": "ingestMessagesUnversioned",
      "/v1/batch": "sendBatch",
      "/v1/b": "sendBatchFromBrowser",
    },
    pathType: null,
    summary: "Ingest compatibility messages",
    description: `Messages in Segment's format, from any sender. ${FORMS}`,
    schema: messagesBody,
    example: { batch: Object.values(MESSAGES) },
  }),
  messagesRoute({
    paths: { "/v1/track": "sendTrack", "/v1/t": "sendTrackFromBrowser" },
    pathType: "track",
    summary: "Ingest `track` messages",
    description: TYPED,
    schema: trackBody,
    example: MESSAGES.track,
  }),
  messagesRoute({
    paths: { "/v1/identify": "sendIdentify", "/v1/i": "sendIdentifyFromBrowser" },
    pathType: "identify",
    summary: "Ingest `identify` messages",
    description: TYPED,
    schema: identifyBody,
    example: MESSAGES.identify,
  }),
  messagesRoute({
    paths: { "/v1/group": "sendGroup", "/v1/g": "sendGroupFromBrowser" },
    pathType: "group",
    summary: "Ingest `group` messages",
    description: TYPED,
    schema: groupBody,
    example: MESSAGES.group,
  }),
  unsupported("page", { "/v1/page": "sendPage", "/v1/p": "sendPageFromBrowser" }),
  unsupported("screen", { "/v1/screen": "sendScreen", "/v1/s": "sendScreenFromBrowser" }),
  unsupported("alias", { "/v1/alias": "sendAlias", "/v1/a": "sendAliasFromBrowser" }),
];
