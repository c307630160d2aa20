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
  now: number;
}

const REFRESH_SECONDS = 2;
export const NOTHING_YET: FirstArrivals = { stored: null, rejected: null, rejectedAs: null };

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

const Status: FC<ArrivalProps> = ({ workspace, arrivals: { stored, rejected, rejectedAs }, now }) => {
  if (stored !== null) return <Arrived workspace={workspace} stored={stored} now={now} />;
  if (rejected !== null) return <Rejected workspace={workspace} rejected={rejected} now={now} />;
  if (rejectedAs !== null) return <Counted code={rejectedAs} />;
  return (
    <div class="arrival waiting">
      <p class="arrival-title">Waiting for your first event</p>
      <p class="muted">Use one of the snippets below. The event appears here within seconds.</p>
    </div>
  );
};

const Arrived: FC<{ workspace: { id: string }; stored: StoredArrival; now: number }> = ({ workspace, stored, now }) => (
  <div class="arrival arrived">
    <p class="arrival-title">
      {stored.stored === 1
        ? `Your first ${stored.event === null ? "message" : "event"} arrived: `
        : `${formatNumber(stored.stored)} messages have arrived. The newest: `}
      <strong>{describeArrival(stored)}</strong>, <Moment at={stored.receivedAt} now={now} />
    </p>
    {stored.event === null && (
      <p class="muted">
        This message describes a user or an account. Send <code>track</code> messages to record what users do.
      </p>
    )}
    <p class="row">
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

const Rejected: FC<{ workspace: { id: string }; rejected: NewestReject; now: number }> = (props) => (
  <div class="arrival rejected">
    <p class="arrival-title">
      A message was rejected <Moment at={props.rejected.receivedAt} now={props.now} />
    </p>
    <p>
      {props.rejected.path !== null && !props.rejected.reason.includes(props.rejected.path) && (
        <>
          <code>{props.rejected.path}</code>:{" "}
        </>
      )}
      {props.rejected.reason}
    </p>
    <p class="muted">
      Nothing is stored yet. See what the message contained on <a href={pathOf(props.workspace, "live")}>Live</a>. This
      page keeps waiting.
    </p>
  </div>
);

/** Rejects that are only counted: client libraries send floods of them. */
const Counted: FC<{ code: string }> = ({ code }) => (
  <div class="arrival rejected">
    <p class="arrival-title">A message was rejected</p>
    <p>
      {code === "unsupported_type" ? (
        <>
          Its type is not supported. Send <code>track</code>, <code>identify</code> or <code>group</code>.
        </>
      ) : (
        <>
          It names no user and no account. Add a <code>userId</code> or an account.
        </>
      )}
    </p>
    <p class="muted">Nothing is stored yet. This page keeps waiting.</p>
  </div>
);
