/** Rejected messages, each with the reason, the invalid field and what was kept of it. */
import type { FC } from "hono/jsx";

import type { RejectedArrival } from "../../services/events.ts";
import { Badge, Empty } from "../components/elements.tsx";
import { takeBytes } from "../components/take-bytes.ts";
import { truncate } from "../components/truncate.ts";
import { Fact, MessageHead, Payload } from "./message-parts.tsx";

/** Keeps the page small: long messages leave room for fewer of them. */
const MAX_BYTES = 24_000;
const MAX_REASON_CHARACTERS = 300;

export const Rejects: FC<{ rejections: RejectedArrival[]; now: number }> = ({ rejections, now }) =>
  rejections.length === 0 ? (
    <Empty title="No rejected messages to show">
      <p>Invalid messages appear here with the field that is wrong.</p>
    </Empty>
  ) : (
    <ol class="messages">
      {takeBytes(
        rejections.map((rejection) => <RejectedMessage rejection={rejection} now={now} />),
        MAX_BYTES,
      )}
    </ol>
  );

const RejectedMessage: FC<{ rejection: RejectedArrival; now: number }> = ({ rejection, now }) => {
  const { event, type, code, reason, path, messageId, userId, accountId, properties, traits } = rejection;
  return (
    <li id={`reject-${rejection.seq}`}>
      <MessageHead name={event ?? type ?? "message"} receivedAt={rejection.receivedAt} now={now}>
        <Badge tone="bad">{code.replaceAll("_", " ")}</Badge>
      </MessageHead>
      <p>{truncate(path === null || reason.startsWith(path) ? reason : `${path}: ${reason}`, MAX_REASON_CHARACTERS)}</p>
      <details>
        <summary>Payload</summary>
        <dl class="facts">
          <Fact name="Type" value={type} />
          <Fact name="Account" value={accountId} />
          <Fact name="User" value={userId} />
          <Fact name="Message" value={messageId} />
        </dl>
        <Payload name="Properties" value={properties} />
        <Payload name="Traits" value={traits} />
      </details>
    </li>
  );
};
