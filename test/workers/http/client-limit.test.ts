/** The limit on requests of one network that cost a look-up of a key, and on readiness checks. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";

import { networkOf } from "../../../src/limiter/check-client-limit.ts";
import { databaseWith, envWith, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";

splitIsolates();

const LIMIT = 200;
const CDP = "/api/v1/cdp";

let address: string;
let tests = 0;
beforeEach(() => {
  address = `192.0.2.${(tests += 1)}`;
});

const from = (client: string, key?: string) => ({
  headers: { "CF-Connecting-IP": client, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
});

/** Uses the limit up. Its period may end meanwhile, and begin again. */
async function exhaust(): Promise<void> {
  for (let count = 0; count < 3 * LIMIT; count += 1) {
    if (!(await env.CLIENT_LIMITER.limit({ key: address })).success) return;
  }
}

it("§8 refuses an uncached key with 429 before the look-up, and other networks and cached keys go on", async () => {
  const { key } = await newWorkspace();
  const other = await newWorkspace();
  const { DB, trips } = databaseWith((run) => run());
  const post = (client: string, secret: string) =>
    sendWith(envWith({ DB }), "POST", CDP, track(), from(client, secret));
  expect((await post(address, key)).status).toBe(200);
  await exhaust();
  const before = trips();
  const refused = await post(address, other.key);
  expect(refused).toMatchObject(refusal(429, "rate_limited"));
  expect([refused.headers.get("Retry-After"), trips() - before]).toEqual(["10", 0]);
  expect([(await post(address, key)).status, (await post("198.51.100.1", other.key)).status]).toEqual([200, 200]);
});

it("§8 refuses readiness checks, and neither liveness nor malformed keys count", async () => {
  const check = (path: string) => sendWith(envWith({}), "GET", path, undefined, from(address));
  expect((await check("/readyz")).status).toBe(200);
  await exhaust();
  expect(await check("/readyz")).toMatchObject(refusal(429, "rate_limited"));
  expect((await check("/healthz")).status).toBe(200);
  expect(await sendWith(envWith({}), "POST", CDP, track(), from(address, "nonsense"))).toMatchObject(
    refusal(401, "unauthorized"),
  );
});

it("§8 lets everyone in when the count fails, and where there is no address", async () => {
  const { key } = await newWorkspace();
  const CLIENT_LIMITER = { limit: () => Promise.reject(new Error("not available")) };
  const broken = envWith({ CLIENT_LIMITER });
  expect((await sendWith(broken, "POST", CDP, track(), from(address, key))).status).toBe(200);
  await exhaust();
  expect((await sendWith(envWith({}), "GET", "/readyz")).status).toBe(200);
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
])("counts %s as %s", (given, network) => {
  expect(networkOf(given)).toBe(network);
});
