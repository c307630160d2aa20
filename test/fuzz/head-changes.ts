/** Changes to a request's method, path, query and headers. */
import * as fc from "fast-check";

import * as hostile from "./hostile-values.ts";
import type { FuzzRequest } from "./request.ts";
import type { Workspaces } from "./service.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
const READ_HEADERS = ["Authorization", "X-Write-Key", "Idempotency-Key", "X-Request-Id", "Content-Type"];
const OTHER_HEADERS = ["Accept", "Origin", "Range", "If-None-Match", "X-HTTP-Method-Override", "Cookie"];
const SEGMENTS = ["..", ".", "", "%2e%2e", "%2f", "%5c", "\\", ";a=b", "%00", "%ff", "%", "%zz", "%c3%28", "\xc3\xa9"];
const LIMITS = ["0", "1", "201", "-1", "1.5", "1e2", "0x10", "+5", "%205", "NaN", "9007199254740993", "", "%D9%A3"];
const QUERY_NAMES = ["limit", "cursor", "state", "sort", "status", "kind", "account", "__proto__", "limit%5B%5D", ""];
const CONTENT_TYPES = [
  "text/plain",
  "application/json; charset=utf-16",
  "APPLICATION/JSON",
  "application/vnd.api+json",
  "multipart/form-data",
  "application/json, text/html",
];
const place = fc.nat(20);

export type HeadChange = (request: FuzzRequest) => void;

const setHeader =
  (name: string, value: string): HeadChange =>
  (request) => {
    request.headers = [...request.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()), [name, value]];
  };

const removeHeader = fc.constantFrom(...READ_HEADERS).map((name): HeadChange => (request) => {
  request.headers = request.headers.filter(([own]) => own !== name);
});

const otherHeader = fc
  .tuple(fc.constantFrom(...READ_HEADERS, ...OTHER_HEADERS), hostile.headerText)
  .map(([name, value]) => setHeader(name, value));

const method = fc.constantFrom(...METHODS).map(
  (name): HeadChange =>
    (request) =>
      void (request.method = name),
);

const pathSegment = fc
  .tuple(place, fc.oneof(fc.constantFrom(...SEGMENTS), hostile.segment))
  .map(([at, segment]): HeadChange => (request) => {
    const [path = "", ...query] = request.target.split("?");
    const segments = path.split("/");
    segments[1 + (at % segments.length)] = segment;
    request.target = [segments.join("/"), ...query].join("?");
  });

const spelling = fc
  .constantFrom<(target: string) => string>(
    (target) => target.toUpperCase(),
    (target) => `/${target}`,
    (target) => `${target}/`,
    (target) => target.replaceAll("a", "%61"),
    (target) => `/a/..${target}`,
    (target) => `${target}%20`,
    (target) => `${target}/${"x".repeat(9_000)}`,
  )
  .map(
    (change): HeadChange =>
      (request) =>
        void (request.target = change(request.target)),
  );

const query = fc
  .oneof(
    fc.constantFrom(...LIMITS).map((limit) => `limit=${limit}`),
    fc.tuple(fc.constantFrom(...QUERY_NAMES), hostile.segment).map((pair) => pair.join("=")),
  )
  .map(
    (added): HeadChange =>
      (request) =>
        void (request.target += (request.target.includes("?") ? "&" : "?") + added),
  );

const basic = (text: string): string => `Basic ${Buffer.from(text, "latin1").toString("base64")}`;

export function headChange({ story, otherKey, wrongKeys }: Workspaces): fc.Arbitrary<HeadChange> {
  const key = fc.constantFrom(story.key, otherKey);
  const wrongKey = fc.oneof(
    fc.constantFrom("", ...wrongKeys),
    key.map((one) => one.slice(0, -1)),
    hostile.headerText,
  );
  const credentials = fc.oneof(
    wrongKey.map((one) => `Bearer ${one}`),
    wrongKey.map((one) => basic(`${one}:`)),
    key.map((one) => `bearer   ${one}`),
    key.map((one) => `Bearer ${one} ${one}`),
    key.map((one) => basic(`:${one}`)),
    fc.constantFrom("", "Bearer", "Basic", "Basic ====", "Digest username=x", basic("\xff\xfe:")),
  );
  return fc.oneof(
    { weight: 3, arbitrary: credentials.map((value) => setHeader("Authorization", value)) },
    { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES).map((type) => setHeader("Content-Type", type)) },
    { weight: 2, arbitrary: otherHeader },
    { weight: 1, arbitrary: removeHeader },
    { weight: 1, arbitrary: method },
    { weight: 4, arbitrary: pathSegment },
    { weight: 1, arbitrary: spelling },
    { weight: 4, arbitrary: query },
  );
}
