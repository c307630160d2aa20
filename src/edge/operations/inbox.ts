/** Reads and marks inbox items for the API and for agents: docs/wire/inbox.md §14. */
import type { ItemKind, ItemStatus } from "../../core/inbox/model.ts";
import { itemPosition, listItems } from "../../db/inbox/list-items.ts";
import { type Mark, markItem } from "../../db/inbox/marks.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";
import { findWritable, hasScope } from "../../services/workspaces/api-keys.ts";
import { fitAll, INVALID_CURSOR, pageOf, type PageRequest, readSortCursor } from "../cursor.ts";
import { actorNameOf } from "../actor-name.ts";
import { failure, UNAUTHORIZED } from "../errors.ts";
import { isoOrNull } from "../../services/present/iso.ts";
import { presentItem } from "../../services/present/present-item.ts";

interface ItemsRequest extends PageRequest {
  readonly status: ItemStatus;
  readonly kind?: ItemKind | undefined;
  readonly owner?: string | undefined;
}

export async function listItemsPage(
  env: Env,
  grant: KeyGrant,
  { status, kind, owner, limit, cursor }: ItemsRequest,
  fit = fitAll,
) {
  const { workspace } = grant;
  const list = ["inbox", workspace.id, status, kind ?? "", owner ?? ""];
  const after = readSortCursor(list, cursor);
  if (after === undefined) return INVALID_CURSOR;
  const withIdentity = hasScope(grant, "identity");
  const filter = { status, kind, owner, after, limit: limit + 1, now: Date.now(), withIdentity };
  const listed = await listItems(env, workspace, filter);
  const items = fit(listed.items.slice(0, limit).map(presentItem));
  const { nextCursor } = pageOf(listed.items, items.length, list, itemPosition);
  return { ok: true as const, asOf: isoOrNull(listed.asOf), items, nextCursor };
}

export async function markOneItem(env: Env, grant: KeyGrant, id: string, mark: Mark) {
  const workspace = await findWritable(env, grant);
  if (workspace === null) return UNAUTHORIZED;
  // Names are shown to keys that have the scopes `read` and `identity`, as in the lists.
  const withIdentity = hasScope(grant, "read") && hasScope(grant, "identity");
  const act = { by: actorNameOf(grant), at: Date.now() };
  const stored = await markItem(env, workspace, id, mark, { ...act, withIdentity });
  return stored === null ? failure("not_found", "No such item.") : { ok: true as const, item: presentItem(stored) };
}
