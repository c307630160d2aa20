import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { redactAddresses } from "../../../src/core/ingest/redact-addresses.ts";

const emailAddress = fc.emailAddress();

describe("e-mail addresses in text", () => {
  it.each([
    ["jane@example.com", "[redacted]"],
    ["Mail jane@example.com, please.", "Mail [redacted], please."],
    ["Ask jane@example.com.", "Ask [redacted]."],
    ["Jane Doe <jane.doe+tag@mail.example.co.uk>", "Jane Doe <[redacted]>"],
    ["jane@example.com;bob@example.org", "[redacted];[redacted]"],
    ["mailto:jane@example.com", "mailto:[redacted]"],
    ["https://x.example/?to=jane@example.com", "https:[redacted]"],
    ['{"to":"jane@example.com"}', '{"to":"[redacted]"}'],
    ["a@b@example.com", "[redacted]"],
    ["@jane@social.example", "[redacted]"],
  ])("§5 addresses: %j becomes %j", (text, clean) => expect(redactAddresses(text)).toBe(clean));

  it.each([
    "!#$%&'*+-/=?^_`{|}~.@example.com",
    "o'brien@example.com",
    "o’brien@example.com",
    "jané@exämple.de",
    "用户@例子.中国",
    "𝒿ane@example.com",
    "jo@paral·lel.cat",
    "jo@サッカー・ニュース.jp",
    "jo@i❤.ws",
    "דנה@דוא״ל.example",
    "jo@acme\u2011corp.example",
    "jo@exam\u200Bple.com",
    "jo\uFEFF@example.com",
    "jo@xn--fsq.xn--0zwm56d",
    "jo@my_host.example.com",
    "jo@gmail..com",
    "jo@192.168.1.1",
    "jo@[192.168.1.1]",
    "jo@[IPv6:2001:db8::1]",
    '"jane doe"@example.com',
    '"jane \\"j\\" doe"@example.com',
    '"a@x.com b"@y.com',
    '""@example.com',
    "jo(comment)@example.com",
    "jo(a comment, with more)@example.com",
    "jo@(comment)example.com",
    "jo@example(comment).com",
  ])("§5 addresses: hides all of %s", (address) =>
    expect(redactAddresses(`to ${address} now`)).toBe("to [redacted] now"),
  );

  it.each([
    "jo＠acme.example",
    "jo﹫acme．example",
    "jo%40acme.example",
    "jo%2540acme%252Eexample",
    "jo%252540acme%2eexample",
    "jo&#64;acme.example",
    "jo&#064;acme&#46;example",
    "jo&#x40;acme&#X2E;example",
    "jo&commat;acme&period;example",
    "jo&amp;#64;acme.example",
    "&#106;&#111;&#64;&#97;&#46;&#101;&#120;",
    "jo\\u0040acme.example",
    "jo\\\\u0040acme\\u002eexample",
    "\\u006ao\\u0040acme.example",
    "jo\\x40acme.example",
    "jo\\@acme\\.example",
    "jo=40acme.example",
    "jo=40acme=2Eexample",
    "jo.doe=40163.com",
    "jo@例子。中国",
    "jo@acme｡example",
  ])("§5 addresses: hides all of %s, however it is escaped", (address) => {
    expect(redactAddresses(`to ${address} now`)).toBe("to [redacted] now");
  });

  it.each([
    "",
    "no address",
    "@",
    "@@@",
    "@jane",
    "@example.com",
    "jane@",
    "jane@localhost",
    "jane @ example.com",
    "5 @ 3.50",
    "react@18.2.0",
    "@scope/pkg@1.2.3-rc.1",
    "50%40",
    "50%400.5",
    "100%",
    "jane@[redacted]",
    "a%2Eb &amp; c\\u002e",
    "https://x.example/list?page=40&from=a.b",
    "https://x.example/a.png?w=400.png&h=40.png",
    "timeout=40.5s size=40",
    "f(x).then(y) (see a.b)",
  ])("§5 addresses: leaves %j alone", (text) => expect(redactAddresses(text)).toBe(text));

  it("§5 addresses: hides every generated address, whatever stands around it", () => {
    const around = fc.string({ unit: fc.constantFrom(" ", ",", ";", "(", ")", "<", ">", ":", "[", "]", "\n", "x ") });
    fc.assert(
      fc.property(fc.array(fc.tuple(around, emailAddress), { minLength: 1, maxLength: 4 }), (parts) => {
        const clean = redactAddresses(parts.map(([before, address]) => `${before} ${address} `).join(""));
        expect(clean).not.toContain("@");
      }),
      { numRuns: 1_000 },
    );
  });

  it("§5 addresses: hiding twice changes nothing more", () => {
    const marks = [
      "@",
      "＠",
      "%40",
      "=40",
      "=2E",
      "(",
      ")",
      "?",
      "%2540",
      "%",
      "25",
      "40",
      "&#64;",
      "&amp;",
      "&",
      ";",
      "\\u0040",
      "\\",
      '"',
    ];
    const unit = fc.constantFrom(...marks, "a", "1", ".", "%2e", "[", "]", " ", "-", "é", "a@b.co");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const clean = redactAddresses(text);
        expect(redactAddresses(clean)).toBe(clean);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    "https://cdn.example/npm/react@18.2.0/index.js",
    "https://cdn.example/@scope/pkg@1.2.3/dist/a.js",
    "https://blog.example/@jo/post.html",
    "at run (node_modules/@babel/runtime/x.js:1:2)",
  ])("§5 addresses: keeps %s", (text) => {
    expect(redactAddresses(text)).toBe(text);
  });

  // Quadratic time would take minutes and run into the time limit of the test.
  const HOSTILE = [
    "(",
    "()",
    "a(b)@",
    "=40",
    "=40a",
    "?=40",
    "a",
    "@",
    "a@",
    "a@b.",
    "%25",
    "%40",
    "&",
    "&amp;",
    "&#0",
    "\\",
    "\\u",
    "\\u0040",
    '"',
    '"@',
    '\\"',
  ];
  it.each([...HOSTILE, "é@", "@[", "a@1.", "1", ".", "a@b.c ", '"a b'])(
    "§5 addresses: reads 512 KB of %j in linear time",
    (unit) => {
      const clean = redactAddresses(`x@${unit.repeat(524_288 / unit.length)}@`);
      expect(redactAddresses(clean)).toBe(clean);
    },
  );
  it("§5 addresses: reads 512 KB of one escape in linear time", () => {
    for (const [start, unit] of [
      ["%", "25"],
      ["&", "amp;"],
      ["&#", "0"],
      ["&#x", "0"],
    ] as const) {
      const text = `x@${start}${unit.repeat(524_288 / unit.length)}`;
      expect(redactAddresses(text)).toBe(text);
    }
  });
});
