import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isPlausibleAddress, redactAddresses } from "../../../src/core/ingest/email-address.ts";

describe("e-mail addresses in text", () => {
  it.each([
    ["jane@example.com", "[redacted]"],
    ["Mail jane@example.com, please.", "Mail [redacted], please."],
    ["Jane Doe <jane.doe+tag@mail.example.co.uk>", "Jane Doe <[redacted]>"],
    ["a@b.c", "[redacted]"],
    ["jane@example.com.", "[redacted]."],
    ["jane@example.com;bob@example.org", "[redacted];[redacted]"],
    ["jane@example.com,bob@example.org", "[redacted],[redacted]"],
    ["mailto:jane@example.com", "mailto:[redacted]"],
    ["o'brien@example.com", "[redacted]"],
    ["!#$%&'*+-/=?^_`{|}~.@example.com", "[redacted]"],
    ["jané@exämple.de", "[redacted]"],
    ["用户@例子.中国", "[redacted]"],
    ["jane@例子。中国", "[redacted]"],
    ["𝒿ane@example.com", "[redacted]"],
    ["jane@xn--fsq.xn--0zwm56d", "[redacted]"],
    ["JANE@EXAMPLE.COM", "[redacted]"],
    ["jane@my_host.example.com", "[redacted]"],
    ["jane@exam\u200Bple.com", "[redacted]"],
    ["jane@gmail..com", "[redacted]"],
  ])("§5 addresses: %j becomes %j", (text, clean) => expect(redactAddresses(text)).toBe(clean));
  it.each([
    ['"jane doe"@example.com', "[redacted]"],
    ['say "hi" to "jane doe"@example.com now', 'say "hi" to [redacted] now'],
    ['"jane \\"j\\" doe"@example.com', "[redacted]"],
    ['{\\"to\\":\\"jane doe\\"@example.com}', '{\\"to\\":\\[redacted]}'],
    ['""@example.com', "[redacted]"],
    ['"a@x.com b"@y.com', "[redacted]"],
    ['to "a@x.com, b@x.com or %40@x.com c"@y.com', "to [redacted]"],
    ['"a@x.com" "b c"@y.com', '"[redacted]" [redacted]'],
    ['"a b"@x.com"@y.com', '[redacted]"@y.com'],
    ['"@example.com', '"@example.com'],
    ['"a@x.com"@x.com', "[redacted]"],
  ])("§5 addresses: quoted local parts: %j becomes %j", (text, clean) => expect(redactAddresses(text)).toBe(clean));
  it.each([
    ["jane@[192.168.1.1]", "[redacted]"],
    ["jane@[IPv6:2001:db8::1]!", "[redacted]!"],
    ["jane@192.168.1.1", "[redacted]"],
    ["jane@[redacted]", "jane@[redacted]"],
    ["jane@[1.2.3.4", "jane@[1.2.3.4"],
  ])("§5 addresses: at an IP address: %j becomes %j", (text, clean) => expect(redactAddresses(text)).toBe(clean));
  it.each([
    ["https://x.com/?q=1;to=jane%40example.com", "https://x.com/?q=1;[redacted]"],
    ["jane%2540example.com", "[redacted]"],
    ["jane%2Bx%40example%2Ecom", "[redacted]"],
    ["jane%40example%2ecom", "[redacted]"],
    ["jane＠example.com", "[redacted]"],
    ["ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ", "[redacted]"],
    ["jane﹫example.com", "[redacted]"],
  ])("§5 addresses: other forms of the at sign: %j becomes %j", (text, clean) => {
    expect(redactAddresses(text)).toBe(clean);
  });
  it.each([
    ["a@b@example.com", "[redacted]"],
    ["jane%40home@example.com", "[redacted]"],
    ["jane@example.com.2026-01-31", "[redacted].2026-01-31"],
    ["jane@example.combob@example.org", "[redacted]"],
    ["%40jane@example.com", "[redacted]"],
    ["x %40%40jane.doe@example.com", "x [redacted]"],
    ["%40example.com", "%40example.com"],
    ["jane%40home.co@example.com", "[redacted]"],
    ["jane%40home.co+x@example.com", "[redacted]"],
    ["a@b.co,@example.com", "[redacted],@example.com"],
  ])("§5 addresses: in odd company: %j becomes %j", (text, clean) => expect(redactAddresses(text)).toBe(clean));
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
    "react@18.0.0-rc.1",
    "@scope/pkg@1.2.3",
    "50%40",
    "jane@x%20y.com",
    "100%",
    "50%400.5",
  ])("§5 addresses: %j has none", (text) => expect(redactAddresses(text)).toBe(text));
  it("§5 addresses: every generated address goes, whatever stands around it", () => {
    const around = fc.string({
      unit: fc.constantFrom(" ", ",", ";", "(", ")", "<", ">", ":", "[", "]", "\n", "x "),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(around, fc.emailAddress()), { minLength: 1, maxLength: 4 }), (parts) => {
        const clean = redactAddresses(parts.map(([before, address]) => `${before} ${address} `).join(""));
        for (const [, address] of parts) expect(clean).not.toContain(address);
        expect(clean).not.toContain("@");
      }),
      { numRuns: 2_000 },
    );
  });
  it("§5 addresses: is idempotent", () => {
    const unit = fc.constantFrom(
      "a",
      "1",
      ".",
      "@",
      "%40",
      "%2540",
      "%",
      '"',
      "\\",
      "[",
      "]",
      " ",
      "-",
      "é",
      "＠",
      "a@b.co",
      "%2e",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const clean = redactAddresses(text);
        expect(redactAddresses(clean)).toBe(clean);
      }),
      { numRuns: 20_000 },
    );
  });
  it.each([
    "a",
    "@",
    "a@",
    "a@b.",
    "%25",
    "%40",
    "a%40b",
    '"@',
    '\\"@',
    "é@",
    "@[",
    "a@1.",
    '"',
    "a@b.c ",
    '"a@b.c "@d.e ',
    '"@a.bc',
  ])("§5 addresses: 512 KB of %j take linear time", (unit) => {
    // Quadratic would be minutes, and run into the time limit of every test here.
    const clean = redactAddresses(unit.repeat(524_288 / unit.length) + "@");
    expect(redactAddresses(clean)).toBe(clean);
  });
});

