/** Complete snippets that send a first event. Only the key may have to be filled in. */

/** The placeholder for the key, which only the page that creates it can show. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

/** @param origin of this service, as `https://ingest.example.com` */
type SnippetOf = (origin: string, key: string) => string;

export const curlSnippet: SnippetOf = (origin, key) =>
  `curl ${origin}/api/v1/events \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"accountId": "acme", "userId": "u1",
       "event": "report.exported"}'`;

export const segmentSnippet: SnippetOf = (origin, key) =>
  `import { Analytics } from "@segment/analytics-node";

const analytics = new Analytics({
  writeKey: "${key}",
  host: "${origin}",
});

analytics.group({ userId: "u1", groupId: "acme" });
analytics.track({ userId: "u1", event: "Report Exported" });

await analytics.closeAndFlush();`;

export const rudderSnippet: SnippetOf = (origin, key) =>
  `import Analytics from "@rudderstack/rudder-sdk-node";

const analytics = new Analytics("${key}", {
  dataPlaneUrl: "${origin}",
});

analytics.group({ userId: "u1", groupId: "acme" });
analytics.track({ userId: "u1", event: "Report Exported" });

await analytics.flush();`;

/** The settings of a Segment webhook destination. */
export const webhookUrl = (origin: string): string => `${origin}/api/v1/cdp`;
export const webhookHeader = (key: string): string => `Bearer ${key}`;
