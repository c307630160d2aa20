/**
 * Redacts e-mail addresses in text. The rule redacts slightly too much, on purpose: a word with an at sign and a later
 * dot is an address, whatever other characters it has. A list of allowed characters would leave parts of some addresses.
 * Only characters that an unquoted address can't contain end a word: white space and `"(),:;<>[\]`.
 *
 * Every pattern takes linear time. None may search for the same end from many starts.
 */
const REDACTED = "[redacted]";

/**
 * The at sign and the dot as other characters and as escapes: in URLs (also encoded twice), in HTML, in JSON inside a
 * string, and in quoted-printable text. There `=40` must have a host behind it, and be no value in a URL: `?w=400.png`.
 */
const AT =
  /[\uFE6B\uFF20]|%(?:25)*40|&(?:amp;)*(?:#0*64;?|#x0*40;?|commat;)|(?<!\\)\\+(?:u00|x)40|=40(?<![?&][\w.-]{0,64}=40)(?=[^\s"(),:;<>[\]\\=&@.?!/]+(?:\.|=2E))/gi;
const DOT =
  /[\u2024\u3002\uFE52\uFF0E\uFF61]|%(?:25)*2E|&(?:amp;)*(?:#0*46;?|#x0*2E;?|period;)|(?<!\\)\\+(?:u00|x)2E|=2E/gi;
/** Backslashes before either sign, as in Markdown. Removed last, because decoding may put a sign behind one. */
const BACKSLASHES = /(?<!\\)\\+(?=[@.])/g;
const MAY_BE_ESCAPED = /[%&\\\u2024\u3002\uFE52\uFE6B\uFF0E\uFF20\uFF61]|=40|=2E/i;

/** The characters that end a word. U+FEFF is white space but doesn't, because it is invisible inside an address. */
const END = String.raw`\t-\r \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000"(),:;<>\[\\\]`;
const WORD_PARTS = [
  `[^${END}&@.!?]+`,
  `[.!?](?=[^${END}])`, // not the end of a sentence
  String.raw`@\[(?:IPv6:)?[\dA-Fa-f.:]{2,45}\]|@`, // with an IP address as the host
  String.raw`"(?:[^"\\]|\\[^]){0,128}?\\?"(?=@)`, // a quoted local part
  String.raw`\([^()]{0,128}\)(?=[@.])|(?<=@)\([^()]{0,128}\)`, // a comment
  String.raw`&#?\w{1,8};|&`, // an HTML entity
  String.raw`(?<!\\)\\+(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2})`, // an escape of JSON or JavaScript
];
const WORD = new RegExp(`(?:${WORD_PARTS.join("|")})+`, "g");

/** A host has a dot before something that is no digit, or is an IP address: `pkg@1.2.3` is a version. */
const HOST = /\.(?:\D|\d{1,3}\.\d{1,3}\.\d)|^\[/;

/** Replaces every e-mail address in `text` by `[redacted]`. Returns the same string when it has none. Idempotent. */
export function redactAddresses(text: string): string {
  const isEscaped = MAY_BE_ESCAPED.test(text);
  const withAts = isEscaped ? text.replace(AT, "@") : text;
  if (!withAts.includes("@")) return text;
  const plain = isEscaped ? withAts.replace(DOT, ".").replace(BACKSLASHES, "") : text;
  const redacted = plain.replace(WORD, (word) => (isAddress(word) ? REDACTED : word));
  return redacted === plain ? text : redacted;
}

/** Looks at each at sign except one that begins the word. A slash ends a host: `react@18.2.0/index.js` is a file. */
function isAddress(word: string): boolean {
  const [local = "", ...behind] = word.split("@");
  return behind.some((rest, index) => (index > 0 || local !== "") && HOST.test(rest.split("/", 1)[0] ?? ""));
}
