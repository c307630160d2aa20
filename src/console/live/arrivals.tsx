/** Stored messages, each with how it came to its name, its account and its time. */
import type { FC } from "hono/jsx";

import { ERASED_NAME } from "../../core/erased-name.ts";
import { explainMapping } from "../../core/ingest/explain-mapping.ts";
import type { Arrival } from "../../services/events.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { fitting } from "../components/take-bytes.ts";
import { Badge, Empty, Moment } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { Properties } from "./properties.tsx";

/** The page stays small, whatever was sent: of messages that have much to tell, the newest are shown. */
const MAX_BYTES = 32_000;
/** More of a sentence, or of an id, than anybody reads in a list. */
const MAX_FACT_CHARACTERS = 300;

export const Arrivals: FC<{ workspace: OpenWorkspace; messages: Arrival[]; now: number }> = (props) =>
  props.messages.length === 0 ? (
    <Empty title="Nothing has come in yet">
      <p>
        <a href={pathOf(props.workspace, "start")}>Send a first event</a>, and it shows here within seconds.
      </p>
    </Empty>
  ) : (
    <ol class="arrivals">
      {fitting(
        props.messages.map((message) => <Message workspace={props.workspace} message={message} now={props.now} />),
        MAX_BYTES,
      )}
    </ol>
  );

const Message: FC<{ workspace: OpenWorkspace; message: Arrival; now: number }> = ({ workspace, message, now }) => {
  const { type, event, source, account, user, messageId } = message;
  const { name, account: why, time } = explainMapping(message);
  return (
    <li id={`message-${message.seq}`}>
      <div class="arrival-line">
        <strong>{shortened(event ?? type)}</strong>
        {event === null || type !== "track" ? <Badge tone="accent">{type}</Badge> : <></>}
        <span class="spring" />
        <span class="note">
          <Moment at={message.receivedAt} now={now} />
        </span>
      </div>
      <p class="note">
        {account === null ? (
          "no account yet"
        ) : (
          <a href={pathOf(workspace, "accounts", account.id)}>{calledOf(account)}</a>
        )}
        {user !== null && <> · {calledOf(user)}</>}
      </p>
      <details>
        <summary>How it was taken</summary>
        <dl class="facts">
          {name !== null && <Fact name="Name" value={name} />}
          <Fact name="Account" value={why} />
          <Fact name="Time" value={`${new Date(message.occurredAt).toISOString()}: ${time}`} />
          <Fact
            name="Message"
            value={`${messageId}, ${source === "native" ? "a native capture" : "by the CDP path"}`}
          />
        </dl>
        <Properties of="properties" value={message.properties} />
      </details>
    </li>
  );
};

const calledOf = ({ externalId }: { externalId: string | null }): string =>
  externalId === null ? ERASED_NAME : shortened(externalId);

export const Fact: FC<{ name: string; value: string }> = ({ name, value }) => (
  <>
    <dt>{name}</dt>
    <dd>{shortened(value, MAX_FACT_CHARACTERS)}</dd>
  </>
);
