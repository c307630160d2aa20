/** The ways to send events, each with a snippet to copy. */
import type { FC } from "hono/jsx";

import { Card, Snippet } from "../components/elements.tsx";
import { curlSnippet, rudderSnippet, segmentSnippet, webhookHeader, webhookUrl } from "./snippets.ts";

/** @param apiKey the key, or a placeholder */
export const Senders: FC<{ origin: string; apiKey: string }> = ({ origin, apiKey }) => (
  <div class="senders">
    <Card title="curl" lead="Send one event from a terminal. The account and the user are created automatically.">
      <Snippet text={curlSnippet(origin, apiKey)} label="Command: curl" />
      <p class="note">
        The response contains <code>"ok":true</code> once the event is stored.
      </p>
    </Card>
    <Card title="Segment webhook destination" lead="Forward the events that your sources already send to Segment.">
      <p class="label">Webhook URL</p>
      <Snippet text={webhookUrl(origin)} label="Setting: Webhook URL" />
      <p class="label">
        Header <code>Authorization</code>
      </p>
      <Snippet text={webhookHeader(apiKey)} label="Setting: Authorization header" />
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
