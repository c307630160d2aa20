/** Reads events for the API and for agents: docs/wire/README.md §1. */
import { listEvents } from "../../db/events/arrivals.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";
import { encodeCursor, fitAll, INVALID_CURSOR, type PageRequest, readCursor } from "../cursor.ts";
import { iso, isoOrNull } from "../../services/present/iso.ts";

export async function listEventsPage(env: Env, { workspace }: KeyGrant, { limit, cursor }: PageRequest, fit = fitAll) {
  const list = ["events", workspace.id];
  const before = readCursor(list, cursor);
  if (before === undefined) return INVALID_CURSOR;
  const listed = await listEvents(env, workspace, limit, before);
  const events = fit(
    listed.events.map(({ seq: _seq, type: _type, mapping: _mapping, event: name, properties, ...row }) => ({
      ...row,
      name: name ?? "",
      properties: properties ?? {},
      occurredAt: iso(row.occurredAt),
      receivedAt: iso(row.receivedAt),
    })),
  );
  const next = events.length < listed.events.length ? listed.events[events.length - 1]?.seq : listed.next;
  const nextCursor = next == null ? null : encodeCursor(list, next);
  return { ok: true as const, events, nextCursor, archivedUntil: isoOrNull(listed.archivedUntil) };
}
