import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkDestinationUrl } from "../../../src/core/notify/destination-url.ts";

const check = (text: string, allowLoopback = false) => checkDestinationUrl(text, { allowLoopback });
const passes = (text: string, allowLoopback = false) => "url" in check(text, allowLoopback);

describe("§23 the URL of a destination", () => {
  it.each([
    ["https://hooks.example.com", "https://hooks.example.com/"],
    [
      "https://hooks.example.com:443/in?key=1&to=%2Fa@b:8080//x",
      "https://hooks.example.com/in?key=1&to=%2Fa@b:8080//x",
    ],
    ["HTTPS://Hooks.Example.COM/In", "https://hooks.example.com/In"],
    ["https://hooks.example.com?a=1", "https://hooks.example.com/?a=1"],
    ["https://xn--mller-kva.example.com/", "https://xn--mller-kva.example.com/"],
    ["https://hooks.xn--p1ai/x", "https://hooks.xn--p1ai/x"],
    ["https://under_score.example.com/", "https://under_score.example.com/"],
    ["https://127.0.0.1.example.com/", "https://127.0.0.1.example.com/"],
    ["https://hooks.slack.com/services/T000/B000/XXXX", "https://hooks.slack.com/services/T000/B000/XXXX"],
    ["https://internal.example.com/", "https://internal.example.com/"],
  ])("accepts %s", (text, href) => {
    expect(check(text)).toEqual({ url: { href, origin: new URL(href).origin } });
    expect(new URL(href).href).toBe(href);
  });

  const ADDRESSES = [
    ..."127.0.0.1 10.0.0.1 169.254.169.254 192.168.1.1 8.8.8.8 0.0.0.0 255.255.255.255 127.1 127.0.1 0".split(" "),
    ..."2130706433 017700000001 0x7f000001 0x7f.0.0.1 0177.0.0.1 0x7f.1 127.0.0.0x1 0300.0250.1.1".split(" "),
    ..."[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [fe80::1] [fd00::1] [2606:4700::1111] [::1%25lo]".split(" "),
    ..."[64:ff9b::7f00:1] 127.0.0.1. 2130706433. ::1 [127.0.0.1] [] [::1 ::1]".split(" "),
  ];
  it.each(ADDRESSES)("refuses the address %s", (host) => {
    for (const url of [`https://${host}/`, `https://${host}`, `https://${host}:443/x`, `https://${host}?x`])
      expect(passes(url), url).toBe(false);
  });

  const NAMES = [
    ..."localhost LOCALHOST localhost. a.localhost printer.local db.internal nas.lan a.home.arpa a.test".split(" "),
    ..."a.invalid a.example a.onion a.corp a.home a.intranet a.private a.localdomain 1.0.0.127.in-addr.arpa".split(" "),
    ..."metadata metadata.google.internal METADATA.google.INTERNAL instance-data.ec2.internal".split(" "),
    ..."metadata.tencentyun.com router hooks.example.com. hooks.example.com..".split(" "),
    ..."hooks..example.com .example.com -a.example.com a-.example.com example.c example.123 a.0x1".split(" "),
    ..."%6c%6fcalhost 127%2e0%2e0%2e1 hooks%2eexample.com hooks.example.com%00 hooks.example.com%2f@evil.com".split(
      " ",
    ),
    `${"a".repeat(64)}.example.com`,
    `${"abcdefgh.".repeat(28)}example.com`,
  ];
  it.each(NAMES)("refuses the name %s", (host) => {
    expect(passes(`https://${host}/`)).toBe(false);
    expect(passes(`https://${host}/`, true)).toBe(/^localhost$/i.test(host));
  });

  it.each([
    "１２７.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "localhost。",
    "ｌocalhost",
    "hooks。example.com",
    "hooks.exam\u00adple.com",
    "müller.example.com",
    "hooks.example.com\u200b",
  ])("refuses %s, which a parser would translate", (host) => {
    expect(check(`https://${host}/`)).toEqual({ message: expect.stringContaining("only ASCII") });
  });

  it.each([
    ["http://hooks.example.com/", "must begin with https://"],
    ["ftp://hooks.example.com/", "must begin with https://"],
    ["//hooks.example.com/", "must begin with https://"],
    ["https:hooks.example.com", "must begin with https://"],
    ["https:/hooks.example.com", "must begin with https://"],
    ["javascript:alert(1)", "must begin with https://"],
    ["hooks.example.com", "must begin with https://"],
    ["", "must begin with https://"],
    [
      "https:///hooks.example.com",
      "must have a public DNS name as its host, such as hooks.example.com, and no IP address",
    ],
    ["https://", "must have a public DNS name as its host, such as hooks.example.com, and no IP address"],
    ["https://hooks.example.com:8443/", "must use port 443"],
    ["https://hooks.example.com:80/", "must use port 443"],
    ["https://hooks.example.com:0443/", "must use port 443"],
    ["https://hooks.example.com:/", "must use port 443"],
    ["https://hooks.example.com:443:443/", "must use port 443"],
    ["https://user@hooks.example.com/", "must have no user name or password"],
    ["https://user:pass@hooks.example.com/", "must have no user name or password"],
    ["https://hooks.example.com@127.0.0.1/", "must have no user name or password"],
    ["https://hooks.example.com:443@127.0.0.1/", "must have no user name or password"],
    ["https://@hooks.example.com/", "must have no user name or password"],
    ["https://hooks.example.com/#x", "must have no fragment"],
    ["https://hooks.example.com#@127.0.0.1/", "must have no fragment"],
    ["https://hooks.example.com\\@127.0.0.1/", "must be percent-encoded"],
    ["https:\\\\hooks.example.com/", "must be percent-encoded"],
  ])("says what is wrong with %s", (text, message) => {
    expect(check(text)).toEqual({ message });
  });

  it.each([" ", "\t", "\n", "\r", "\u0000", "\u00a0"])("refuses the character %j anywhere", (character) => {
    const text = "https://hooks.example.com/x";
    for (let index = 0; index <= text.length; index++)
      expect(passes(text.slice(0, index) + character + text.slice(index))).toBe(false);
  });

  it("accepts 2,000 characters and no more", () => {
    const start = "https://hooks.example.com/";
    expect(passes(start + "a".repeat(2_000 - start.length))).toBe(true);
    expect(check(start + "a".repeat(2_001 - start.length))).toEqual({ message: "must have at most 2000 characters" });
  });

  describe("with loopback allowed", () => {
    it.each([
      ..."http://127.0.0.1:9000/a https://localhost/ http://LOCALHOST:1/ http://[::1]:65535/ http://127.255.0.9".split(
        " ",
      ),
      "https://hooks.example.com/",
    ])("accepts %s", (text) => expect(passes(text, true)).toBe(true));

    it.each([
      ..."http://127.1/ http://127.0.0.256/ http://2130706433/ http://10.0.0.1/ http://[::ffff:127.0.0.1]/".split(" "),
      ..."http://[::2]/ http://a.localhost/ http://192.168.0.1/ http://hooks.example.com/ http://0.0.0.0/".split(" "),
      ..."http://localhost.:80/ http://127.0.0.1:0/ http://127.0.0.1:65536/ http://127.0.0.1:/ ftp://127.0.0.1/".split(
        " ",
      ),
      ..."http://a@127.0.0.1/ http://127.0.0.1@evil.com/ https://hooks.example.com:8443/ http://0x7f.0.0.1/".split(" "),
    ])("refuses %s", (text) => expect(passes(text, true)).toBe(false));

    it("refuses loopback otherwise", () => {
      expect(passes("http://127.0.0.1:9000/")).toBe(false);
      expect(passes("https://localhost/")).toBe(false);
    });
  });

  it("means the same to a URL parser as to this check", () => {
    const piece = fc.constantFrom(
      ..."https:// http:// @ : :443 / // \\ ? # . .. 127.0.0.1 0x7f 1 [::1] [ ] localhost hooks example com %2e xn-- - _ é １".split(
        " ",
      ),
      "\t",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, allowLoopback) => {
        const result = check(pieces.join(""), allowLoopback);
        if ("message" in result) return;
        const parsed = new URL(result.url.href);
        expect(parsed.origin).toBe(new URL(result.url.origin).origin);
        expect([parsed.username, parsed.password, parsed.hash]).toEqual(["", "", ""]);
        const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(parsed.hostname);
        expect(isLoopback ? allowLoopback : parsed.protocol === "https:" && parsed.port === "").toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});
