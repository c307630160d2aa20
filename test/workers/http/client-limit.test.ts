/** The limit on requests of one network that cost a look-up of a key, and on readiness checks. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";

import { newApiKey } from "../../../src/core/api-key.ts";
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

/** A counter that admits a number of requests. */
function limiterOf(limit: number) {
  let count = 0;
  return { CLIENT_LIMITER: { limit: async () => ({ success: (count += 1) <= limit }) } };
}

const postAs = (key: string) => sendWith(envWith({}), "POST", CDP, track(), from(address, key));

const unknownKey = () => newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)));

it("§8 serves any number of valid keys from one network", async () => {
  const { newKey } = await newWorkspace({ writeLimit: 1_000 });
  const senders = await Promise.all(Array.from({ length: LIMIT + 30 }, () => newKey(["ingest"])));
  const [first, ...others] = senders;
  if (first === undefined) throw new Error("no key was made");
  expect((await postAs(first.key)).status).toBe(200);
  const answers = await Promise.all(others.map(({ key }) => postAs(key)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

it("§8 refuses uncached keys before the look-up once a network has sent too many unknown ones", async () => {
  const { key } = await newWorkspace();
  const other = await newWorkspace();
  const { DB, trips } = databaseWith((run) => run());
  const { CLIENT_LIMITER } = limiterOf(0);
  const request = (method: string, path: string, client: string, secret: string) =>
    sendWith(
      envWith({ DB, CLIENT_LIMITER }),
      method,
      path,
      method === "POST" ? track() : undefined,
      from(client, secret),
    );
  const post = (client: string, secret: string) => request("POST", CDP, client, secret);
  expect((await post(address, key)).status).toBe(200);
  expect((await post(address, unknownKey())).status).toBe(401);
  const before = trips();
  const errors = vi.spyOn(console, "error");
  onTestFinished(() => errors.mockRestore());
  const sender = await post(address, other.key);
  expect(sender).toMatchObject(refusal(503, "unavailable"));
  const reader = await request("GET", "/api/v1/events", address, other.key);
  expect(reader).toMatchObject(refusal(429, "rate_limited"));
  expect([sender, reader].map(({ headers }) => headers.get("Retry-After"))).toEqual(["10", "10"]);
  expect(trips()).toBe(before);
  expect(errors).not.toHaveBeenCalled(); // otherwise strangers could raise the alerts of an operator
  expect([(await post(address, key)).status, (await post("198.51.100.1", other.key)).status]).toEqual([200, 200]);
});

it("§8 looks up unknown keys of a network until they are too many, and again when the period has passed", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { DB, trips } = databaseWith((run) => run());
  const { CLIENT_LIMITER } = limiterOf(5);
  const changed = envWith({ DB, CLIENT_LIMITER });
  const post = () => sendWith(changed, "POST", CDP, track(), from(address, unknownKey()));
  for (let count = 0; count < 20; count += 1) await post();
  expect(trips()).toBe(6);
  vi.advanceTimersByTime(10_000);
  for (let count = 0; count < 20; count += 1) await post();
  expect(trips()).toBe(7);
});

it("§8 looks up at most 1,000 keys of a network at one time", async () => {
  const { DB, trips } = databaseWith((run) => run());
  const changed = envWith({ DB });
  const post = () => sendWith(changed, "POST", CDP, track(), from(address, unknownKey()));
  const answers = await Promise.all(Array.from({ length: 1_100 }, post));
  expect(trips()).toBe(1_000);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(100);
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
