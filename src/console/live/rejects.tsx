/** Messages that were not stored: what was wrong, where, and what could be kept of them. */
import type { FC } from "hono/jsx";

import type { RejectedArrival } from "../../services/events.ts";
import { fitting } from "../components/take-bytes.ts";
import { Badge, Empty, Moment } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { Fact } from "./arrivals.tsx";
import { Properties } from "./properties.tsx";

/** The page stays small, whatever was sent: of rejects that have much to tell, the newest are shown. */
const MAX_BYTES = 24_000;
const MAX_REASON_CHARACTERS = 300;

export const Rejects: FC<{ rejections: RejectedArrival[]; now: number }> = ({ rejections, now }) =>
  rejections.length === 0 ? (
    <Empty title="Nothing was rejected">
      <p>What is not valid shows here, with the field that was wrong.</p>
    </Empty>
  ) : (
    <ol class="arrivals">
      {fitting(
        rejections.map((rejection) => <Reject rejection={rejection} now={now} />),
        MAX_BYTES,
      )}
    </ol>
  );

const Reject: FC<{ rejection: RejectedArrival; now: number }> = ({ rejection, now }) => {
  const { event, type, code, reason, path, messageId, userId, accountId, properties, traits } = rejection;
  return (
    <li id={`reject-${rejection.seq}`}>
      <div class="arrival-line">
        <strong>{shortened(event ?? type ?? "message")}</strong>
        <Badge tone="bad">{code.replaceAll("_", " ")}</Badge>
        <span class="spring" />
        <span class="note">
          <Moment at={rejection.receivedAt} now={now} />
        </span>
      </div>
      <p>
        {shortened(path === null || reason.startsWith(path) ? reason : `${path}: ${reason}`, MAX_REASON_CHARACTERS)}
      </p>
      <details>
        <summary>What was kept</summary>
        <dl class="facts">
          {type !== null && <Fact name="Type" value={type} />}
          {accountId !== null && <Fact name="Account" value={accountId} />}
          {userId !== null && <Fact name="User" value={userId} />}
          {messageId !== null && <Fact name="Message" value={messageId} />}
        </dl>
        <Properties of="properties" value={properties} />
        <Properties of="traits" value={traits} />
      </details>
    </li>
  );
};
