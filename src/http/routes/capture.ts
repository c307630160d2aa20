/** Captures behavior events: docs/wire/capture.md §3. */
import * as z from "zod";

import { MAX_EVENT_BYTES, MAX_IDEMPOTENCY_KEY_CHARS } from "../../config.ts";
import { unversionedCapture, versionedCapture } from "../../core/ingest/from-native.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { errorResponse } from "../../edge/errors.ts";
import { captureEvent } from "../../services/ingest.ts";
import { ingestCallOf, openIngestRequest, writeRefused } from "../middleware/write-request.ts";
import { request, response, type ResponseBody } from "../../edge/named-schemas.ts";
import { ACCOUNT_REF, accountRef, deduped, ok, redactedPaths, USER_REF, userRef } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";

export const captured = response(
  "CaptureResponse",
  z.strictObject({
    ok,
    deduped,
    account: accountRef,
    user: userRef,
    ignored: z.array(z.string()).min(1).max(100).optional().describe("Unknown fields, which were not stored."),
    redacted: redactedPaths.optional(),
  }),
);

const EXAMPLE = { accountId: "acme", userId: "u1", event: "report.exported", properties: { format: "pdf" } };

const common = {
  name: "capture_event",
  method: "post",
  tag: "Ingest",
  summary: "Capture one behavior event",
  description:
    "At most 16 KB. Unknown fields are not stored; the response lists them in `ignored`. `null` clears an attribute of the account; an absent attribute stays unchanged.",
  access: "ingest",
  anyOrigin: true,
  use: [openIngestRequest({ maxBytes: MAX_EVENT_BYTES, code: "message_too_large" })],
  headers: z.object({
    "Idempotency-Key": z.string().min(1).max(MAX_IDEMPOTENCY_KEY_CHARS).optional().meta({
      description: "Makes retries safe: a repeated key stores nothing and the response has `deduped: true`.",
    }),
  }),
  response: {
    status: 200,
    description: "The event is stored durably.",
    schema: captured,
    examples: { stored: { ok: true, deduped: false, account: ACCOUNT_REF, user: USER_REF } },
  },
  limited: true,
  errors: ["message_too_large"],
} as const;

export const captureRoutes = [
  route(
    {
      ...common,
      paths: { "/api/v1/events": "captureEvent" },
      body: {
        schema: request("CaptureRequest", versionedCapture),
        example: { ...EXAMPLE, accountPlan: "pro", accountSeats: 25 },
        validatedBy: "service",
      },
    },
    (c) => capture(c, true),
  ),
  route(
    {
      ...common,
      paths: { "/api/events": "captureEventUnversioned" },
      body: {
        schema: request("UnversionedCaptureRequest", unversionedCapture),
        example: { ...EXAMPLE, accountStage: "active" },
        validatedBy: "service",
      },
    },
    (c) => capture(c, false),
  ),
];

async function capture(c: AppContext, versioned: boolean) {
  const idempotencyKey = c.req.header("Idempotency-Key");
  const result = await captureEvent(ingestCallOf(c), { versioned, idempotencyKey });
  switch (result.outcome) {
    case "stored": {
      const { ignored, redacted } = result;
      const body: ResponseBody<typeof captured> = {
        ok: true,
        deduped: result.deduped,
        account: result.account,
        user: result.user,
        ...(ignored.length > 0 ? { ignored } : {}),
        ...(redacted.length > 0 ? { redacted } : {}),
      };
      return c.json(body, 200);
    }
    case "invalid":
      return errorResponse(c, "invalid_request", result.message, result.issues);
    case "unauthorized":
    case "rate_limited":
    case "storage_full":
      return writeRefused(c, result);
  }
}
