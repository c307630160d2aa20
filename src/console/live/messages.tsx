/** Stored and rejected messages, with details on how they were processed and what was kept of them. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";

import { ERASED_NAME } from "../../core/erased-name.ts";
import { explainMapping } from "../../core/ingest/explain-mapping.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Arrival } from "../../db/events/arrivals.ts";
import type { RejectedArrival } from "../../db/events/rejections.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Empty, Detail, Moment } from "../components/elements.tsx";
import { takeBytes, truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";

/** Keep the page small: long messages leave room for fewer of them. */
const MAX_STORED_BYTES = 32_000;
const MAX_REJECTED_BYTES = 24_000;
const MAX_DETAIL_CHARACTERS = 300;
const MAX_PAYLOAD_CHARACTERS = 400;

interface ArrivalsProps {
  workspace: OpenWorkspace;
  messages: Arrival[];
  archivedUntil: number | null;
}

export const Arrivals: FC<ArrivalsProps> = ({ workspace, messages, archivedUntil }) =>
  messages.length === 0 ? (
    <Empty title={archivedUntil === null ? "No messages yet" : "No recent messages"}>
      <p>
        <a href={pathOf(workspace, "start")}>Send an event</a>. It appears here within seconds.
      </p>
    </Empty>
  ) : (
    <ol class="messages">
      {takeBytes(
        messages.map((message) => <StoredMessage {...{ workspace, message }} />),
        MAX_STORED_BYTES,
      )}
    </ol>
  );

export const Rejects: FC<{ rejections: RejectedArrival[] }> = ({ rejections }) =>
  rejections.length === 0 ? (
    <Empty title="No rejected messages to show">
      <p>Invalid messages appear here with the field that is wrong.</p>
    </Empty>
  ) : (
    <ol class="messages">
      {takeBytes(
        rejections.map((rejection) => <RejectedMessage rejection={rejection} />),
        MAX_REJECTED_BYTES,
      )}
    </ol>
  );

const StoredMessage: FC<{ workspace: OpenWorkspace; message: Arrival }> = ({ workspace, message }) => {
  const { type, event, source, account, user, messageId, occurredAt } = message;
  const mapping = explainMapping(message);
  return (
    <Message
      id={`message-${message.seq}`}
      name={event ?? type}
      badge={(event === null || type !== "track") && <Badge tone="accent">{type}</Badge>}
      receivedAt={message.receivedAt}
      summary="Processing details"
      details={{
        Name: mapping.name,
        Account: mapping.account,
        Time: `${new Date(occurredAt).toISOString()}: ${mapping.time}`,
        Message: `${messageId}, ${source === "native" ? "native event" : "from a customer data platform"}`,
      }}
      payloads={{ Properties: message.properties }}
    >
      <p class="note">
        {account === null ? (
          "no account yet"
        ) : (
          <a href={pathOf(workspace, "accounts", account.id)}>{truncate(account.externalId ?? ERASED_NAME)}</a>
        )}
        {user !== null && <> · {truncate(user.externalId ?? ERASED_NAME)}</>}
      </p>
    </Message>
  );
};

/** Says why a message was rejected, with the field that is wrong. */
export const rejectionText = ({ path, reason }: RejectedArrival): string =>
  truncate(path === null || reason.startsWith(path) ? reason : `${path}: ${reason}`, MAX_DETAIL_CHARACTERS);

const RejectedMessage: FC<{ rejection: RejectedArrival }> = ({ rejection }) => {
  const { event, type, code, properties, traits } = rejection;
  return (
    <Message
      id={`reject-${rejection.seq}`}
      name={event ?? type ?? "message"}
      badge={<Badge tone="bad">{code.replaceAll("_", " ")}</Badge>}
      receivedAt={rejection.receivedAt}
      summary="Payload"
      details={{
        Type: type,
        Account: rejection.accountId,
        User: rejection.userId,
        Message: rejection.messageId,
      }}
      payloads={{ Properties: properties, Traits: traits }}
    >
      <p>{rejectionText(rejection)}</p>
    </Message>
  );
};

type MessageProps = PropsWithChildren<{
  id: string;
  name: string;
  badge: Child;
  receivedAt: number;
  summary: string;
  details: Record<string, string | null>;
  payloads: Record<string, JsonObject | null>;
}>;

const Message: FC<MessageProps> = ({ id, name, badge, receivedAt, summary, details, payloads, children }) => (
  <li id={id}>
    <div class="cluster">
      <strong>{truncate(name)}</strong>
      {badge}
      <span class="spring" />
      <span class="note">
        <Moment at={receivedAt} />
      </span>
    </div>
    {children}
    <details>
      <summary>{summary}</summary>
      <dl class="details">
        {Object.entries(details).map(
          ([label, value]) => value !== null && <Detail name={label}>{truncate(value, MAX_DETAIL_CHARACTERS)}</Detail>,
        )}
      </dl>
      {Object.entries(payloads).map(
        ([payload, value]) =>
          Object.keys(value ?? {}).length > 0 && (
            <pre class="payload" tabindex={0} aria-label={payload}>
              {truncate(JSON.stringify(value, null, 2), MAX_PAYLOAD_CHARACTERS)}
            </pre>
          ),
      )}
    </details>
  </li>
);
