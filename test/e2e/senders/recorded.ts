/**
 * Requests of client libraries in other languages, recorded between the libraries and the service: a group, an identify, a
 * track of the past, and a page. The bodies of Java's are recorded too; their headers are those of its source.
 */
import { gzipSync } from "node:zlib";

import { chunk } from "../raw-request.ts";

interface Recording {
  library: string;
  path: string;
  /** All but the host, the length and the encoding. AUTH stands for the key. */
  headers: Readonly<Record<string, string>>;
  gzip?: boolean;
  chunked?: boolean;
  /** KEY, NOW, PAST and ID stand for the key, the two times, and ids. */
  body: string;
  time: (at: Date) => string;
}

const iso = (at: Date) => at.toISOString();
const withOffset = (at: Date) => iso(at).replace("Z", "+00:00");
const inMicroseconds = (at: Date) => iso(at).replace("Z", "193+00:00");
const inNanoseconds = (at: Date) => iso(at).replace("Z", "297283Z");
const inSeconds = (at: Date) => iso(at).replace(/\.\d+Z/, "+00:00");

export const RECORDINGS: readonly Recording[] = [
  {
    library: "Python: segment-analytics-python 2.3.4",
    path: "/v1/batch",
    headers: {
      "User-Agent": "analytics-python/2.3.4",
      "Accept-Encoding": "gzip, deflate",
      Accept: "*/*",
      Connection: "keep-alive",
      "Content-Type": "application/json",
    },
    time: withOffset,
    body: `{"batch": [{"integrations": {}, "anonymousId": null, "timestamp": "NOW", "groupId": "acme", "context": {"library": {"name": "analytics-python", "version": "2.3.4"}}, "userId": "u1", "traits": {"plan": "pro"}, "type": "group", "messageId": "ID"}, {"integrations": {}, "anonymousId": null, "timestamp": "NOW", "context": {"library": {"name": "analytics-python", "version": "2.3.4"}}, "type": "identify", "userId": "u1", "traits": {"role": "admin"}, "messageId": "ID"}, {"integrations": {}, "anonymousId": null, "properties": {"format": "pdf"}, "timestamp": "PAST", "context": {"library": {"name": "analytics-python", "version": "2.3.4"}}, "userId": "u1", "type": "track", "event": "Report Exported", "messageId": "ID"}, {"integrations": {}, "anonymousId": null, "properties": {}, "timestamp": "NOW", "category": "docs", "context": {"library": {"name": "analytics-python", "version": "2.3.4"}}, "userId": "u1", "type": "page", "name": "Home", "messageId": "ID"}], "sentAt": "NOW", "writeKey": "KEY"}`,
  },
  {
    library: "Python: rudder-sdk-python 2.1.4",
    path: "/v1/batch",
    headers: {
      "User-Agent": "analytics-python/2.1.4",
      "Accept-Encoding": "gzip, deflate",
      Accept: "*/*",
      Connection: "keep-alive",
      "Content-Type": "application/json",
      Authorization: "Basic AUTH",
    },
    gzip: true,
    time: inMicroseconds,
    body: `{"batch": [{"integrations": {"All": true}, "anonymousId": null, "timestamp": "NOW", "groupId": "acme", "context": {"library": {"name": "analytics-python", "version": "2.1.4"}}, "userId": "u1", "traits": {"plan": "pro"}, "type": "group", "messageId": "ID", "channel": "server"}, {"integrations": {"All": true}, "anonymousId": null, "timestamp": "NOW", "context": {"traits": {"role": "admin"}, "library": {"name": "analytics-python", "version": "2.1.4"}}, "type": "identify", "userId": "u1", "messageId": "ID", "channel": "server"}, {"integrations": {"All": true}, "anonymousId": null, "properties": {"format": "pdf"}, "timestamp": "PAST", "context": {"library": {"name": "analytics-python", "version": "2.1.4"}}, "userId": "u1", "type": "track", "event": "Report Exported", "messageId": "ID", "channel": "server"}, {"integrations": {"All": true}, "anonymousId": null, "properties": {}, "timestamp": "NOW", "category": "docs", "context": {"library": {"name": "analytics-python", "version": "2.1.4"}}, "userId": "u1", "type": "page", "name": "Home", "messageId": "ID", "channel": "server"}], "sentAt": "NOW"}`,
  },
  {
    library: "Ruby: analytics-ruby 2.5.0",
    path: "/v1/import",
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      "User-Agent": "analytics-ruby/2.5.0",
      "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
      Authorization: "Basic AUTH",
    },
    time: withOffset,
    body: `{"sentAt":"NOW","batch":[{"context":{"library":{"name":"analytics-ruby","version":"2.5.0"}},"messageId":"ID","timestamp":"NOW","userId":"u1","type":"group","groupId":"acme","traits":{"plan":"pro"}},{"context":{"library":{"name":"analytics-ruby","version":"2.5.0"}},"messageId":"ID","timestamp":"NOW","userId":"u1","type":"identify","traits":{"role":"admin"}},{"context":{"library":{"name":"analytics-ruby","version":"2.5.0"}},"messageId":"ID","timestamp":"PAST","userId":"u1","type":"track","event":"Report Exported","properties":{"format":"pdf"}},{"context":{"library":{"name":"analytics-ruby","version":"2.5.0"}},"messageId":"ID","timestamp":"NOW","userId":"u1","type":"page","name":"Home","properties":{}}]}`,
  },
  {
    library: "Ruby: rudder-sdk-ruby 3.2.1",
    path: "/v1/batch",
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
      "User-Agent": "Ruby",
      Authorization: "Basic AUTH",
    },
    gzip: true,
    time: iso,
    body: `{"batch":[{"context":{"library":{"name":"rudderanalytics-ruby","version":"3.2.1"}},"integrations":{"All":true},"timestamp":"NOW","sentAt":"NOW","messageId":"ID","channel":"server","userId":"u1","type":"group","groupId":"acme","traits":{"plan":"pro"}},{"context":{"library":{"name":"rudderanalytics-ruby","version":"3.2.1"},"traits":{"role":"admin"}},"integrations":{"All":true},"timestamp":"NOW","sentAt":"NOW","messageId":"ID","channel":"server","userId":"u1","type":"identify"},{"context":{"library":{"name":"rudderanalytics-ruby","version":"3.2.1"}},"integrations":{"All":true},"timestamp":"PAST","sentAt":"NOW","messageId":"ID","channel":"server","userId":"u1","properties":{"format":"pdf"},"type":"track","event":"Report Exported"},{"context":{"library":{"name":"rudderanalytics-ruby","version":"3.2.1"}},"integrations":{"All":true},"timestamp":"NOW","sentAt":"NOW","messageId":"ID","channel":"server","userId":"u1","type":"page","name":"Home","event":"Home","properties":{"name":"Home"}}]}`,
  },
  {
    library: "Go: analytics-go 3.0.0, with a host that ends with a slash",
    path: "//v1/batch",
    headers: {
      "User-Agent": "analytics-go (version: 3.0.0)",
      Authorization: "Basic AUTH",
      "Content-Type": "application/json",
      "Accept-Encoding": "gzip",
    },
    time: inNanoseconds,
    body: `{"messageId":"ID","sentAt":"NOW","batch":[{"type":"group","messageId":"ID","userId":"u1","groupId":"acme","timestamp":"NOW","traits":{"plan":"pro"}},{"type":"identify","messageId":"ID","userId":"u1","timestamp":"NOW","traits":{"role":"admin"}},{"type":"track","messageId":"ID","userId":"u1","event":"Report Exported","timestamp":"PAST","properties":{"format":"pdf"}},{"type":"page","messageId":"ID","userId":"u1","name":"Home","timestamp":"NOW"}],"context":{"library":{"name":"analytics-go","version":"3.0.0"}}}`,
  },
  {
    library: "Go: rudderlabs/analytics-go 4.2.3",
    path: "/v1/batch",
    headers: {
      "User-Agent": "analytics-go (version: 4.2.3)",
      Authorization: "Basic AUTH",
      "Content-Type": "application/json",
      "Rs-Nodecount": "1",
      "Rs-Targetnode": "0",
      "Rs-Useragent": "serverSDK",
      "Accept-Encoding": "gzip",
    },
    gzip: true,
    time: inNanoseconds,
    body: `{"batch":[{"type":"group","messageId":"ID","anonymousId":"ID","userId":"u1","groupId":"acme","originalTimestamp":"NOW","sentAt":"NOW","context":{"library":{"name":"analytics-go","version":"4.2.3"}},"traits":{"plan":"pro"},"channel":"server"},{"type":"identify","messageId":"ID","userId":"u1","originalTimestamp":"NOW","sentAt":"NOW","context":{"library":{"name":"analytics-go","version":"4.2.3"}},"traits":{"role":"admin"},"channel":"server"},{"type":"track","messageId":"ID","anonymousId":"ID","userId":"u1","event":"Report Exported","originalTimestamp":"PAST","sentAt":"NOW","context":{"library":{"name":"analytics-go","version":"4.2.3"}},"properties":{"format":"pdf"},"channel":"server"},{"type":"page","messageId":"ID","anonymousId":"ID","userId":"u1","name":"Home","originalTimestamp":"NOW","sentAt":"NOW","context":{"library":{"name":"analytics-go","version":"4.2.3"}},"channel":"server"}]}`,
  },
  {
    library: "PHP: analytics-php 3.8.2",
    path: "/v1/batch",
    headers: {
      Authorization: "Basic AUTH",
      Accept: "*/*",
      "Content-Type": "application/json",
      "User-Agent": "analytics-php/3.8.2",
    },
    gzip: true,
    time: inSeconds,
    body: `{"batch":[{"userId":"u1","groupId":"acme","traits":{"plan":"pro"},"context":{"library":{"name":"analytics-php","version":"3.8.2","consumer":"LibCurl"}},"timestamp":"NOW","messageId":"ID","type":"group"},{"userId":"u1","traits":{"role":"admin"},"context":{"library":{"name":"analytics-php","version":"3.8.2","consumer":"LibCurl"}},"timestamp":"NOW","messageId":"ID","type":"identify"},{"userId":"u1","event":"Report Exported","properties":{"format":"pdf"},"timestamp":"PAST","context":{"library":{"name":"analytics-php","version":"3.8.2","consumer":"LibCurl"}},"messageId":"ID","type":"track"},{"userId":"u1","name":"Home","properties":{},"context":{"library":{"name":"analytics-php","version":"3.8.2","consumer":"LibCurl"}},"timestamp":"NOW","messageId":"ID","type":"page"}],"sentAt":"NOW"}`,
  },
  {
    library: "Java: analytics-java 3.5.5",
    path: "/v1/import/",
    headers: {
      Authorization: "Basic AUTH",
      "User-Agent": "analytics-java/3.5.5",
      "Content-Type": "application/json; charset=UTF-8",
      Connection: "Keep-Alive",
      "Accept-Encoding": "gzip",
    },
    time: iso,
    body: `{"batch":[{"type":"group","messageId":"ID","timestamp":"NOW","userId":"u1","integrations":{},"groupId":"acme","traits":{"plan":"pro"}},{"type":"identify","messageId":"ID","timestamp":"NOW","userId":"u1","integrations":{},"traits":{"role":"admin"}},{"type":"track","messageId":"ID","timestamp":"PAST","userId":"u1","integrations":{},"event":"Report Exported","properties":{"format":"pdf"}},{"type":"page","messageId":"ID","timestamp":"NOW","userId":"u1","integrations":{},"name":"Home"}],"sentAt":"NOW","context":{"library":{"name":"analytics-java","version":"3.5.5"}},"sequence":1,"writeKey":"KEY"}`,
  },
  {
    library: "Java: rudder-sdk-java 3.1.4, in chunks",
    path: "/v1/batch",
    headers: {
      Authorization: "Basic AUTH",
      "User-Agent": "analytics-java/3.1.4",
      "Content-Type": "application/json",
      Connection: "Keep-Alive",
      "Accept-Encoding": "gzip",
    },
    gzip: true,
    chunked: true,
    time: iso,
    body: `{"batch":[{"type":"group","messageId":"ID","channel":"server","timestamp":"NOW","context":{"library":{"name":"analytics-java","version":"3.1.4"}},"userId":"u1","integrations":{},"groupId":"acme","traits":{"plan":"pro"}},{"type":"identify","messageId":"ID","channel":"server","timestamp":"NOW","context":{"library":{"name":"analytics-java","version":"3.1.4"}},"userId":"u1","integrations":{},"traits":{"role":"admin"}},{"type":"track","messageId":"ID","channel":"server","timestamp":"PAST","context":{"library":{"name":"analytics-java","version":"3.1.4"}},"userId":"u1","integrations":{},"event":"Report Exported","properties":{"format":"pdf"}},{"type":"page","messageId":"ID","channel":"server","timestamp":"NOW","context":{"library":{"name":"analytics-java","version":"3.1.4"}},"userId":"u1","integrations":{},"name":"Home"}],"sentAt":"NOW","context":{"library":{"name":"analytics-java","version":"3.1.4"}},"sequence":1}`,
  },
];

/** Fills in a recording, for an event at a time of the past. */
export function replay(
  { headers, gzip = false, chunked = false, body, time }: Recording,
  { key, past }: { key: string; past: Date },
): { headers: Record<string, string>; bytes: Uint8Array } {
  const text = body
    .replaceAll("KEY", key)
    .replaceAll("NOW", time(new Date()))
    .replaceAll("PAST", time(past))
    .replaceAll(/\bID\b/g, () => crypto.randomUUID());
  const bytes = gzip ? gzipSync(text) : Buffer.from(text);
  const auth = Buffer.from(`${key}:`).toString("base64");
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace("AUTH", auth)]);
  return {
    headers: {
      ...Object.fromEntries(filled),
      ...(gzip && { "Content-Encoding": "gzip" }),
      ...(chunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": String(bytes.byteLength) }),
    },
    bytes: chunked ? Buffer.concat([chunk(bytes), chunk(new Uint8Array())]) : bytes,
  };
}
