/** The status of the first event: waiting, rejected or arrived. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";

import type { FirstArrivals, StoredArrival } from "../../services/events.ts";
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
  if (rejected !== null) {
    const { path, reason, receivedAt } = rejected;
    return (
      <Box
        tone="watch"
        title={
          <>
            A message was rejected <Moment at={receivedAt} />
          </>
        }
      >
        <p>
          {path !== null && !reason.includes(path) && (
            <>
              <code>{path}</code>:{" "}
            </>
          )}
          {reason}
        </p>
        <p>
          Nothing is stored yet. See what the message contained on <a href={pathOf(workspace, "live")}>Live</a>. This
          page keeps waiting.
        </p>
      </Box>
    );
  }
  if (rejectedAs !== null) return <Counted code={rejectedAs} />;
  return (
    <Box tone="waiting" title="Waiting for your first event">
      <p class="muted">Use one of the snippets below. The event appears here within seconds.</p>
    </Box>
  );
};

const Box: FC<PropsWithChildren<{ tone: "good" | "watch" | "waiting"; title: Child }>> = ({
  tone,
  title,
  children,
}) => (
  <div class={`arrival stack ${tone}`}>
    <p>{title}</p>
    {children}
  </div>
);

const Arrived: FC<{ workspace: { id: string }; stored: StoredArrival }> = ({ workspace, stored }) => (
  <Box
    tone="good"
    title={
      <>
        {stored.stored === 1
          ? `Your first ${stored.event === null ? "message" : "event"} arrived: `
          : `${formatNumber(stored.stored)} messages have arrived. The newest: `}
        <strong>{describeArrival(stored)}</strong>, <Moment at={stored.receivedAt} />
      </>
    }
  >
    {stored.event === null && (
      <p>
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
  </Box>
);

/** `report.exported from acme`; only the event if its user was erased. */
function describeArrival({ type, event, account, user }: StoredArrival): string {
  const sender = account ?? user;
  return sender === null ? (event ?? type) : `${event ?? type} from ${truncate(sender)}`;
}

/** Rejects that are only counted: client libraries send floods of them. */
const Counted: FC<{ code: string }> = ({ code }) => (
  <Box tone="watch" title="A message was rejected">
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
    <p>Nothing is stored yet. This page keeps waiting.</p>
  </Box>
);
