/** Creates and changes destinations: checks what a request may ask for, seals what is secret, and schedules digests. */
import type { Actor } from "../../core/audit.ts";
import { DAY_MS } from "../../core/durations.ts";
import { checkDestinationUrl } from "../../core/notify/destination-url.ts";
import { nextDigestAt } from "../../core/notify/digest-times.ts";
import type { DestinationKind, DigestTimes, NewsFilter, SubscribedEvent } from "../../core/notify/model.ts";
import {
  type Destination,
  type DestinationChange,
  deleteDestination as deleteRows,
  findDestination,
  insertDestination,
  updateDestination,
} from "../../db/destinations/destinations.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { Workspace } from "../../db/workspaces/find-workspace.ts";
import { audited } from "../audited.ts";
import { randomId } from "../workspaces/api-keys.ts";
import { allowsLocal, seal, unseal } from "./sealing.ts";

const SECRET_BYTES = 32;

/** The fields of a request: docs/wire/notifications.md §23. */
export interface DestinationFields {
  url: string;
  events: SubscribedEvent[];
  filter: NewsFilter;
  includeIdentity: boolean;
  digest: DigestTimes | null;
}

type Refusal =
  | { outcome: "invalid"; path: "url" | "events" | "digest"; message: string }
  /** Only a reader of identity traits may have them sent. */
  | { outcome: "identity_needed" };

export type Created =
  | { outcome: "created"; destination: Destination; secret: string | null }
  | { outcome: "too_many" }
  | Refusal;
export type Changed = { outcome: "changed"; destination: Destination } | { outcome: "not_found" } | Refusal;

export interface Caller {
  actor: Actor;
  /** Whether the caller may read identity traits. */
  mayIdentify: boolean;
}

export async function createDestination(
  env: Env,
  workspace: Workspace,
  { kind, ...fields }: DestinationFields & { kind: DestinationKind },
  { mayIdentify, actor }: Caller,
  now: number,
): Promise<Created> {
  const refusal = refuse(env, fields, mayIdentify);
  if (refusal !== null) return refusal;
  const id = randomId("dst");
  const secret = kind === "webhook" ? newSecret() : null;
  const { url, ...stored } = fields;
  const values = {
    ...stored,
    id,
    kind,
    shownUrl: shownUrl(kind, url),
    ...(await seal(env, id, { url, secret })),
    digestDueAt: null,
    digestThrough: null,
    ...schedule(fields.digest, workspace, now),
    createdAt: now,
    failingSince: null,
    disabledAt: null,
    disabledReason: null,
  };
  const details = { destination: id, kind, origin: new URL(url).origin };
  const entry = { workspace: workspace.id, actor, action: "destination_created", details } as const;
  const destination = await audited(env, entry, () => insertDestination(env, workspace, values));
  return destination === null ? { outcome: "too_many" } : { outcome: "created", destination, secret };
}

/** Changes the fields that are given. */
export async function changeDestination(
  env: Env,
  workspace: Workspace,
  id: string,
  { disabled, url, ...change }: Partial<DestinationFields> & { disabled?: boolean },
  { mayIdentify, actor }: Caller,
  now: number,
): Promise<Changed> {
  const current = await findDestination(env, workspace, id);
  if (current === null) return { outcome: "not_found" };
  const sealed = await unseal(env, current);
  // Whoever changes the address of names must be allowed to read them.
  const refusal = refuse(
    env,
    { ...current, url: sealed.url, ...change, ...(url !== undefined && { url }) },
    mayIdentify,
  );
  if (refusal !== null) return refusal;
  const isEnabled = disabled === undefined ? current.disabledAt === null : !disabled;
  const { digest = current.digest } = change;
  const values: DestinationChange = {
    ...change,
    ...(url !== undefined && { shownUrl: shownUrl(current.kind, url), ...(await seal(env, id, { ...sealed, url })) }),
    ...(disabled === false && { disabledAt: null, disabledReason: null, failingSince: null }),
    ...(disabled === true && {
      disabledAt: current.disabledAt ?? now,
      disabledReason: current.disabledReason ?? "requested",
    }),
    ...((change.digest !== undefined || disabled !== undefined) && schedule(isEnabled ? digest : null, workspace, now)),
  };
  const changed = Object.keys({
    ...change,
    ...(url !== undefined && { url }),
    ...(disabled !== undefined && { disabled }),
  });
  const details = { destination: id, changed, ...(url !== undefined && { origin: new URL(url).origin }) };
  const entry = { workspace: workspace.id, actor, action: "destination_changed", details } as const;
  const updated = await audited(env, entry, () => updateDestination(env, workspace, id, values));
  return updated === null ? { outcome: "not_found" } : { outcome: "changed", destination: updated };
}

/** Deletes a destination, and what was to be delivered there. @returns whether it existed */
export async function deleteDestination(env: Env, workspace: WorkspaceRef, id: string, actor: Actor): Promise<boolean> {
  if ((await findDestination(env, workspace, id)) === null) return false;
  const entry = {
    workspace: workspace.id,
    actor,
    action: "destination_deleted",
    details: { destination: id },
  } as const;
  return audited(env, entry, () => deleteRows(env, workspace, id));
}

function refuse(
  env: Env,
  { url, events, digest, includeIdentity }: DestinationFields,
  mayIdentify: boolean,
): Refusal | null {
  if (includeIdentity && !mayIdentify) return { outcome: "identity_needed" };
  const checked = checkDestinationUrl(url, { allowLoopback: allowsLocal(env) });
  if ("message" in checked) return { outcome: "invalid", path: "url", message: checked.message };
  if (digest !== null && !events.includes("digest"))
    return { outcome: "invalid", path: "events", message: "must contain `digest`, because the field `digest` is set" };
  if (digest === null && events.includes("digest"))
    return { outcome: "invalid", path: "digest", message: "is needed by the event `digest`" };
  return null;
}

/** URLs of Slack and Teams work like passwords. */
const shownUrl = (kind: DestinationKind, url: string): string => (kind === "webhook" ? url : new URL(url).origin);

/** The first digest begins with the day that isn't complete yet. */
const schedule = (digest: DigestTimes | null, { timezone }: Workspace, now: number): DestinationChange =>
  digest === null
    ? { digestDueAt: null }
    : { digestDueAt: nextDigestAt(digest, timezone, now), digestThrough: Math.floor(now / DAY_MS) - 1 };

/** As Standard Webhooks 1.0.0 writes it. */
const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
