/** Generates values that have broken other services: texts, numbers, times and keys, each as JSON source text. */
import * as fc from "fast-check";

/** Marks long random texts, so that one search of an answer or a log line tells whether it repeats what was sent. */
export const CANARY_MARK = "zqcanary";

const WORDS = (
  "__proto__ constructor toString null NaN true -0 1e999 0x10 [] {} % _%_ %00 ../../etc/passwd " +
  "${7*7}{{7*7}} $.a[0] jo@acme.example (erased) [redacted] page <script>alert(1)</script> " +
  "usr_0123456789abcdef01234567 acc_0123456789abcdef01234567"
).split(" ");
const TEXTS = [
  ...WORDS,
  "",
  " ",
  "\t\r\n",
  "\u00a0\u2003",
  "\0",
  "a\0b",
  "\u0001\u001f\u007f\u0085",
  "\ud800",
  "x\ud83d",
  "\ufffe\uffff",
  "\ufeffacme",
  "\u202eacme\u202c",
  "\u05d0\u05d1\u05d2 \u0627\u0644",
  "e\u0301".repeat(40),
  "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}",
  "\u0130\u0131ßẞﬁ",
  '"',
  "\\",
  "'; DROP TABLE messages; --",
  "' OR '1'='1",
  "Jo <jo@acme.example>, kim@xn--e1afmkfd.example",
  "@".repeat(300),
];

const NUMBERS = [
  ...(
    "-0 -1 1.5 0e0 1e-400 1e999 -1e999 2147483648 4294967296 9007199254740991 9007199254740993 " +
    "-9007199254740993 18446744073709551616 1.7976931348623157e308 5e-324"
  ).split(" "),
  `1${"0".repeat(400)}`,
  `0.${"1".repeat(400)}`,
];

const TIMES = [
  ...(
    "0000-01-01T00:00:00Z -000001-01-01T00:00:00Z +275760-09-13T00:00:00.001Z " +
    "9999-12-31T23:59:59.999-23:59 0000-01-01T00:00:00+23:59 0001-01-01 1969-12-31T23:59:59.999Z " +
    "2026-02-30T00:00:00Z 2024-02-29T00:00:00Z 2026-01-01T24:00:00Z 2026-01-01T23:59:60Z " +
    "2026-06-01T00:00:00+99:99 2026-06-01T00:00:00.123456789123456789Z 2026-W10-1 now 1780272000"
  ).split(" "),
  "2026-06-01 00:00:00",
  "Mon, 01 Jun 2026 00:00:00 GMT",
];

/** Lengths on both sides of a limit. */
const LENGTHS = [64, 65, 128, 129, 255, 256, 257, 5_000];
const OTHERS = ["null", "true", "false", "{}", "[]", "[[]]", '{"a":1}', '["u1"]'];
const DEPTHS = [2, 29, 30, 31, 32, 33, 34, 1_000, 100_000];

/** The keys that the service reads: values under them reach furthest. */
const KNOWN_KEYS = (
  "type event messageId userId anonymousId accountId company_id groupId companyId properties traits context timestamp " +
  "originalTimestamp sentAt receivedAt batch json writeKey accountStage trialEndsAt accountContractEndsAt accountPlan accountSeats " +
  "accountMrr accountCurrency account_seats trial_ends_at stage plan seats mrr currency company id name email question " +
  "feature timezone until writeLimit scopes acceptedBy version password phoneNumber ip_address"
).split(" ");
const ODD_KEYS = ["a.b", "a[0]", '"', "'", "\\", "$", "0", "-1", "length", "then", "toJSON", "a\nb", "jo@acme.example"];

/** 60 to 240 letters and digits. Nobody else has them, so an answer that holds 65 of them repeats the sender. */
export const canary: fc.Arbitrary<string> = fc
  .array(fc.nat(2 ** 31), { minLength: 3, maxLength: 12 })
  .map((parts) => parts.map((part) => CANARY_MARK + part.toString(36).padStart(12, "0")).join(""));

export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: canary },
  { weight: 1, arbitrary: fc.constantFrom(...TIMES) },
  { weight: 1, arbitrary: fc.oneof(fc.string({ unit: "binary" }), fc.emailAddress(), fc.webUrl(), fc.uuid()) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "é", "\u{1f600}", "\u0301"), fc.constantFrom(...LENGTHS))
      .map(([char, length]) => char.repeat(length)),
  },
);

/** JSON source text, because `JSON.stringify` writes neither `1e999` nor an array 100,000 levels deep. */
export const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: text.map((one) => JSON.stringify(one)) },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom(...OTHERS) },
  { weight: 2, arbitrary: fc.constantFrom(...TIMES).map((time) => JSON.stringify(time)) },
  { weight: 1, arbitrary: fc.constantFrom(...DEPTHS).map((depth) => "[".repeat(depth) + "]".repeat(depth)) },
  { weight: 1, arbitrary: fc.constantFrom(...DEPTHS).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`) },
);

export const key: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...KNOWN_KEYS) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_KEYS) },
  { weight: 3, arbitrary: text },
);

/** A header's value. Header bytes are Latin-1, and a client refuses control characters. */
export const headerText: fc.Arbitrary<string> = text.map((one) =>
  Buffer.from(one.slice(0, 2_000))
    .toString("latin1")
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, " "),
);

/** A path segment or a query value, encoded or as raw bytes. */
export const segment: fc.Arbitrary<string> = fc.oneof(
  text.map((one) => encodeURIComponent(one.toWellFormed())),
  headerText.map((one) => one.replaceAll(/[ ?#/]/g, "_")),
);
