import { describe, expect, it } from "vitest";

import { allowsOrigin, readOrigin } from "../../../src/core/origins/origins.ts";

describe("§19 an entry of origins", () => {
  it.each([
    ["https://app.example.com", "https://app.example.com"],
    ["HTTPS://App.Example.COM:443", "https://app.example.com"],
    ["https://app.example.com:8443", "https://app.example.com:8443"],
    ["https://*.example.com", "https://*.example.com"],
    ["https://xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.0.1:80", "http://127.0.0.1"],
  ])("of %j is compared as %j", (text, origin) => {
    expect(readOrigin(text)).toEqual({ origin });
  });

  it.each([
    "",
    "*",
    "null",
    "https://*",
    "https://*.com",
    "https://*.localhost",
    "https://app.*.com",
    "https://app.example.com/",
    "https://app.example.com/path",
    "https://user@example.com",
    "https://app.example.com:0",
    "https://app.example.com:65536",
    "https://app.example.com ",
    "https://münchen.example",
    "http://app.example.com",
    "http://*.localhost",
    "http://127.0.0.2",
    "capacitor://localhost",
    `https://${"a".repeat(300)}.com`,
  ])("must not be %j", (text) => {
    expect(readOrigin(text)).toEqual({ message: expect.stringMatching(/^must /) });
  });
});

describe("§19 an origin", () => {
  const entries = ["https://app.example.com", "https://*.shop.example", "http://localhost:3000"];

  it.each(["https://app.example.com", "https://a.shop.example", "https://a.b.shop.example", "http://localhost:3000"])(
    "%j may use the key",
    (origin) => expect(allowsOrigin(entries, origin)).toBe(true),
  );

  it.each([
    null,
    "null",
    "",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://evil-app.example.com",
    "https://example.com",
    "https://shop.example",
    "https://.shop.example",
    "https://evilshop.example",
    "https://evil.example/.shop.example",
    "https://evil.example?.shop.example",
    "https://evil.example#.shop.example",
    "https://u@a.shop.example",
    "https://a.shop.example:8443",
    "http://a.shop.example",
    "http://localhost",
    "http://localhost:3001",
  ])("%j may not", (origin) => expect(allowsOrigin(entries, origin)).toBe(false));
});
