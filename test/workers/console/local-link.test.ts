/** The sign-in link that a local start prints. */
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { deriveKey } from "../../../src/console/session/cookie.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function linkUntil(endsAt: number, token = env.ADMIN_TOKEN): Promise<string> {
  return `${endsAt}.${await deriveKey(token, `console link ${endsAt}`)}`;
}

async function follow(origin: string, link: string) {
  const url = `${origin}/console/sign-in?link=${encodeURIComponent(link)}&to=%2Fconsole%2Fworkspaces`;
  const { status, headers } = await exports.default.fetch(new Request(url, { redirect: "manual" }));
  return { status, location: headers.get("Location"), cookie: headers.get("Set-Cookie") };
}

describe("a sign-in link", () => {
  it.each(["http://127.0.0.1:8787", "http://localhost:8787", "http://[::1]:8787"])("works on %s", async (origin) => {
    const { status, location, cookie } = await follow(origin, await linkUntil(Date.now() + HOUR_MS));
    expect([status, location]).toEqual([303, "/console/workspaces"]);
    expect(cookie).toMatch(/^console=.*HttpOnly; SameSite=Strict/);
  });

  it("works on no other host", async () => {
    const link = await linkUntil(Date.now() + HOUR_MS);
    for (const origin of ["https://ingest.test", "http://127.0.0.1.example.com", "http://localhost.example.com"]) {
      expect([origin, await follow(origin, link)]).toEqual([origin, { status: 403, location: null, cookie: null }]);
    }
  });

  it("expires, and can't be extended", async () => {
    const endsAt = Date.now() + HOUR_MS;
    const link = await linkUntil(endsAt);
    vi.setSystemTime(endsAt - 1);
    expect((await follow("http://localhost", link)).status).toBe(303);
    vi.setSystemTime(endsAt);
    expect((await follow("http://localhost", link)).status).toBe(403);
    expect((await follow("http://localhost", link.replace(/^\d+/, String(endsAt + HOUR_MS)))).status).toBe(403);
  });

  it("needs a signature for this purpose by the current token", async () => {
    const endsAt = Date.now() + HOUR_MS;
    const session = await deriveKey(env.ADMIN_TOKEN, "console session");
    const bad = [
      await linkUntil(endsAt, `${env.ADMIN_TOKEN}x`),
      `${endsAt}.${session}`,
      `${endsAt}.`,
      `${endsAt}`,
      "",
      ".",
    ];
    for (const link of bad) expect([link, (await follow("http://localhost", link)).status]).toEqual([link, 403]);
  });
});
