/**
 * E-mail addresses, hidden where they stand in text, and judged where one is asked for. The two don't agree: what may be
 * an address is hidden, and what mail can be sent to is taken for one.
 *
 * Hiding is one forward scan with a hand-written state instead of a regular expression: every pattern for `local@domain`
 * backtracks over its local part, which is quadratic on 16 KB of `a` or `a@`. It errs on the side of taking too much:
 * letters of any script, all of RFC 5322's atom characters and quoted local parts; `@` also in its full-width and
 * percent-encoded forms (a URL in a URL encodes it twice).
 */

export const REDACTED = "[redacted]";

const QUOTE = 0x22;
const PERCENT = 0x25;
const DOT = 0x2e;
const AT = 0x40;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const MAX_LITERAL_LENGTH = 64;

const MAY_HOLD_ADDRESS = /[@%\uFE6B\uFF20]/;
const ATOM = asciiSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~.");
const LABEL = asciiSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
const LETTER = asciiSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
// Format characters (zero-width ones and the like) are invisible inside an address, and do not end it.
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}\p{Cf}]/u;
const ADDRESS_LITERAL = /^\[[0-9A-Za-z-]*[.:][0-9A-Za-z.:-]*\]/;
const DIGITS_ONLY = /^\d+$/;

/** Between the dots of a local part; of any script, as RFC 6531 has it. */
const ATOM_TEXT = /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+$/u;
const QUOTED_STRING = /^"(?:[^"\\]|\\.)+"$/u;
const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const TOP_LEVEL = /^\p{L}./u;

/** `text` with every e-mail address in it replaced by `[redacted]`; the same string when it has none. Linear. */
export function redactAddresses(text: string): string {
  return MAY_HOLD_ADDRESS.test(text) ? replaceAddresses(text) : text;
}

/**
 * Whether `text` is one e-mail address and nothing else, at a host that has a name, as far as its form tells. Zod's
 * patterns know either ASCII alone, or only that there is one `@`.
 */
export function isPlausibleAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at === -1) return false;
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split(".");
  return (
    (QUOTED_STRING.test(local) || local.split(".").every((atom) => ATOM_TEXT.test(atom))) &&
    labels.length > 1 &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    TOP_LEVEL.test(labels.at(-1) ?? "")
  );
}

interface Span {
  readonly start: number;
  end: number;
}

function replaceAddresses(text: string): string {
  let result = "";
  let taken = 0;
  for (const { start, end } of addressesIn(text)) {
    result += text.slice(taken, start) + REDACTED;
    taken = end;
  }
  return taken === 0 ? text : result + text.slice(taken);
}

/** In their order, apart from each other. */
function addressesIn(text: string): Span[] {
  const found: Span[] = [];
  /** Where the characters that could be a local part begin, up to the current one. */
  let run = 0;
  let at = 0;
  while (at < text.length) {
    const domain = markerEnd(text, at);
    if (domain === 0) {
      at += 1;
      if (!isIn(ATOM, text.charCodeAt(at - 1))) run = at;
      continue;
    }
    const local = run < at ? run : openingQuote(text, at - 1, found);
    // `a%40b.co` begins `a%40b.co@c.co`: what goes on where an address ended may be that address still.
    const last = found.at(-1);
    const goesOn = last?.end === local;
    const end = local < at || goesOn ? domainEnd(text, domain) : 0;
    if (end > 0) {
      if (goesOn) last.end = end;
      else add(found, { start: local, end });
      run = end;
      at = end;
    } else {
      // A marker that was none stays in the run, with what is before it: `a@b@example.com`, `%40a@example.com`. Only an
      // `@` can't begin one.
      if (run === at && text.charCodeAt(at) !== PERCENT) run = domain;
      at = domain;
    }
  }
  return found;
}

/** In place of those that it has in its quotation marks. */
function add(found: Span[], span: Span): void {
  while ((found.at(-1)?.start ?? -1) >= span.start) found.pop();
  found.push(span);
}

/** The end of an `@`, also as `＠`, `﹫`, `%40` or `%2540`; 0 when there is none at this place. */
function markerEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === AT || code === 0xfe_6b || code === 0xff_20) return at + 1;
  if (code !== PERCENT) return 0;
  let digits = at + 1;
  while (text.startsWith("25", digits)) digits += 2;
  return text.startsWith("40", digits) ? digits + 2 : 0;
}

/** Where `"john smith"` begins that ends with the quote at `closing`; after it when nowhere, or within an address. */
function openingQuote(text: string, closing: number, found: readonly Span[]): number {
  if (closing < 0 || text.charCodeAt(closing) !== QUOTE) return closing + 1;
  const escaped = isEscaped(text, closing);
  let opening = quoteBefore(text, closing);
  while (opening >= 0 && isEscaped(text, opening) !== escaped) opening = quoteBefore(text, opening);
  const before = found.findLast(({ start }) => start <= opening);
  return opening < (before?.end ?? 0) ? closing + 1 : opening;
}

const quoteBefore = (text: string, place: number): number => (place === 0 ? -1 : text.lastIndexOf('"', place - 1));

function isEscaped(text: string, at: number): boolean {
  return at > 0 && text.charCodeAt(at - 1) === BACKSLASH;
}

/**
 * The end of the longest domain from `start`: labels with dots between, up to the last one that begins with a letter
 * as every top level domain does (`pkg@1.2.3-rc.1` is a version), or an IP address, bare or in brackets. 0 when none.
 */
function domainEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === OPENING_BRACKET) {
    const literal = ADDRESS_LITERAL.exec(text.slice(start, start + MAX_LITERAL_LENGTH));
    return literal === null ? 0 : start + literal[0].length;
  }
  let end = 0;
  let labels = 0;
  let numeric = 0;
  let at = start;
  for (;;) {
    const label = at;
    while (at < text.length && isIn(LABEL, text.charCodeAt(at))) at += 1;
    if (at === label) return end;
    labels += 1;
    if (DIGITS_ONLY.test(text.slice(label, at))) numeric += 1;
    const isTopLevel = labels > 1 && isIn(LETTER, text.charCodeAt(label));
    if (isTopLevel || (labels === 4 && numeric === 4)) end = at;
    const next = dotsEnd(text, at);
    if (next === at) return end;
    at = next;
  }
}

/** The end of a row of dots, also as the ideographic, full-width, half-width and percent-encoded ones. */
function dotsEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === DOT || code === 0x30_02 || code === 0xff_0e || code === 0xff_61) at += 1;
    else if (code === PERCENT && (text.startsWith("2E", at + 1) || text.startsWith("2e", at + 1))) at += 3;
    else return at;
  }
}

function isIn(ascii: Uint8Array, code: number): boolean {
  if (code < 0x80) return ascii[code] === 1;
  return (code >= 0xd8_00 && code <= 0xdf_ff) || WORD_CHARACTER.test(String.fromCharCode(code));
}

function asciiSet(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}
