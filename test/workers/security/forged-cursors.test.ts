/**
 * Cursors are not signed, so anybody can forge one with any position. The logs of all workspaces share one range of
 * numbers, so a forged position must never lead to another workspace's log.
 */
import { beforeAll, describe, expect, it } from "vitest";

import { ownRange } from "../../../src/db/client/database.ts";
import { encodeCursor } from "../../../src/edge/cursor.ts";
import { track } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const SECRET = "Sekret7";

let own: TestWorkspace;
/** Their logs are before and after it. */
let neighbours: TestWorkspace[];
beforeAll(async () => {
  const before = await newWorkspace();
  own = await newWorkspace();
  neighbours = [before, await newWorkspace()];
  for (const { post } of neighbours) {
    const properties = { text: SECRET };
    await post("/api/v1/cdp", [track({ messageId: SECRET, properties }), track({ event: null, properties })]);
  }
  await own.post("/api/v1/cdp", [track({ messageId: "own" }), track({ messageId: "own", event: null })]);
});

/** Returns positions around the start and the end of a workspace's log. */
async function positionsAround(workspace: TestWorkspace): Promise<number[]> {
  const { first, last } = ownRange(await workspace.ref());
  return [
    first - 1,
    first,
    first + 1,
    first + 2,
    first + 100,
    first + 5_000,
    first + 100_000,
    last,
    last + 1,
    last + 2,
  ];
}

const ANYWHERE = [0, -1, 0.5, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53, 1e300];

describe("§1 §2 a forged cursor", () => {
  it.each(["events", "rejected"])("§1 of %s shows only the own log", async (list) => {
    const around = await Promise.all([own, ...neighbours].map(positionsAround));
    for (const position of [...around.flat(), ...ANYWHERE]) {
      const cursor = encodeCursor([list, own.id], position);
      const { status, text } = await own.get(`/api/v1/${list}?limit=200&cursor=${cursor}`);
      expect(status, `of ${position}`).toBe(Number.isSafeInteger(position) ? 200 : 400);
      expect(text, `of ${position}`).not.toContain(SECRET);
    }
  });

  it.each(["accounts", "accounts?sort=mrr", "accounts?sort=lastSeen", "inbox", "inbox?status=resolved"])(
    "§13 of %s shows only the own accounts and items",
    async (path) => {
      const [list = "", query = ""] = path.split("?");
      const parameters = new URLSearchParams(query);
      const filter =
        list === "accounts"
          ? [parameters.get("sort") ?? "score", "", ""]
          : [parameters.get("status") ?? "open", "", ""];
      for (const value of [-1e300, -1, 0, 100, 1e15, 1e300]) {
        for (const number of [-1, 0, 1, 2 ** 52]) {
          parameters.set("cursor", encodeCursor([list, own.id, ...filter], [value, number]));
          const { status, body } = await own.get(`/api/v1/${list}?${parameters.toString()}`);
          expect(status).toBe(200);
          const accounts = [body["accounts"] ?? []].flat().map((account) => Object(account).externalId);
          expect([[], ["u1"]]).toContainEqual(accounts);
        }
      }
    },
  );
});
