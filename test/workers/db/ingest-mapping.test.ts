/** docs/wire/personal-data.md §5: how a message was mapped, as the log stores it. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Mapping } from "../../../src/core/ingest/message.ts";
import { packMapping, unpackMapping } from "../../../src/db/ingest/stored-mapping.ts";
import { type IngestSender, newSender } from "../ingest/sender.ts";
import { mapping } from "./message-arbitraries.ts";

const packed = (of: Mapping): string => JSON.stringify(packMapping(of));

/** Reads the mappings in the log, in the order of arrival. */
async function kept({ workspace }: IngestSender): Promise<unknown[]> {
  const { number } = await workspace.ref();
  const { results } = await env.DB.prepare("SELECT mapping FROM messages WHERE workspace = ? ORDER BY seq")
    .bind(number)
    .all();
  return results.map((row) => row["mapping"]);
}

describe("a packed mapping", () => {
  it("unpacks to what was packed", () => {
    fc.assert(
      fc.property(mapping, (one) => {
        expect(unpackMapping(JSON.parse(packed(one)))).toEqual(one);
      }),
    );
  });

  it("is short for a common message", () => {
    expect(packed({ timeField: "timestamp" })).toBe("[]");
    expect(packed({ accountField: "accountId" })).toBe("[1,1]");
    expect(packed({ accountField: "accountId", timeField: "timestamp" })).toBe("[1]");
    expect(packed({ accountField: "traits.company.id", timeField: "timestamp" })).toBe("[19]");
    expect(packed({ timeField: "timestamp", sentName: "Report Exported" })).toBe('[0,0,"Report Exported"]');
  });

  it("keeps its codes, by which stored rows are read", () => {
    expect(unpackMapping([6, 2, "X", -9_000, 1])).toEqual({
      sentName: "X",
      accountField: "properties.accountId",
      timeField: "originalTimestamp",
      clockSlowMs: -9_000,
      replaced: "future",
    });
    expect(unpackMapping([18, 0, 0, 0, 2])).toEqual({
      accountField: "context.groupId",
      timeField: "timestamp",
      replaced: "past",
    });
    expect(unpackMapping([20, 1, 0, 0, 0, 2])).toEqual({
      accountField: "context.traits.accountId",
      unsetField: "originalTimestamp",
    });
    expect(unpackMapping([])).toEqual({ timeField: "timestamp" });
    expect(unpackMapping([0, 1])).toEqual({});
  });
});

describe("a stored message", () => {
  const sent = { type: "track", userId: "u1", event: "Report Exported" };
  const AS_SENT = '[0,1,"Report Exported"]';

  it("has its mapping: alone, of a known user, in a batch and in a batch with dependent messages", async () => {
    const sender = await newSender();
    for (const _ of ["the full transaction", "the short path"]) await sender.send(sent);
    await sender.send(sent, { type: "identify", userId: "u2", timestamp: "2026-01-01T00:00:00Z" });
    await sender.send(
      sent,
      { type: "group", userId: "u1", groupId: "acme" },
      { ...sent, context: { groupId: "acme" } },
    );
    expect(await kept(sender)).toEqual([AS_SENT, AS_SENT, AS_SENT, "[]", AS_SENT, "[5,1]", '[18,1,"Report Exported"]']);
  });

  it("has the mapping of a native capture, of a new and of a known user", async () => {
    const sender = await newSender();
    for (const timestamp of [undefined, undefined, "2026-01-01T00:00:00Z"]) await sender.capture({ timestamp });
    expect(await kept(sender)).toEqual(["[1,1]", "[1,1]", "[1]"]);
  });

  it("§4.4 keeps the first mapping when a duplicate arrives", async () => {
    const sender = await newSender();
    const again = { ...sent, event: "reportExported", messageId: "m1" };
    await sender.send({ ...again, event: "Report Exported" });
    await sender.send(again);
    await sender.send(again, again);
    await sender.send(again, { ...again, type: "group", groupId: "acme" }, again);
    expect(await kept(sender)).toEqual([AS_SENT]);
  });
});
