/** The status of the first event: waiting, rejected or arrived. */
import type { FC } from "hono/jsx";

import type { FirstArrivals, NewestReject, StoredArrival } from "../../services/events.ts";
import { Moment } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

interface ArrivalProps {
  workspace: { id: string };
  arrivals: FirstArrivals;
}

const REFRESH_SECONDS = 2;

/** Refreshes itself until a message is stored. */
export const Arrival: FC<ArrivalProps> = (props) => (
  <div
    id="arrival"
    {...(props.arrivals.stored === null && { "data-refresh": REFRESH_SECONDS })}
    data-source={pathOf(props.workspace, "start")}
    aria-live="polite"
  >
    <Status {...props} />
  </div>
);

const Status: FC<ArrivalProps> = ({ workspace, arrivals: { stored, rejected, rejectedAs } }) => {
  if (stored !== null) return <Arrived {...{ workspace, stored }} />;
  if (rejected !== null) return <Rejected {...{ workspace, rejected }} />;
  if (rejectedAs !== null) return <Counted code={rejectedAs} />;
  return (
    <div class="arrival waiting stack">
      <p>Waiting for your first event</p>
      <p class="muted">Use one of the snippets below. The event appears here within seconds.</p>
    </div>
  );
};

const Arrived: FC<{ workspace: { id: string }; stored: StoredArrival }> = ({ workspace, stored }) => (
  <div class="arrival good stack">
    <p>
      {stored.stored === 1
        ? `Your first ${stored.event === null ? "message" : "event"} arrived: `
        : `${formatNumber(stored.stored)} messages have arrived. The newest: `}
      <strong>{describeArrival(stored)}</strong>, <Moment at={stored.receivedAt} />
    </p>
    {stored.event === null && (
      <p>
        This message describes a user or an account. Send <code>track</code> messages to record what users do.
      </p>
    )}
    <p class="cluster">
      <a class="button primary" href={pathOf(workspace, "live")}>
        View live events
      </a>
      <a class="button" href={pathOf(workspace, "accounts")}>
        View accounts
      </a>
    </p>
  </div>
);

/** `report.exported from acme`; only the event if its user was erased. */
function describeArrival({ type, event, account, user }: StoredArrival): string {
  const sender = account ?? user;
  return sender === null ? (event ?? type) : `${event ?? type} from ${truncate(sender)}`;
}

type RejectedProps = { workspace: { id: string }; rejected: NewestReject };

const Rejected: FC<RejectedProps> = ({ workspace, rejected: { path, reason, receivedAt } }) => (
  <div class="arrival watch stack">
    <p>
      A message was rejected <Moment at={receivedAt} />
    </p>
    <p>
      {path !== null && !reason.includes(path) && (
        <>
          <code>{path}</code>:{" "}
        </>
      )}
      {reason}
    </p>
    <p>
      Nothing is stored yet. See what the message contained on <a href={pathOf(workspace, "live")}>Live</a>. This page
      keeps waiting.
    </p>
  </div>
);

/** Rejects that are only counted: client libraries send floods of them. */
const Counted: FC<{ code: string }> = ({ code }) => (
  <div class="arrival watch stack">
    <p>A message was rejected</p>
    {code === "unsupported_type" ? (
      <p>
        Its type is not supported. Send <code>track</code>, <code>identify</code> or <code>group</code>.
      </p>
    ) : (
      <p>
        It names no user and no account. Add a <code>userId</code> or an account.
      </p>
    )}
    <p>Nothing is stored yet. This page keeps waiting.</p>
  </div>
);
