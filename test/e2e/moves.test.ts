/** docs/wire.md §9.1: a client library that sends while its workspace moves. */
import { expect, it } from "vitest";
import { z } from "zod";

import { sharedWorker } from "../harness/shared-worker.ts";
import { segment3 } from "./senders/libraries.ts";
import { expectStored, streamOf } from "./senders/stream.ts";

const FLUSH_AT = 10;
const Read = z.object({ workspace: z.object({ move: z.object({ state: z.string() }).nullable() }) });

it("§9.1 delivers every message once, with its account, user, name and time", async () => {
  const service = sharedWorker();
  const workspace = await service.createWorkspace({ writeLimit: 10_000 });
  const sender = segment3({ url: service.url, writeKey: workspace.key, flushAt: FLUSH_AT });
  const stream = streamOf(12, 240);
  const path = `/admin/workspaces/${workspace.id}`;
  const stateOf = async () => Read.parse(await (await service.admin("GET", path)).json()).workspace.move?.state;

  for (const group of stream.groups) sender.group(group);
  for (const identify of stream.identifies) sender.identify(identify);
  await sender.flush();
  expect((await service.admin("POST", `${path}/move`, { database: "DB_1" })).status).toBe(202);
  const last = stream.tracks.splice(-FLUSH_AT);
  for (const { sent } of stream.tracks) sender.track(sent);
  await sender.flush();
  await expect.poll(stateOf).toBe("erasing");
  for (const { sent } of last) sender.track(sent);
  await sender.flush();

  await expectStored(service, workspace, { ...stream, tracks: [...stream.tracks, ...last] });
});
