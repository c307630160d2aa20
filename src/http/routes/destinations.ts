/** Manages destinations of notifications, and what was delivered to them: docs/wire/notifications.md §23. */
import * as z from "zod";

import type { AppContext } from "../../edge/app-context.ts";
import { limitSends } from "../../edge/credentials.ts";
import { errorResponse, unauthorized } from "../../edge/errors.ts";
import { destinationChange, newDestination } from "../../edge/schemas/destination-requests.ts";
import { listAttempts } from "../../db/destinations/deliveries.ts";
import { listDestinations, MAX_DESTINATIONS } from "../../db/destinations/destinations.ts";
import type { Workspace } from "../../db/workspaces/find-workspace.ts";
import {
  type Caller,
  changeDestination,
  createDestination,
  deleteDestination,
} from "../../services/notify/destinations.ts";
import { resend, sendTest } from "../../services/notify/send-now.ts";
import { findWritable, hasScope } from "../../services/workspaces/api-keys.ts";
import { request } from "../../edge/named-schemas.ts";
import { idParam } from "../requests/path-params.ts";
import {
  attempts,
  createdDestination,
  destinations,
  oneAttempt,
  oneDestination,
  presentAttempt,
  presentDestination,
} from "../../edge/responses/destination.ts";
import { done } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";

const common = { tag: "Notifications", access: "notify" } as const;
const PATH = "/api/v1/destinations/{id}";
const params = z.object({ id: idParam("The destination's id (`dst_…`).") });
const attemptParams = params.extend({ attemptId: idParam("The attempt's id (`att_…`).") });

const EXAMPLE = {
  kind: "webhook",
  url: "https://hooks.example.com/behavior",
  events: ["inbox.opened", "inbox.resolved"],
  filter: { minSeverity: "high" },
};
const IDENTITY_NEEDED = "Payloads with identity traits need a key that also has the scope `identity`.";