describe("what is taken for an e-mail address", () => {
  const PLAUSIBLE = [
    "jane@example.com",
    "j.ane+tag@mail.example.co.uk",
    "JANE@EXAMPLE.COM",
    "o'brien@example.com",
    "!#$%&'*+-/=?^_`{|}~@example.com",
    '"jane doe"@example.com',
    '"a@b"@example.com',
    "jané@exämple.de",
    "用户@例子.中国",
    "उपयोगकर्ता@उदाहरण.भारत",
    "jane@xn--fsq.xn--0zwm56d",
    "a@b.co",
    "a@3-com.b1.co",
    "jane%40home@example.com",
  ];
  it.each(PLAUSIBLE)("§6 email: %s is one", (text) => expect(isPlausibleAddress(text)).toBe(true));
  it.each([
    "",
    "@",
    "jane",
    "example.com",
    "jane@",
    "@example.com",
    "jane@example",
    "jane doe@example.com",
    "Jane <jane@example.com>",
    "jane@example.com.",
    "jane@example.com,bob@example.com",
    "mailto:jane@example.com",
    "a@@b.co",
    "a@b@c.co",
    "a@b..co",
    "a@.b.co",
    "a@-b.co",
    "a@b-.co",
    "a@b.-co",
    "a@b_c.co",
    "a@b.c",
    "a@b.1co",
    "a..b@c.co",
    ".a@b.co",
    "a.@b.co",
    '""@b.co',
    '"a"b"@b.co',
    '"a\\"@b.co',
    'a"b"@c.co',
    "a@b%2eco",
    "a%40b.co",
    "a@b。co",
    "a＠b.co",
    "a@1.2.3.4",
    "a@[1.2.3.4]",
    "a@b\u200B.co",
    "a\u200B@b.co",
  ])("§6 email: %j is none", (text) => expect(isPlausibleAddress(text)).toBe(false));
  it("§6 email: whatever is taken for one is hidden where it stands in text", () => {
    for (const text of PLAUSIBLE) expect(redactAddresses(text)).toBe("[redacted]");
    // What is an at sign or a dot to the one and part of a name to the other comes up too seldom by itself.
    const atom = fc.string({ unit: fc.constantFrom("a", "1", "%", "%40", "%2540", "%2e", "+", "é"), minLength: 1 });
    const dotted = fc.array(atom, { minLength: 1, maxLength: 4 }).map((atoms) => atoms.join("."));
    const quotable = fc.constantFrom("a", " ", "@", "%40", "b.co", "a@b.co", ".", '\\"', "[");
    const quoted = fc.string({ unit: quotable, minLength: 1, maxLength: 8 }).map((words) => `"${words}"`);
    const odd = fc.tuple(fc.oneof(dotted, quoted), fc.domain()).map(([name, domain]) => `${name}@${domain}`);
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), odd), (text) => {
        expect(isPlausibleAddress(text)).toBe(true);
        expect(redactAddresses(text)).toBe("[redacted]");
      }),
      { numRuns: 5_000 },
    );
  });
});
