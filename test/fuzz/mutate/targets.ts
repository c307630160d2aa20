/** Where a request goes: its path, its query, its method. */
import { hostileText } from "../hostile-values.ts";
import type { Chance } from "../chance.ts";
import type { Draft, Mutator } from "./draft.ts";
import { toLatin1 } from "./headers.ts";

const SEGMENTS = [
  "..",
  ".",
  "",
  "%2e%2e",
  "%2E",
  "%2f",
  "%5c",
  "\\",
  ";",
  ";a=b",
  "%00",
  "%ff",
  "%",
  "%zz",
  "%c3%28",
  "\xc3\xa9",
  "%E2%82%AC",
  "~",
  "*",
  ":id",
  "{id}",
  "__proto__",
  "constructor",
  "usr_0123456789abcdef01234567",
  "acc_0123456789abcdef01234567",
];
const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "PURGE",
  "QUERY",
  "FOO",
  "get",
  "Post",
  "G\xcbT",
  "",
];
const QUERIES = [
  "limit",
  "cursor",
  "state",
  "sort",
  "status",
  "kind",
  "__proto__",
  "constructor",
  "limit[]",
  "limit%5B%5D",
  "",
];
const LIMITS = [
  "0",
  "1",
  "200",
  "201",
  "-1",
  "1.5",
  "1e2",
  "0x10",
  " 5",
  "5 ",
  "+5",
  "NaN",
  "Infinity",
  "1e999",
  "9007199254740993",
  "",
  "%00",
  "%ff",
  "٣",
  "true",
  "[]",
];

/** Rows of workspaces lie one behind the other, 2^32 numbers each. */
const WORKSPACE_ROWS = 4_294_967_296;
const POSITIONS = [
  0,
  -1,
  1,
  1.5,
  null,
  "1",
  [],
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  ...[1, 2, 3, 4, 5].flatMap((number) => [number * WORKSPACE_ROWS, number * WORKSPACE_ROWS + 2_000]),
];
const SORT_POSITIONS = [
  ...POSITIONS,
  [0, 0],
  [-1e308, 0],
  [1e308, 0],
  [0.5, -1],
  [-0, 1],
  [null, 1],
  ["a", 1],
  [0, 1.5],
  [0, 1, 2],
];

const onTarget = (name: string, weight: number, mutate: (draft: Draft) => void): Mutator => ({
  name,
  stage: "request",
  weight,
  mutate,
});

export const targetMutators: Mutator[] = [
  onTarget("path: segment", 6, ({ request, chance }) => {
    const [path = "", query] = request.target.split("?");
    const segments = path.split("/");
    const at = chance.between(1, segments.length);
    const other = chance.happens(60)
      ? chance.pick(SEGMENTS)
      : chance.happens(50)
        ? segmentOf(chance)
        : encodeURIComponent(hostileText(chance).toWellFormed());
    segments.splice(at, chance.below(2), other);
    request.target = join(segments.join("/"), query);
  }),
  onTarget("path: id", 6, ({ request, chance }) => {
    const [path = "", query] = request.target.split("?");
    const segments = path.split("/");
    const at = Math.min(segments.length - 1, chance.pick([3, 4, 5]));
    segments[at] = chance.happens(70) ? segmentOf(chance) : chance.pick(SEGMENTS);
    request.target = join(segments.join("/"), query);
  }),
  onTarget("path: spelling", 4, ({ request, chance }) => {
    const { target } = request;
    request.target = chance.pick([
      target.toUpperCase(),
      `/${target}`,
      target.replace("/", "//"),
      `${target}/`,
      target.replaceAll("/", "%2f"),
      target.replaceAll("a", "%61"),
      `http://other.example${target}`,
      `${target}#x`,
      target.slice(1),
      "*",
      `/a/..${target}`,
      `/%2e${target}`,
      `${target}%20`,
      ` ${target}`,
      `${target}\x00`,
      `${target} x`,
    ]);
  }),
  onTarget("path: overlong", 1, ({ request, chance }) => {
    request.target += `/${chance.letters(chance.pick([300, 3_000, 9_000]))}`;
  }),
  onTarget("query", 8, ({ request, chance }) => {
    const name = chance.pick(QUERIES);
    const values =
      name === "limit"
        ? LIMITS
        : [
            segmentOf(chance),
            encodeURIComponent(hostileText(chance).toWellFormed()),
            btoa(chance.letters(30)),
            btoa(JSON.stringify([chance.below(9), "events"])),
            btoa(JSON.stringify([[1e15, 1], "accounts"])),
          ];
    request.target += `${request.target.includes("?") ? "&" : "?"}${name}=${chance.pick(values)}`;
  }),
  onTarget("query: cursor", 4, ({ request, chance, bindings }) => {
    const cursor = chance.pick(Object.values(bindings.cursors).concat(""));
    const at = chance.below(cursor.length + 1);
    const other = chance.pick([
      cursor,
      cursor.slice(0, at),
      cursor.slice(0, at) + chance.letters(1) + cursor.slice(at + 1),
      cursor + cursor,
      cursor.toLowerCase(),
      `${cursor}%3d%3d`,
    ]);
    request.target = `${request.target.replace(/[?&]cursor=[^&]*/, "")}${request.target.includes("?") ? "&" : "?"}cursor=${other}`;
  }),
  onTarget("query: forged cursor", 3, ({ request, chance, workspace: { id } }) => {
    const [path, list] = chance.pick(forgeable(id));
    const position: unknown = list.length > 2 ? chance.pick(SORT_POSITIONS) : chance.pick(POSITIONS);
    request.method = "GET";
    request.target = `${path}?limit=200&cursor=${btoa(JSON.stringify([position, ...list]))}`;
  }),
  onTarget("method", 5, ({ request, chance }) => {
    request.method = chance.pick(METHODS);
  }),
];

/** Cursors are not signed: whoever decodes one can make others for the own workspace. */
const forgeable = (id: string): [path: string, list: string[]][] => [
  ["/api/v1/events", ["events", id]],
  ["/api/v1/rejected", ["rejected", id]],
  ["/api/v1/accounts", ["accounts", id, "score", ""]],
  ["/api/v1/accounts", ["accounts", id, "mrr", ""]],
  ["/api/v1/inbox", ["inbox", id, "open", ""]],
];

/** A canary, a long text, or whatever else goes into a path as it is. */
const segmentOf = (chance: Chance): string =>
  chance.happens(50) ? chance.canary() : toLatin1(hostileText(chance)).replaceAll(/[ ?#]/g, "_");

const join = (path: string, query: string | undefined): string => (query === undefined ? path : `${path}?${query}`);
