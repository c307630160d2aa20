/** The ways to send events, each with a complete snippet to copy. Only the key may have to be filled in. */
import type { FC } from "hono/jsx";

import { Card, Snippet } from "../components/elements.tsx";
import {
  analyticsJsSnippet,
  curlSnippet,
  KEY_PLACEHOLDER,
  pythonSnippet,
  rudderBrowserSnippet,
  rudderSnippet,
  SECRET_PLACEHOLDER,
  segmentSnippet,
  type SnippetValues,
  webhookBody,
} from "./snippets.ts";

/** A key on the only page that shows it, and where it may be used: with all scopes only on servers. */
export interface NewKey {
  value: string;
  use: "all" | "servers" | "pages" | "segment";
  signingSecret?: string | null;
}

interface SendersProps {
  values: SnippetValues;
  newKey: NewKey | undefined;
}

export const Senders: FC<SendersProps> = ({ values: common, newKey }) => {
  const keyFor = (...uses: NewKey["use"][]) =>
    newKey !== undefined && uses.includes(newKey.use) ? newKey.value : KEY_PLACEHOLDER;
  const values = { ...common, key: keyFor("all", "servers") };
  const forPages = { ...common, key: keyFor("pages") };
  return (
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
      <Card title="Segment library for web pages" lead={<InPage packageName="@segment/analytics-next" />}>
        <Snippet text={analyticsJsSnippet(forPages)} label="Script: @segment/analytics-next" />
        <PageNote />
      </Card>
      <Card title="RudderStack library for web pages" lead={<InPage packageName="@rudderstack/analytics-js" />}>
        <Snippet text={rudderBrowserSnippet(forPages)} label="Script: @rudderstack/analytics-js" />
        <PageNote />
      </Card>
      <Card title="Segment webhook destination" lead="Forward the events that your sources already send to Segment.">
        <p class="label">Webhook URL</p>
        <Snippet text={`${values.origin}/api/v1/cdp`} label="Setting: Webhook URL" />
        <p class="label">
          Header <code>Authorization</code>
        </p>
        <Snippet text={`Bearer ${keyFor("segment", "all", "servers")}`} label="Setting: Authorization header" />
        <p class="label">Shared secret, with a key for signed requests</p>
        <Snippet text={newKey?.signingSecret ?? SECRET_PLACEHOLDER} label="Setting: Shared Secret" />
        <p class="note">
          With a shared secret, also switch on the setting that sends the signature as <code>X-Segment-Signature</code>:
          it covers whole batches. Set the batch size to at most 1,000.
        </p>
        <p class="label">A group call that it understands</p>
        <Snippet text={webhookBody(values)} label="Body: group call" />
        <p class="note">
          Forward track, identify and group calls. If you can only set a user name and a password, use the key as the
          user name and leave the password empty.
        </p>
      </Card>
    </div>
  );
};

const InPage: FC<{ packageName: string }> = ({ packageName }) => (
  <>
    Run <code>npm install {packageName}</code>, and add this to a script of your web app.
  </>
);

const PageNote: FC = () => (
  <p class="note">
    Needs a key for web pages. Everybody who opens your app can read it, so it only sends events, from pages of its
    origins. Before <code>identify</code>, its events count for the account without a user. Without an account, they
    aren’t stored.
  </p>
);

const Install: FC<{ packageName: string }> = ({ packageName }) => (
  <>
    Run <code>npm install {packageName}</code>, then run this file as <code>first-event.mjs</code>.
  </>
);
