/** Ways to send, each with what to paste. */
import type { FC } from "hono/jsx";

import { Card, Snippet } from "../components/elements.tsx";
import { curlSnippet, rudderSnippet, segmentSnippet, webhookHeader, webhookUrl } from "./snippets.ts";

/** @param apiKey the key, or what stands in its place */
export const Senders: FC<{ origin: string; apiKey: string }> = ({ origin, apiKey }) => (
  <div class="senders">
    <Card title="curl" lead="One event, from a terminal. The account and the user are made as they are named.">
      <Snippet text={curlSnippet(origin, apiKey)} label="Command: curl" />
      <p class="note">
        The answer <code>"ok":true</code> means that it is stored.
      </p>
    </Card>
    <Card title="Segment’s webhook destination" lead="Forwards what your sources send to Segment already.">
      <p class="label">Webhook URL</p>
      <Snippet text={webhookUrl(origin)} label="Setting: Webhook URL" />
      <p class="label">
        Header <code>Authorization</code>
      </p>
      <Snippet text={webhookHeader(apiKey)} label="Setting: Authorization header" />
      <p class="note">
        Let it forward track, identify and group. Where only a user name and a password can be set, the key is the user
        name, and the password stays empty.
      </p>
    </Card>
    <Card
      title="Segment’s library for Node"
      lead={
        <>
          <code>npm install @segment/analytics-node</code>, then run this as <code>first-event.mjs</code>.
        </>
      }
    >
      <Snippet text={segmentSnippet(origin, apiKey)} label="Script: @segment/analytics-node" />
    </Card>
    <Card
      title="RudderStack’s library for Node"
      lead={
        <>
          <code>npm install @rudderstack/rudder-sdk-node</code>, then run this as <code>first-event.mjs</code>.
        </>
      }
    >
      <Snippet text={rudderSnippet(origin, apiKey)} label="Script: @rudderstack/rudder-sdk-node" />
    </Card>
  </div>
);
