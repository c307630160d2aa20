/** Sends with the client libraries that people already use: only the host and the key differ from their defaults. */
import { describe, expect, it } from "vitest";

import { sharedWorker } from "../harness/shared-worker.ts";
import { analyticsNode, rudder, segment2, segment3 } from "./senders/libraries.ts";
import { Reader } from "./senders/stored.ts";
import { expectStored, streamOf } from "./senders/stream.ts";

const SENDERS = [
  { library: "@segment/analytics-node 3.1.0", open: segment3, flushAt: 15 },
  { library: "@segment/analytics-node 2.3.0", open: segment2, flushAt: 10 },
  { library: "analytics-node 6.2.0", open: analyticsNode, flushAt: 7 },
  { library: "@rudderstack/rudder-sdk-node 3.0.13, gzipped", open: rudder, flushAt: 5 },
];

describe.each(SENDERS)("§1 §4.4 $library", ({ open, flushAt }) => {
  it("delivers every message once, with its account, user, name and time", async () => {
    const service = sharedWorker();
    const workspace = await service.createWorkspace({ writeLimit: 10_000 });
    const sender = open({ url: service.url, writeKey: workspace.key, flushAt });
    const stream = streamOf(12, 240);

    for (const group of stream.groups) sender.group(group);
    for (const identify of stream.identifies) sender.identify(identify);
    sender.page({ userId: "u0", timestamp: new Date() });
    await sender.flush();
    for (const { sent } of stream.tracks) sender.track(sent);
    sender.page({ userId: "u1", timestamp: new Date() });
    await sender.flush();

    await expectStored(service, workspace, stream);
    expect(await new Reader(service, workspace).rejected()).toEqual({ unsupported_type: 2 });
  });
});
