import type { CdpOutcome } from "../../services/ingest.ts";
import type { ingested } from "../schemas/ingest.ts";
import type { ResponseBody } from "../schemas/registry.ts";

/** Presents the result of a batch: docs/wire.md §4.5. */
export function presentIngest(result: Extract<CdpOutcome, { outcome: "stored" }>): ResponseBody<typeof ingested> {
  const { stored, duplicates, account, user, rejections, redactions } = result;
  return {
    ok: true,
    deduped: duplicates > 0 && stored === 0,
    source: "cdp",
    account,
    user,
    stored,
    duplicates,
    rejected: rejections.map(({ index, messageId, code, message, path }) => ({
      index,
      ...(messageId === null ? {} : { messageId }),
      code,
      message,
      ...(path === null ? {} : { path }),
    })),
    redacted: redactions.map(({ index, messageId, paths }) => ({
      index,
      ...(messageId === null ? {} : { messageId }),
      paths,
    })),
  };
}
