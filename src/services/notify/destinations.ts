/** Creates and changes destinations: checks what a request may ask for, seals what is secret, and schedules digests. */
import { allowsLocalDestinations } from "../../config.ts";
import type { Actor } from "../../core/audit.ts";
import { DAY_MS } from "../../core/durations.ts";
import { hex } from "../../core/hex.ts";
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
import { randomId } from "../random-id.ts";
import { seal, unseal } from "../sealing/sealing.ts";
import { newSigningSecret } from "../signatures/sign.ts";

const LOST_KEY =
  "can't be changed, because the deployment no longer has the key of its signing secret: delete the destination and create it anew";

/** What is sealed. The URL of a webhook also stands beside it in clear text. Only webhooks have a signing secret. */
export interface Secrets {
  url: string;
  secret: string | null;
}

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
  /** A destination has this `id`. */
  | { outcome: "exists"; destination: Destination }
  | { outcome: "too_many" }
  | Refusal;
export type Changed = { outcome: "changed"; destination: Destination } | { outcome: "not_found" } | Refusal;

export interface Caller {
  actor: Actor;
  /** Whether the caller may read identity traits. */
  mayIdentify: boolean;
}

/** @param fields with an `id` of the caller's choice, which creates the destination at most once, or without one */
export async function createDestination(
  env: Env,
  workspace: Workspace,
  { id: chosen, kind, ...fields }: DestinationFields & { id?: string; kind: DestinationKind },
  { mayIdentify, actor }: Caller,
  now: number,
): Promise<Created> {
  const refusal = refuse(env, fields, mayIdentify);
  if (refusal !== null) return refusal;
  const id = chosen === undefined ? randomId("dst") : await ownId(workspace, chosen);
  const secret = kind === "webhook" ? newSigningSecret() : null;
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
    busyUntil: null,
    disabledAt: null,
    disabledReason: null,
  };
  const { includeIdentity } = fields;
  const details = { destination: id, kind, includeIdentity, origin: new URL(url).origin };
  const entry = { workspace: workspace.id, actor, action: "destination_created", details } as const;
  const destination = await audited(env, entry, () => insertDestination(env, workspace, values));
  if (destination === null) return { outcome: "too_many" };
  const isNew = destination.sealed === values.sealed;
  return isNew ? { outcome: "created", destination, secret } : { outcome: "exists", destination };
}

/** Changes the fields that are given: those that are absent or undefined stay. */
export async function changeDestination(
  env: Env,
  workspace: Workspace,
  id: string,
  {
    disabled,
    ...given
  }: { [Field in keyof DestinationFields]?: DestinationFields[Field] | undefined } & {
    disabled?: boolean | undefined;
  },
  { mayIdentify, actor }: Caller,
  now: number,
): Promise<Changed> {
  const current = await findDestination(env, workspace, id);
  if (current === null) return { outcome: "not_found" };
  const { url } = given;
  const fields = {
    events: given.events ?? current.events,
    filter: given.filter ?? current.filter,
    includeIdentity: given.includeIdentity ?? current.includeIdentity,
    digest: given.digest === undefined ? current.digest : given.digest,
  };
  const isStopped = disabled === true && Object.values(given).every((value) => value === undefined);
  // Whoever changes where names go must be allowed to read them.
  const refusal = refuse(env, { url, ...fields }, mayIdentify || isStopped);
  if (refusal !== null) return refusal;
  const { includeIdentity } = fields;
  // Reads show only its origin, so somebody else may have changed it unseen.
  if (includeIdentity && !current.includeIdentity && current.kind !== "webhook" && url === undefined)
    return { outcome: "invalid", path: "url", message: "must be given again, because names will be sent there" };
  const sealed = url === undefined ? null : await sealAgain(env, current, url);
  if (sealed === "lost") return { outcome: "invalid", path: "url", message: LOST_KEY };
  const isDisabled = disabled ?? current.disabledAt !== null;
  const isRescheduled = given.digest !== undefined || disabled !== undefined;
  const change = {
    ...fields,
    ...sealed,
    ...(disabled === true && {
      disabledAt: current.disabledAt ?? now,
      disabledReason: current.disabledReason ?? "requested",
    }),
    ...(disabled === false && { disabledAt: null, disabledReason: null, failingSince: null }),
    ...(isRescheduled && schedule(isDisabled ? null : fields.digest, workspace, now)),
  };
  const changed = Object.entries({ ...given, disabled }).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  const details = {
    destination: id,
    changed,
    includeIdentity,
    ...(url !== undefined && { origin: new URL(url).origin }),
  };
  const entry = { workspace: workspace.id, actor, action: "destination_changed", details } as const;
  const updated = await audited(env, entry, () => updateDestination(env, workspace, id, change));
  return updated === null ? { outcome: "not_found" } : { outcome: "changed", destination: updated };
}

/** Seals another URL. Only a webhook has a signing secret, which stays. @returns `"lost"` if that can't be opened */
async function sealAgain(env: Env, { id, kind, ...current }: Destination, url: string) {
  let secret: string | null = null;
  if (kind === "webhook") {
    const opened = await unseal<Secrets>(env, { id, ...current }).catch(() => null);
    if (opened === null) return "lost";
    ({ secret } = opened);
  }
  return { shownUrl: shownUrl(kind, url), ...(await seal(env, id, { url, secret })) };
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
  { url, events, digest, includeIdentity }: Omit<DestinationFields, "url"> & { url: string | undefined },
  mayIdentify: boolean,
): Refusal | null {
  if (includeIdentity && !mayIdentify) return { outcome: "identity_needed" };
  const checked = url === undefined ? null : checkDestinationUrl(url, { allowLoopback: allowsLocalDestinations(env) });
  if (checked !== null && "message" in checked) return { outcome: "invalid", path: "url", message: checked.message };
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

/** Makes an id that no other workspace can choose: a copy of a workspace replaces rows with the same id. */
async function ownId(workspace: Workspace, chosen: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${workspace.id} ${chosen}`));
  return `dst_${hex(new Uint8Array(digest)).slice(0, 24)}`;
}
