/** The sign-in limiter: an eviction must not reset it, and it must not keep anything for long. */
import { env } from "cloudflare:workers";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { networkOf } from "../../../src/limiter/check-sign-in.ts";

describe("attempts to sign in", () => {
  it("still count after an eviction", async () => {
    const object = env.SIGN_IN_LIMITER.getByName("evicted");
    for (let attempts = 0; attempts < 10; attempts += 1) expect(await object.consume()).toBe(0);
    await evictDurableObject(object);
    expect(await env.SIGN_IN_LIMITER.getByName("evicted").consume()).toBeGreaterThan(0);
  });

  it("are deleted when they no longer count", async () => {
    const object = env.SIGN_IN_LIMITER.getByName("forgotten");
    await object.consume();
    const stored = () => runInDurableObject(object, (_instance, { storage }) => [...storage.kv.list()].length);
    expect(await stored()).toBe(1);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await stored()).toBe(0);
  });

  it("are refunded one at a time", async () => {
    const object = env.SIGN_IN_LIMITER.getByName("right");
    await object.refund();
    for (let attempts = 0; attempts < 10; attempts += 1) await object.consume();
    await object.refund();
    expect([await object.consume(), (await object.consume()) > 0]).toEqual([0, true]);
  });
});

describe("networkOf", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
  ])("%s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