export const destinationsRoutes = [
  route(
    {
      ...common,
      method: "post",
      paths: { "/api/v1/destinations": "createDestination" },
      summary: "Create a destination",
      description: "A workspace can have 20.",
      body: { schema: request("NewDestinationRequest", newDestination), example: EXAMPLE },
      response: {
        status: 201,
        description: "The destination, and the secret of a webhook, which is shown only once.",
        schema: createdDestination,
      },
      errors: ["too_many_destinations"],
    },
    withWorkspace(async (c, workspace) => {
      const created = await createDestination(c.env, workspace, c.req.valid("json"), callerOf(c), Date.now());
      switch (created.outcome) {
        case "created":
        case "exists": {
          const secret = created.outcome === "created" ? created.secret : null;
          return c.json({ ok: true, destination: { ...presentDestination(created.destination), secret } }, 201);
        }
        case "too_many":
          return errorResponse(
            c,
            "too_many_destinations",
            `The workspace has ${MAX_DESTINATIONS} destinations. Delete one first.`,
          );
        case "identity_needed":
          return errorResponse(c, "forbidden", IDENTITY_NEEDED);
        case "invalid":
          return errorResponse(c, "invalid_request", "Invalid body. See issues.", [issueOf(created)]);
      }
    }),
  ),
  route(
    {
      ...common,
      method: "get",
      paths: { "/api/v1/destinations": "listDestinations" },
      summary: "List destinations, oldest first",
      response: { status: 200, description: "All destinations.", schema: destinations },
    },
    async (c) => {
      const listed = await listDestinations(c.env, c.get("grant").workspace);
      return c.json({ ok: true, destinations: listed.map(presentDestination) }, 200);
    },
  ),
  route(
    {
      ...common,
      method: "patch",
      paths: { [PATH]: "changeDestination" },
      summary: "Change, disable or enable a destination",
      params,
      body: { schema: request("DestinationChangeRequest", destinationChange), example: { disabled: false } },
      response: { status: 200, description: "The updated destination.", schema: oneDestination },
      errors: ["not_found"],
    },
    withWorkspace(async (c, workspace) => {
      const { id } = c.req.valid("param");
      const changed = await changeDestination(c.env, workspace, id, c.req.valid("json"), callerOf(c), Date.now());
      switch (changed.outcome) {
        case "changed":
          return c.json({ ok: true, destination: presentDestination(changed.destination) }, 200);
        case "not_found":
          return noSuchDestination(c);
        case "identity_needed":
          return errorResponse(c, "forbidden", IDENTITY_NEEDED);
        case "invalid":
          return errorResponse(c, "invalid_request", "Invalid body. See issues.", [issueOf(changed)]);
      }
    }),
  ),
  route(
    {
      ...common,
      method: "delete",
      paths: { [PATH]: "deleteDestination" },
      summary: "Delete a destination",
      description: "What is not delivered yet is lost.",
      params,
      response: { status: 200, description: "The destination is deleted.", schema: done },
      errors: ["not_found"],
    },
    withWorkspace(async (c, workspace) => {
      const isDeleted = await deleteDestination(c.env, workspace, c.req.valid("param").id, callerOf(c).actor);
      return isDeleted ? c.json({ ok: true }, 200) : noSuchDestination(c);
    }),
  ),
  route(
    {
      ...common,
      method: "post",
      paths: { [`${PATH}/test`]: "testDestination" },
      summary: "Send a test to a destination",
      description: "Needs no body. Waits for the receiver, 15 s at most.",
      use: [limitSends],
      params,
      response: { status: 200, description: "The attempt, which may have failed.", schema: oneAttempt },
      errors: ["not_found"],
    },
    withWorkspace(async (c, workspace) => {
      const attempt = await sendTest(c.env, workspace, c.req.valid("param").id, Date.now());
      return attempt === null ? noSuchDestination(c) : c.json({ ok: true, attempt: presentAttempt(attempt) }, 200);
    }),
  ),
  route(
    {
      ...common,
      method: "get",
      paths: { [`${PATH}/attempts`]: "listDeliveryAttempts" },
      summary: "List the last 100 attempts, newest first",
      params,
      response: { status: 200, description: "The attempts.", schema: attempts },
      errors: ["not_found"],
    },
    async (c) => {
      const listed = await listAttempts(c.env, c.get("grant").workspace, c.req.valid("param").id);
      if (listed === null) return noSuchDestination(c);
      return c.json({ ok: true, attempts: listed.map(presentAttempt) }, 200);
    },
  ),
  route(
    {
      ...common,
      method: "post",
      paths: { [`${PATH}/attempts/{attemptId}/resend`]: "resendNotification" },
      summary: "Send the notification of an attempt again",
      description: "Needs no body. The notification keeps its `webhook-id`. Waits for the receiver, 15 s at most.",
      use: [limitSends],
      params: attemptParams,
      response: { status: 200, description: "The new attempt, which may have failed.", schema: oneAttempt },
      errors: ["not_found"],
    },
    withWorkspace(async (c, workspace) => {
      const { id, attemptId } = c.req.valid("param");
      const sent = await resend(c.env, workspace, id, attemptId, Date.now());
      switch (sent.outcome) {
        case "sent":
          return c.json({ ok: true, attempt: presentAttempt(sent.attempt) }, 200);
        case "no_destination":
          return noSuchDestination(c);
        case "no_attempt":
          return errorResponse(c, "not_found", "No such attempt.");
        case "no_notification":
          return errorResponse(c, "not_found", "The notification is no longer kept.");
      }
    }),
  ),
];

/** Checks the key again: a revoked one must not make data leave the service. */
function withWorkspace<C extends AppContext, Answer>(handler: (c: C, workspace: Workspace) => Promise<Answer>) {
  return async (c: C) => {
    const workspace = await findWritable(c.env, c.get("grant"));
    return workspace === null ? unauthorized(c) : handler(c, workspace);
  };
}

function callerOf(c: AppContext): Caller {
  const grant = c.get("grant");
  return { actor: `key:${grant.keyId}`, mayIdentify: hasScope(grant, "identity") };
}

const issueOf = ({ path, message }: { path: string; message: string }) => ({ path, message });

const noSuchDestination = (c: AppContext) => errorResponse(c, "not_found", "No such destination.");
