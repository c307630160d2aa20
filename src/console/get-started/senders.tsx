/** The ways to send events, each with a complete snippet to copy. Only the key may have to be filled in. */
import type { FC } from "hono/jsx";

import { Card, Snippet } from "../components/elements.tsx";
import {
  browserSnippet,
  curlSnippet,
  KEY_PLACEHOLDER,
  pythonSnippet,
  rudderSnippet,
  segmentSnippet,
  type SnippetValues,
  webhookBody,
} from "./snippets.ts";

interface SendersProps {
  values: SnippetValues;
  /** Whether the key may only send events, so that a web page may show it. */
  isIngestKey: boolean;
}

export const Senders: FC<SendersProps> = ({ values, isIngestKey }) => (
  <div class="grid senders">
    <Card title="curl" lead="Send one event from a terminal. The account and the user are created automatically.">
      <Snippet text={curlSnippet(values)} label="Command: curl" />
      <p class="note">
        The response contains <code>"ok":true</code> once the event is stored.
      </p>
    </Card>
    <Card title="Python" lead="Without a library. Save it as first_event.py and run it.">
      <Snippet text={pythonSnippet(values)} label="Script: Python" />
    </Card>
    <Card title="Segment library for Node" lead={<Install packageName="@segment/analytics-node" />}>
      <Snippet text={segmentSnippet(values)} label="Script: @segment/analytics-node" />
    </Card>
    <Card title="RudderStack library for Node" lead={<Install packageName="@rudderstack/rudder-sdk-node" />}>
      <Snippet text={rudderSnippet(values)} label="Script: @rudderstack/rudder-sdk-node" />
    </Card>
    <Card title="Browser" lead="Without a library, from a script of your web app.">
      <Snippet
        text={browserSnippet(isIngestKey ? values : { ...values, key: KEY_PLACEHOLDER })}
        label="Script: browser"
      />
      <p class="note">
        Everybody who opens your app can read this key, and send events with it: use one with the scope “ingest” only. A
        key can’t be limited to the origin of your app, so prefer your servers where you can.
      </p>
    </Card>
    <Card title="Segment webhook destination" lead="Forward the events that your sources already send to Segment.">
      <p class="label">Webhook URL</p>
      <Snippet text={`${values.origin}/api/v1/cdp`} label="Setting: Webhook URL" />
      <p class="label">
        Header <code>Authorization</code>
      </p>
      <Snippet text={`Bearer ${values.key}`} label="Setting: Authorization header" />
      <p class="label">A group call that it understands</p>
      <Snippet text={webhookBody(values)} label="Body: group call" />
      <p class="note">
        Forward track, identify and group calls. If you can only set a user name and a password, use the key as the user
        name and leave the password empty.
      </p>
    </Card>
  </div>
);

const Install: FC<{ packageName: string }> = ({ packageName }) => (
  <>
    Run <code>npm install {packageName}</code>, then run this file as <code>first-event.mjs</code>.
  </>
);
