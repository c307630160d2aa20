/**
 * Finds out where a text stops being JSON (RFC 8259). `JSON.parse` doesn't always say, and words it as its engine likes.
 * It runs only after `JSON.parse` has failed.
 */

/** Each pattern also matches the beginning of a token, so that the match ends at the first character that is wrong. */
const STRING = String.raw`"(?:[^"\\\0-\x1F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*(?:(?<quote>")|\\(?:u[\dA-Fa-f]{0,3})?)?`;
const NUMBER = String.raw`-?(?:(?:0|[1-9]\d*)(?:\.(?!\d)|(?:\.\d+)?(?:[eE][+-]?\d*)?))?`;
const LITERAL = "t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?";
const KEY_TOKEN = new RegExp(`(?:${STRING})?`, "y");
const VALUE_TOKEN = new RegExp(`${STRING}|${LITERAL}|${NUMBER}`, "y");
const WHOLE = /^(?:true|false|null|-?\d(?:.*\d)?)$/;
const SPACE = " \t\n\r";

/** Returns the index of the first character that can't be there, or the text's length if it only ends too early. */
export function findJsonError(text: string): number {
  /** The signs that close the open objects and arrays. */
  const ends: string[] = [];
  let expected: "value" | "key" | "colon" | "comma" = "value";
  let mayEnd = false;
  let index = 0;
  while (true) {
    const sign = text[index];
    const end = ends.at(-1);
    if (sign === undefined) return index;
    if (SPACE.includes(sign)) {
      index += 1;
      continue;
    }
    if (mayEnd && sign === end) {
      ends.pop();
      expected = "comma";
      index += 1;
      continue;
    }
    mayEnd = false;
    if (expected === "comma") {
      if (sign !== "," || end === undefined) return index;
      expected = end === "}" ? "key" : "value";
      index += 1;
    } else if (expected === "colon") {
      if (sign !== ":") return index;
      expected = "value";
      index += 1;
    } else if (expected === "value" && (sign === "{" || sign === "[")) {
      ends.push(sign === "{" ? "}" : "]");
      expected = sign === "{" ? "key" : "value";
      mayEnd = true;
      index += 1;
    } else {
      const pattern: RegExp = expected === "key" ? KEY_TOKEN : VALUE_TOKEN;
      pattern.lastIndex = index;
      const [token = "", quote] = pattern.exec(text) ?? [];
      index += token.length;
      if (quote === undefined && !WHOLE.test(token)) return index;
      expected = expected === "key" ? "colon" : "comma";
      mayEnd = expected === "comma";
    }
  }
}
