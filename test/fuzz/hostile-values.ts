/** Values that have broken other services: texts, numbers, times and keys. */
import * as fc from "fast-check";

import type { Chance } from "./chance.ts";

const TEXTS = [
  "",
  " ",
  "\t\r\n",
  "\u00a0\u2003",
  "\0",
  "a\0b",
  "\u0001\u001f\u007f\u0085",
  "\ud800",
  "\udc00x",
  "x\ud83d",
  "\ufffe\uffff",
  "\ufeffacme",
  "\u202eacme\u202c",
  "\u05d0\u05d1\u05d2 \u0627\u0644",
  "e\u0301".repeat(40),
  "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}",
  "\u{1d400}\u{20000}",
  "\u0130\u0131ßẞﬁ",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "true",
  "-0",
  "1e999",
  "0x10",
  "[]",
  "{}",
  '"',
  "\\",
  "'; DROP TABLE messages; --",
  "' OR '1'='1",
  "1); SELECT 1 --",
  "%",
  "_%_",
  "%00",
  "%ff%2e%2e%2f",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "${7*7}{{7*7}}",
  "$.a[0]",
  "a.b.c",
  "a[0].b",
  "jo@acme.example",
  "Jo <jo@acme.example>, kim@xn--e1afmkfd.example",
  "@".repeat(300),
  "usr_0123456789abcdef01234567",
  "acc_0123456789abcdef01234567",
  "itm_0",
  "(erased)",
  "[redacted]",
  "track",
  "group",
  "page",
  "Infinity",
] as const;

const NUMBERS = [
  "0",
  "-0",
  "-1",
  "0.1",
  "1.5",
  "-0.0",
  "0e0",
  "1e-400",
  "1e999",
  "-1e999",
  "2147483648",
  "4294967296",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740991",
  "-9007199254740993",
  "9223372036854775807",
  "18446744073709551616",
  "1.7976931348623157e308",
  "5e-324",
  "123456789012345678901234567890",
  `1${"0".repeat(400)}`,
  `0.${"1".repeat(400)}`,
] as const;

const TIMES = [
  "0000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "+010000-01-01T00:00:00Z",
  "10000-01-01T00:00:00Z",
  "275760-09-13T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59.999-23:59",
  "0000-01-01T00:00:00+23:59",
  "0001-01-01",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2024-02-29T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T23:59:60Z",
  "2026-06-01T00:00:00+14:00",
  "2026-06-01T00:00:00+99:99",
  "2026-06-01T00:00:00.123456789123456789Z",
  "2026-06-01T00:00Z",
  "2026-06-01 00:00:00",
  "2026-06-01t00:00:00z",
  "2026-W10-1",
  "2026-6-1",
  "Mon, 01 Jun 2026 00:00:00 GMT",
  "now",
  "1780272000",
] as const;

/** The names that the service reads somewhere: what stands under them gets furthest. */
const KNOWN_KEYS = (
  "type event messageId userId anonymousId accountId company_id account_id group_id groupId properties traits context " +
  "timestamp originalTimestamp sentAt receivedAt batch json writeKey accountStage trialEndsAt accountPlan accountSeats " +
  "accountMrr accountCurrency account_stage trial_ends_at account_plan account_seats account_mrr account_currency stage " +
  "plan seats mrr currency company id name email question feature timezone until writeLimit scopes acceptedBy version " +
  "password phoneNumber ip_address"
).split(" ");

const ODD_KEYS = [
  "a.b",
  "a[0]",
  '"',
  "'",
  "\\",
  "$",
  "$.x",
  "0",
  "-1",
  "length",
  "then",
  "toJSON",
  "a\nb",
  "jo@acme.example",
];

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.emailAddress(),
  fc.webUrl(),
  fc.ipV6(),
  fc.uuid(),
);

export function hostileText(chance: Chance): string {
  switch (chance.below(8)) {
    case 0:
      return chance.of(anyText);
    case 1:
      return chance
        .pick(["x", "é", "\u{1f600}", "\u0301"])
        .repeat(chance.pick([63, 64, 65, 127, 128, 129, 255, 256, 257, 5_000]));
    case 2:
      return chance.pick(TIMES);
    case 3:
      return chance.canary();
    default:
      return chance.pick(TEXTS);
  }
}

/** As it stands in the JSON. */
export const hostileNumber = (chance: Chance): string =>
  chance.happens(80)
    ? chance.pick(NUMBERS)
    : JSON.stringify(chance.of(fc.double({ noNaN: true, noDefaultInfinity: true })));

export const hostileTime = (chance: Chance): string =>
  chance.happens(80) ? chance.pick(TIMES) : chance.of(fc.date({ noInvalidDate: true })).toISOString();

export function hostileKey(chance: Chance): string {
  if (chance.happens(50)) return chance.pick(KNOWN_KEYS);
  return chance.happens(40) ? chance.pick(ODD_KEYS) : hostileText(chance);
}
