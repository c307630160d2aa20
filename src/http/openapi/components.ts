/**
 * The schemas that the document has a name for, as JSON Schema: those of requests, which validate them too, and those of
 * answers, which the tests hold answers against.
 */
import * as z from "zod";

import { identityRequest } from "../../core/identity/identity-request.ts";
import { unversionedCapture, versionedCapture } from "../../core/ingest/from-native.ts";
import { acceptance, newKey, newWorkspace, workspaceChange } from "../../edge/schemas/admin-requests.ts";
import { askRequest } from "../../edge/schemas/ask-request.ts";
import { snoozeRequest } from "../schemas/snooze-request.ts";
import * as administration from "./answers/administration.ts";
import { errorBody } from "./answers/errors.ts";
import { attached, captured, ingested } from "./answers/ingest.ts";
import * as outcomes from "./answers/outcomes.ts";
import * as questions from "./answers/questions.ts";
import * as reads from "./answers/reads.ts";
import { account, done, namedAccount, namedUser, object, window } from "./answers/shapes.ts";
import * as sent from "./requests/messages.ts";

const REQUESTS = {
  CaptureRequest: versionedCapture,
  UnversionedCaptureRequest: unversionedCapture,
  TrackMessage: sent.messages.track,
  IdentifyMessage: sent.messages.identify,
  GroupMessage: sent.messages.group,
  UnaskedMessage: sent.messages.unasked,
  Message: sent.message,
  MessagesRequest: sent.messageBody,
  TrackRequest: sent.trackBody,
  IdentifyRequest: sent.identifyBody,
  GroupRequest: sent.groupBody,
  UnaskedRequest: sent.unaskedBody,
  IdentityRequest: identityRequest,
  AskRequest: askRequest,
  SnoozeRequest: snoozeRequest,
  NewWorkspaceRequest: newWorkspace,
  WorkspaceChangeRequest: workspaceChange,
  NewKeyRequest: newKey,
  AcceptanceRequest: acceptance,
};

const ANSWERS = {
  NamedAccount: namedAccount,
  NamedUser: namedUser,
  Account: account,
  Days: window,
  CaptureAnswer: captured,
  MessagesAnswer: ingested,
  IdentityAnswer: attached,
  Event: reads.event,
  EventsAnswer: reads.events,
  UserDetails: reads.userDetails,
  UserAnswer: reads.oneUser,
  RejectedMessage: reads.rejectedMessage,
  RejectedAnswer: reads.rejected,
  Health: outcomes.health,
  ExplainedHealth: outcomes.explainedHealth,
  AccountSummary: outcomes.accountSummary,
  AccountDetails: outcomes.accountDetails,
  AccountsAnswer: outcomes.accounts,
  AccountAnswer: outcomes.oneAccount,
  InboxItem: outcomes.item,
  InboxAnswer: outcomes.inbox,
  InboxItemAnswer: outcomes.marked,
  Interpretation: questions.interpretation,
  Evidence: questions.evidence,
  KnownAnswer: questions.known,
  UnknownAnswer: questions.unknown,
  Answer: questions.answerBody,
  Workspace: administration.workspace,
  WorkspaceAnswer: administration.oneWorkspace,
  WorkspacesAnswer: administration.workspaces,
  NewWorkspaceAnswer: administration.madeWorkspace,
  NewKeyAnswer: administration.madeKey,
  AgreementAnswer: administration.agreement,
  RecomputeAnswer: administration.recomputed,
  Description: object,
  Done: done,
  Error: errorBody,
};

const NAMES: ReadonlyMap<z.ZodType, string> = new Map(
  Object.entries<z.ZodType>({ ...REQUESTS, ...ANSWERS }).map(([name, schema]) => [schema, name]),
);

const uri = (name: string): string => `#/components/schemas/${name}`;

/** @throws Error for a schema without a name: an operation of which a component was forgotten */
export function refTo(schema: z.ZodType): { $ref: string } {
  const name = NAMES.get(schema);
  if (name === undefined) throw new Error("a schema of an operation is no component");
  return { $ref: uri(name) };
}

export const components = (): Record<string, object> => ({
  ...render(REQUESTS, "input"),
  ...render(ANSWERS, "output"),
});

/** A schema by itself: of a parameter, or a header. */
export const inline = (schema: z.ZodType): z.core.JSONSchema.BaseSchema =>
  withoutIdentity(z.toJSONSchema(schema, { io: "input", target: "draft-2020-12", unrepresentable: "any" }));

function render(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const rendered = z.toJSONSchema(registry, { io, target: "draft-2020-12", unrepresentable: "any", uri }).schemas;
  return Object.fromEntries(Object.entries(rendered).map(([name, schema]) => [name, withoutIdentity(schema)]));
}

/** The document says where a schema is and in which dialect. */
function withoutIdentity({
  $schema: _dialect,
  $id: _id,
  ...schema
}: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  return schema;
}
