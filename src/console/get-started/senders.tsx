/** The ways to send events, each with a complete snippet to copy. Only the key may have to be filled in. */
import type { FC } from "hono/jsx";

import { Card, Snippet } from "../components/elements.tsx";

/** The placeholder for the key, which only the page that creates it can show. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

/** @param apiKey the key, or a placeholder */
export const Senders: FC<{ origin: string; apiKey: string }> = ({ origin, apiKey }) => (
  <div class="grid senders">
    <Card title="curl" lead="Send one event from a terminal. The account and the user are created automatically.">
      <Snippet text={curlSnippet(origin, apiKey)} label="Command: curl" />
      <p class="note">
        The response contains <code>"ok":true</code> once the event is stored.
      </p>
    </Card>
    <Card title="Segment webhook destination" lead="Forward the events that your sources already send to Segment.">
      <p class="label">Webhook URL</p>
      <Snippet text={`${origin}/api/v1/cdp`} label="Setting: Webhook URL" />
      <p class="label">
        Header <code>Authorization</code>
      </p>
      <Snippet text={`Bearer ${apiKey}`} label="Setting: Authorization header" />
      <p class="note">
        Forward track, identify and group calls. If you can only set a user name and a password, use the key as the user
        name and leave the password empty.
      </p>
    </Card>
    <Card title="Segment library for Node" lead={<Install packageName="@segment/analytics-node" />}>
      <Snippet text={segmentSnippet(origin, apiKey)} label="Script: @segment/analytics-node" />
    </Card>
    <Card title="RudderStack library for Node" lead={<Install packageName="@rudderstack/rudder-sdk-node" />}>
      <Snippet text={rudderSnippet(origin, apiKey)} label="Script: @rudderstack/rudder-sdk-node" />
    </Card>
  </div>
);

const Install: FC<{ packageName: string }> = ({ packageName }) => (
  <>
    Run <code>npm install {packageName}</code>, then run this file as <code>first-event.mjs</code>.
  </>
);

/** @param origin of this service, as `https://ingest.example.com` */
type SnippetOf = (origin: string, key: string) => string;

const curlSnippet: SnippetOf = (origin, key) =>
  `curl ${origin}/api/v1/events \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"accountId": "acme", "userId": "u1",
       "event": "report.exported"}'`;

const segmentSnippet: SnippetOf = (origin, key) =>
  `import { Analytics } from "@segment/analytics-node";

const analytics = new Analytics({
  writeKey: "${key}",
  host: "${origin}",
});

analytics.group({ userId: "u1", groupId: "acme" });
analytics.track({ userId: "u1", event: "Report Exported" });

await analytics.closeAndFlush();`;

const rudderSnippet: SnippetOf = (origin, key) =>
  `import Analytics from "@rudderstack/rudder-sdk-node";

const analytics = new Analytics("${key}", {
  dataPlaneUrl: "${origin}",
});

analytics.group({ userId: "u1", groupId: "acme" });
analytics.track({ userId: "u1", event: "Report Exported" });

await analytics.flush();`;
