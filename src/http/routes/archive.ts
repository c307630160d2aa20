/** Exports messages, and lists and returns the files of the archive: docs/wire/export.md §17. */
import * as z from "zod";

import type { Window } from "../../core/health/model.ts";
import { archiveFileName } from "../../core/archive/file-names.ts";
import { readByteRange } from "../../edge/byte-range.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { encodeCursor, invalidCursor, readCursor } from "../../edge/cursor.ts";
import { errorResponse } from "../../edge/errors.ts";
import { isoDate } from "../../services/present/iso.ts";
import { archiveThrough, daysQuery, exportQuery } from "../../edge/schemas/days.ts";
import { audited } from "../../services/audited.ts";
import { archiveWorkspace } from "../../services/archive/archive-workspace.ts";
import type { ArchiveFile } from "../../db/archive/manifest-sql.ts";
import { exportPage, findArchiveFile, listArchive } from "../../services/archive/read-archive.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { count, date, ok, text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { onWorkspace, withWorkspace } from "./workspaces.ts";

const files = response(
  "ArchiveFilesResponse",
  z.strictObject({
    ok,
    files: z.array(
      z.strictObject({
        name: text,
        day: date,
        messages: count.min(1),
        bytes: count.min(1),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    ),
  }),
);

const archived = response(
  "ArchiveResponse",
  z.union([
    z.strictObject({ ok, skipped: z.literal("running").describe("Another run is in progress.") }),
    z.strictObject({
      ok,
      files: count,
      messages: count,
      complete: z.boolean().describe("False when the run ended early. Repeat the call."),
    }),
  ]),
);

const present = ({ first, last, day, bytes, sha256 }: ArchiveFile) => ({
  name: archiveFileName({ first, last, day }),
  day: isoDate(day),
  messages: last - first + 1,
  bytes,
  sha256,
});

/** The days of an export, as its cursors name them. */
const exportOf = (c: AppContext, { from, to }: Window): readonly string[] => [
  "export",
  c.get("grant").workspace.id,
  isoDate(from),
  isoDate(to),
];

/** Links to the messages after a position, or to all of them for `null`. */
function linkToExport(c: AppContext, rel: "next" | "related", days: Window, position: number | null): void {
  const url = new URL("/api/v1/export", c.req.url);
  url.searchParams.set("from", isoDate(days.from));
  url.searchParams.set("to", isoDate(days.to));
  if (position !== null) url.searchParams.set("cursor", encodeCursor(exportOf(c, days), position));
  c.header("Link", `<${url.href}>; rel="${rel}"`);
}

const reads = { method: "get", tag: "Reads", access: "read" } as const;

export const archiveRoutes = [
  route(
    {
      ...reads,
      name: "export",
      paths: { "/api/v1/export": "exportMessages" },
      summary: "Export messages, oldest arrival first",
      description:
        "A message per line, with the columns of the archive's files. A page has at most 10,000 messages, fewer if they are large. The header `Link` has the URL of the next page. Messages of erased users are left out.",
      query: exportQuery,
      response: {
        status: 200,
        description: "A page of messages as lines of JSON.",
        mediaType: "application/x-ndjson",
        schema: z.string(),
      },
    },
    async (c) => {
      const { workspace } = c.get("grant");
      const { cursor, ...days } = c.req.valid("query");
      const after = readCursor(exportOf(c, days), cursor);
      if (after === undefined) return invalidCursor(c);
      const page = await exportPage(c.env, workspace, days, after, Date.now());
      if (page.next !== null) linkToExport(c, "next", days, page.next);
      return c.body(page.lines.join(""), 200, { "Content-Type": "application/x-ndjson" });
    },
  ),
  route(
    {
      ...reads,
      paths: { "/api/v1/archive": "listArchive" },
      summary: "List the files of the archive, oldest first",
      description:
        "The header `Link` has the URL of an export of the messages of these days that are not in the files.",
      query: daysQuery,
      response: { status: 200, description: "The files of messages received on these days.", schema: files },
    },
    async (c) => {
      const { workspace } = c.get("grant");
      const days = c.req.valid("query");
      const listed = await listArchive(c.env, workspace, days, Date.now());
      linkToExport(c, "related", days, listed.at(-1)?.last ?? null);
      return c.json({ ok: true, files: listed.map(present) }, 200);
    },
  ),
  route(
    {
      ...reads,
      name: "read_archive",
      paths: { "/api/v1/archive/{name}": "readArchiveFile" },
      summary: "Download a file of the archive",
      description:
        "Supports `Range`, `If-Range` and `If-None-Match`. While a file is rewritten because a user was erased, the response is 503.",
      params: z.object({ name: z.string().meta({ description: "The `name` in the list of files." }) }),
      response: {
        status: 200,
        description: "The file, in Parquet.",
        mediaType: "application/vnd.apache.parquet",
        schema: z.string().meta({ format: "binary" }),
        others: {
          206: "The part of the file that `Range` names.",
          304: "The client has this version of the file.",
          416: "`Range` begins after the end of the file.",
        },
      },
      errors: ["not_found"],
    },
    async (c) => {
      const { workspace } = c.get("grant");
      const { name } = c.req.valid("param");
      const found = await findArchiveFile(c.env, workspace, name, Date.now());
      if (found === null) return errorResponse(c, "not_found", "No such file.");
      if (found === "rewriting") {
        c.header("Retry-After", "300");
        return errorResponse(c, "unavailable", "The file is being rewritten. Retry the same request.");
      }
      const { file, read } = found;
      const etag = `"${file.sha256}"`;
      c.header("ETag", etag);
      c.header("Accept-Ranges", "bytes");
      const known = c.req.header("If-None-Match")?.split(",") ?? [];
      // A proxy that compresses marks the tag as weak.
      if (known.some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()))) return c.body(null, 304);
      const ifRange = c.req.header("If-Range");
      const wanted = ifRange === undefined || ifRange === etag ? c.req.header("Range") : undefined;
      const range = readByteRange(wanted, file.bytes);
      if (range === "unsatisfiable") return c.body(null, 416, { "Content-Range": `bytes */${file.bytes}` });
      const { offset, length } = range ?? { offset: 0, length: file.bytes };
      c.header("Content-Type", "application/vnd.apache.parquet");
      c.header("Content-Length", String(length));
      if (range !== null) c.header("Content-Range", `bytes ${offset}-${offset + length - 1}/${file.bytes}`);
      return c.body((await read()).slice(offset, offset + length), range === null ? 200 : 206);
    },
  ),
  route(
    {
      ...onWorkspace,
      method: "post",
      paths: { "/admin/workspaces/{id}/archive": "archiveWorkspace" },
      summary: "Archive messages now",
      description:
        "Archives the processed messages that were received up to the day `through`. An archived message is stored again if it is sent again.",
      body: { schema: request("ArchiveRequest", archiveThrough), example: { through: "2026-11-23" } },
      response: { status: 200, description: "What was archived.", schema: archived },
    },
    withWorkspace(async (c, workspace) => {
      const { through } = c.req.valid("json");
      const details = { through: isoDate(through) };
      const entry = { workspace: workspace.id, actor: c.get("actor"), action: "archive_requested", details } as const;
      const result = await audited(c.env, entry, () =>
        archiveWorkspace(c.env, workspace, { now: Date.now(), through }),
      );
      return c.json({ ok: true, ...(result ?? ({ skipped: "running" } as const)) }, 200);
    }),
  ),
];
