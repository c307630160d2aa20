/** The status of the first event: waiting, rejected or arrived. */
import type { FC } from "hono/jsx";

import type { Arrival, NewestArrivals } from "../../db/events/arrivals.ts";
import { Moment } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { rejectionText } from "../live/log-details.tsx";
import { pathOf } from "../paths.ts";

interface ArrivalProps {
  workspace: { id: string };
  arrivals: NewestArrivals;
}

const REFRESH_SECONDS = 2;

/** Refreshes itself until a message is stored. */
export const FirstArrival: FC<ArrivalProps> = (props) => (
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
  const { messages, rejections, stored, archivedUntil, rejectedAs } = arrivals;
  const [newest] = messages;
  const [rejected] = rejections;
  if (newest !== undefined) return <Arrived {...{ workspace, newest, stored }} />;
  if (rejected === undefined && rejectedAs === null) {
    return (
      <div class="arrival waiting stack">
        <p>Waiting for {archivedUntil === null ? "your first" : "a new"} event</p>
        <p class="muted">Use one of the snippets below. The event appears here within seconds.</p>
        <noscript>If JavaScript is off, reload this page to see it.</noscript>
      </div>
    );
  }
  return (
    <div class="arrival watch stack">
      <p>A message was rejected {rejected !== undefined && <Moment at={rejected.receivedAt} />}</p>
      <p>{rejected === undefined ? countedReason(rejectedAs) : rejectionText(rejected)}</p>
      <p>
        Nothing is stored yet.{" "}
        {rejected !== undefined && (
          <>
            See what the message contained on <a href={pathOf(workspace, "live")}>Live</a>.{" "}
          </>
        )}
        This page keeps waiting.
      </p>
    </div>
  );
};

/** Explains rejects that are only counted: client libraries send floods of them. */
const countedReason = (code: string | null): string =>
  code === "unsupported_type"
    ? "Its type is not supported. Send track, identify or group."
    : "It names no user and no account. Add a userId or an account.";

type ArrivedProps = { workspace: { id: string }; newest: Arrival; stored: number };

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
function describeArrival({ type, event, account, user }: Arrival): string {
  const sender = account?.externalId ?? user?.externalId ?? null;
  return sender === null ? (event ?? type) : `${event ?? type} from ${truncate(sender)}`;
}
