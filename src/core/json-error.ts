/**
 * Finds out where a text stops being JSON (RFC 8259). `JSON.parse` doesn't always say, and every engine words it
 * differently. This runs only after `JSON.parse` has failed.
 */

// Each pattern also matches the beginning of a token, so that the match ends at the first character that is wrong.
const STRING = String.raw`"(?:[^"\\\0-\x1F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*(?:(")|\\(?:u[\dA-Fa-f]{0,3})?)?`;
const NUMBER = String.raw`-?(?:(?:0|[1-9]\d*)(?:\.(?!\d)|(?:\.\d+)?(?:[eE][+-]?\d*)?))?`;
const VALUE = `[{[]|${STRING}|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|${NUMBER}`;
const WHOLE = /^(?:true|false|null|-?\d(?:.*\d)?)$/;

const next = (tokens: string) => new RegExp(`[ \\t\\n\\r]*(${tokens})?`, "y");
/** What may come next in each state. */
const NEXT = {
  value: next(VALUE),
  firstValue: next(`\\]|${VALUE}`),
  key: next(STRING),
  firstKey: next(`\\}|${STRING}`),
  colon: next(":"),
  object: next("[,}]"),
  array: next("[,\\]]"),
  end: next("(?!)"),
};

/** Returns the position of the first character that can't be there, or the text's length if it only ends too early. */
export function findJsonError(text: string): number {
  const open: ("object" | "array")[] = [];
  let state: keyof typeof NEXT = "value";
  let position = 0;
  while (true) {
    const pattern: RegExp = NEXT[state];
    pattern.lastIndex = position;
    const [, token = "", quote] = pattern.exec(text) ?? [];
    position = pattern.lastIndex;
    const isKey: boolean = state === "key" || state === "firstKey";
    if (token === "{" || token === "[") {
      open.push(token === "{" ? "object" : "array");
      state = token === "{" ? "firstKey" : "firstValue";
    } else if (token === ",") {
      state = open.at(-1) === "object" ? "key" : "value";
    } else if (token === ":") {
      state = "value";
    } else {
      const closes = token === "}" || token === "]";
      if (closes) open.pop();
      else if (quote === undefined && !WHOLE.test(token)) return position;
      state = isKey && !closes ? "colon" : (open.at(-1) ?? "end");
    }
  }
}
