/** Headers: credentials of all broken forms, and what else a sender may say or say twice. */
import { newApiKey } from "../../../src/core/api-key.ts";
import { hostileText } from "../hostile-values.ts";
import { type Draft, type Mutator, setHeader } from "./draft.ts";

/** Well formed, and of nobody. */
const UNKNOWN_KEY = newApiKey((count) => new Uint8Array(count));
const CONTENT_TYPES = [
  "",
  "text/plain",
  "application/json; charset=utf-16",
  'application/json;charset="',
  "APPLICATION/JSON",
  "application/jsonp",
  "application/vnd.api+json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "application/octet-stream",
  "*/*",
  ",",
  "application/json, text/html",
];

const onHeaders = (name: string, weight: number, mutate: (draft: Draft) => void): Mutator => ({
  name: `header: ${name}`,
  stage: "request",
  weight,
  mutate,
});

export const headerMutators: Mutator[] = [
  onHeaders("Authorization", 8, (draft) => {
    const { chance, workspace, bindings } = draft;
    const { key } = workspace;
    const other = chance.pick([
      "",
      key.slice(0, -1),
      `${key}x`,
      key.toLowerCase(),
      UNKNOWN_KEY,
      ...bindings.otherKeys,
      chance.canary(),
    ]);
    const forms = [
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${other}`,
      `bearer   ${key}`,
      `BEARER ${other}`,
      `Bearer ${key} ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      key,
      basic(key),
      basic(`${key}:`),
      basic(`${key}:x`),
      basic(`:${key}`),
      basic(`${other}:`),
      basic("\xff\xfe:"),
      "Basic",
      "Basic ====",
      `Basic ${key}`,
      "Digest username=x",
      toLatin1(hostileText(chance)),
    ];
    setHeader(draft, "Authorization", chance.pick(forms));
  }),
  onHeaders("credentials twice", 3, ({ request, chance, workspace, bindings }) => {
    const key = chance.pick([workspace.key, UNKNOWN_KEY, ...bindings.otherKeys]);
    request.headers.push(
      chance.pick<[string, string]>([
        ["Authorization", `Bearer ${key}`],
        ["X-Write-Key", key],
        ["x-write-key", ""],
      ]),
    );
  }),
  onHeaders("no credentials", 2, ({ request }) => {
    request.headers = request.headers.filter(([name]) => !/^(?:authorization|x-write-key)$/i.test(name));
  }),
  onHeaders("Content-Type", 4, (draft) => {
    const { chance } = draft;
    setHeader(draft, "Content-Type", chance.happens(80) ? chance.pick(CONTENT_TYPES) : toLatin1(hostileText(chance)));
  }),
  onHeaders("Idempotency-Key", 4, (draft) => {
    const { chance } = draft;
    const keys = [
      "",
      " ",
      "a",
      "x".repeat(255),
      "x".repeat(256),
      "\xff\xfe",
      '"quoted"',
      "a, b",
      toLatin1(hostileText(chance)),
    ];
    setHeader(draft, "Idempotency-Key", chance.pick(keys));
  }),
  onHeaders("X-Request-Id", 4, (draft) => {
    const { chance } = draft;
    const ids = [
      "",
      "a",
      "x".repeat(64),
      "x".repeat(65),
      "a b",
      "\xe9",
      "<script>",
      "a_b-c",
      "a=b",
      chance.letters(4_000),
      toLatin1(hostileText(chance)),
    ];
    setHeader(draft, "X-Request-Id", chance.pick(ids));
  }),
  onHeaders("another", 5, ({ request, chance }) => {
    const names = [
      "Accept",
      "Origin",
      "Range",
      "If-None-Match",
      "If-Modified-Since",
      "X-HTTP-Method-Override",
      "X-Forwarded-For",
      "CF-Connecting-IP",
      "CF-Ray",
      "Cookie",
      "Prefer",
      "Access-Control-Request-Method",
      "Upgrade-Insecure-Requests",
      "Accept-Encoding",
      "Host",
      "__proto__",
      "constructor",
    ];
    request.headers.push([chance.pick(names), toLatin1(hostileText(chance))]);
  }),
  onHeaders("twice", 2, ({ request, chance }) => {
    if (request.headers.length > 0) request.headers.push(chance.pick(request.headers));
  }),
  onHeaders("very long", 1, ({ request, chance }) => {
    request.headers.push([`X-${chance.letters(chance.pick([1, 500]))}`, chance.letters(chance.pick([1_000, 10_000]))]);
  }),
  onHeaders("very many", 1, ({ request, chance }) => {
    for (let index = chance.pick([20, 200]); index > 0; index--)
      request.headers.push([`X-${index}`, chance.letters(8)]);
  }),
];

const basic = (text: string): string => `Basic ${Buffer.from(text, "latin1").toString("base64")}`;

/** A header's characters are bytes. */
export const toLatin1 = (text: string): string =>
  Buffer.from(text.slice(0, 2_000))
    .toString("latin1")
    .replaceAll(/[\r\n]/g, " ");
