/** The status of the first event: waiting, rejected or arrived. */
import type { FC } from "hono/jsx";

import type { Arrival as StoredMessage, NewestArrivals, RejectedArrival } from "../../services/events.ts";
import { Moment } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

interface ArrivalProps {
  workspace: { id: string };
  arrivals: NewestArrivals;
}

const REFRESH_SECONDS = 2;

/** Refreshes itself until a message is stored. */
export const Arrival: FC<ArrivalProps> = (props) => (
  <div
    id="arrival"
    {...(props.arrivals.messages.length === 0 && { "data-refresh": REFRESH_SECONDS })}
    data-source={pathOf(props.workspace, "start")}
    aria-live="polite"
  >
    <Status {...props} />
  </div>
);

const Status: FC<ArrivalProps> = ({ workspace, arrivals }) => {
  const {
    messages: [newest],
    rejections: [rejected],
    stored,
    archivedUntil,
    rejectedAs,
  } = arrivals;
  if (newest !== undefined) return <Arrived {...{ workspace, newest, stored }} />;
  if (rejected !== undefined) return <Rejected {...{ workspace, rejected }} />;
  if (rejectedAs !== null) return <Counted code={rejectedAs} />;
  return (
    <div class="arrival waiting stack">
      <p>Waiting for {archivedUntil === null ? "your first" : "a new"} event</p>
      <p class="muted">Use one of the snippets below. The event appears here within seconds.</p>
    </div>
  );
};

type ArrivedProps = { workspace: { id: string }; newest: StoredMessage; stored: number };

const Arrived: FC<ArrivedProps> = ({ workspace, newest, stored }) => (
  <div class="arrival good stack">
    <p>
      {stored === 1
        ? `Your first ${newest.event === null ? "message" : "event"} arrived: `
        : `${formatNumber(stored)} messages have arrived. The newest: `}
      <strong>{describeArrival(newest)}</strong>, <Moment at={newest.receivedAt} />
    </p>
    {newest.event === null && (
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
function describeArrival({ type, event, account, user }: StoredMessage): string {
  const sender = account?.externalId ?? user?.externalId ?? null;
  return sender === null ? (event ?? type) : `${event ?? type} from ${truncate(sender)}`;
}

type RejectedProps = { workspace: { id: string }; rejected: RejectedArrival };

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
