/** Stored messages, each with details on how its name, account and time were determined. */
import type { FC } from "hono/jsx";

import { ERASED_NAME } from "../../core/erased-name.ts";
import { explainMapping } from "../../core/ingest/explain-mapping.ts";
import type { Arrival } from "../../services/events.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Badge, Empty } from "../components/elements.tsx";
import { takeBytes } from "../components/take-bytes.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";
import { Fact, MessageHead, Payload } from "./message-parts.tsx";

/** Keeps the page small: long messages leave room for fewer of them. */
const MAX_BYTES = 32_000;

export const Arrivals: FC<{ workspace: OpenWorkspace; messages: Arrival[]; now: number }> = (props) =>
  props.messages.length === 0 ? (
    <Empty title="No messages yet">
      <p>
        <a href={pathOf(props.workspace, "start")}>Send a first event</a>. It appears here within seconds.
      </p>
    </Empty>
  ) : (
    <ol class="messages">
      {takeBytes(
        props.messages.map((message) => (
          <StoredMessage workspace={props.workspace} message={message} now={props.now} />
        )),
        MAX_BYTES,
      )}
    </ol>
  );

const StoredMessage: FC<{ workspace: OpenWorkspace; message: Arrival; now: number }> = (props) => {
  const { workspace, message, now } = props;
  const { type, event, source, account, user, messageId } = message;
  const mapping = explainMapping(message);
  const time = `${new Date(message.occurredAt).toISOString()}: ${mapping.time}`;
  return (
    <li id={`message-${message.seq}`}>
      <MessageHead name={event ?? type} receivedAt={message.receivedAt} now={now}>
        {event === null || type !== "track" ? <Badge tone="accent">{type}</Badge> : <></>}
      </MessageHead>
      <p class="note">
        {account === null ? (
          "no account yet"
        ) : (
          <a href={pathOf(workspace, "accounts", account.id)}>{truncate(account.externalId ?? ERASED_NAME)}</a>
        )}
        {user !== null && <> · {truncate(user.externalId ?? ERASED_NAME)}</>}
      </p>
      <details>
        <summary>Processing details</summary>
        <dl class="facts">
          <Fact name="Name" value={mapping.name} />
          <Fact name="Account" value={mapping.account} />
          <Fact name="Time" value={time} />
          <Fact
            name="Message"
            value={`${messageId}, ${source === "native" ? "native event" : "from a customer data platform"}`}
          />
        </dl>
        <Payload name="Properties" value={message.properties} />
      </details>
    </li>
  );
};
