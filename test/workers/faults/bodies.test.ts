/** Bodies that stall, arrive byte by byte or break off: nothing is charged or stored before a body is complete. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { asReceived, countedBody, gzip, slices } from "../support/bytes.ts";
import { databaseWith, envWith, limiterWith, sendWith } from "../support/faulty-env.ts";
import { track, utf8 } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { charged, newFaultyWorkspace, stateOf, type States, statesOf } from "./attempt.ts";
import { initOf, type WriteOperation, WRITE_OPERATIONS } from "./write-operations.ts";

const T0 = Date.UTC(2100, 0, 1);

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(T0);
  workspace = await newFaultyWorkspace();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A body that stalls in the middle. `reached` resolves when the rest is read, which arrives on `release`. */
function stallingBody(bytes: Uint8Array) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const middle = bytes.byteLength >> 1;
  let pulls = 0;
  const stream = new ReadableStream(
    {
      type: "bytes",
      async pull(controller: ReadableByteStreamController) {
        pulls += 1;
        if (pulls === 1) {
          controller.enqueue(bytes.slice(0, middle));
          return;
        }
        reached.resolve();
        await released.promise;
        controller.enqueue(bytes.slice(middle));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, reached: reached.promise, release: released.resolve, breakOff: released.reject };
}

/** Sends the operation with this body. `asked` counts round trips to D1 and calls of the object. */
function sendBody(operation: WriteOperation, stream: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) {
  const { DB, trips } = databaseWith((run) => run());
  const { WRITE_LIMITER, calls } = limiterWith((run) => run());
  const own = initOf(operation, workspace.key).headers;
  const init = { headers: { ...own, ...headers } };
  const answer = sendWith(envWith({ DB, WRITE_LIMITER }), "POST", operation.path, asReceived(stream), init);
  return { answer, asked: () => ({ trips: trips(), calls: calls() }) };
}

const ENCODINGS = [
  { encoding: "plain", headers: {}, encode: async (bytes: Uint8Array) => bytes },
  { encoding: "gzipped", headers: { "Content-Encoding": "gzip" }, encode: gzip },
];

describe.each(WRITE_OPERATIONS)("§4.1 $what", (operation) => {
  const json = utf8(JSON.stringify(operation.body));
  let states: States;
  beforeAll(async () => {
    vi.setSystemTime(T0);
    states = await statesOf(operation);
  });

  describe.each(ENCODINGS)("$encoding", ({ headers, encode }) => {
    it("§7 charges nothing for a body that stalls, and delays no other request", async () => {
      const { stream, reached, release } = stallingBody(await encode(json));
      const { answer, asked } = sendBody(operation, stream, headers);
      await reached;

      const own = await workspace.post("/v1/track", track({ userId: "u9" }));
      const elsewhere = await (await newWorkspace()).post("/v1/track", track());
      expect([own.status, elsewhere.status]).toEqual([200, 200]);
      expect(asked()).toEqual({ trips: operation.tripsBeforeAdmission, calls: 0 });
      expect(await charged(workspace)).toBe(1);

      release();
      expect(await answer).toMatchObject({ status: 200, body: operation.answer });
      expect(asked()).toEqual({ trips: operation.trips, calls: 1 });
      expect(await charged(workspace)).toBe(operation.cost + 1);
    });

    it("§8 returns 400 if the sender disconnects, and neither stores nor charges", async () => {
      const before = await stateOf(workspace);
      const { stream, reached, breakOff } = stallingBody(await encode(json));
      const { answer, asked } = sendBody(operation, stream, headers);
      await reached;
      breakOff(new Error("Network connection lost."));

      expect(await answer).toMatchObject({ status: 400, body: { ok: false, error: { code: "invalid_json" } } });
      expect(asked()).toEqual({ trips: operation.tripsBeforeAdmission, calls: 0 });
      expect(await stateOf(workspace)).toEqual(before);
      expect(await charged(workspace)).toBe(0);
    });

    it("§4.1 stores a body that arrives byte by byte once", async () => {
      const { stream } = countedBody(slices(await encode(json), 1));
      const { answer, asked } = sendBody(operation, stream, headers);

      expect(await answer).toMatchObject({ status: 200, body: operation.answer });
      expect(asked()).toEqual({ trips: operation.trips, calls: 1 });
      expect(await stateOf(workspace)).toEqual(states.once);
      expect(await charged(workspace)).toBe(operation.cost);
    });
  });
});
