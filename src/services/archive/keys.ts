import { archiveKey } from "../../core/archive/names.ts";
import type { ArchiveFile } from "../../db/archive/files.ts";
import { baseOf, type WorkspaceRef } from "../../db/client/database.ts";

/** The key of a file in the bucket. */
export const keyOf = (
  { id }: WorkspaceRef,
  { first, last, day }: Pick<ArchiveFile, "first" | "last" | "day">,
): string => archiveKey(id, { day, first: first - baseOf(first), last: last - baseOf(last) });
