/** Whether anything has come in yet: waiting, rejected, or here. */
import type { FC } from "hono/jsx";

import type { FirstArrivals, NewestReject, StoredArrival } from "../../services/events.ts";
import { pathOf } from "../session/context.ts";
import { amount, Moment } from "../components/elements.tsx";

interface ArrivalProps {
  workspace: { id: string };
  arrivals: FirstArrivals;
  now: number;
}

const REFRESH_SECONDS = 2;
export const NOTHING_YET: FirstArrivals = { stored: null, rejected: null, rejectedAs: null };

/** It shows what comes by itself, until something is stored. */
export const Arrival: FC<ArrivalProps> = (props) => (
  <div
    id="arrival"
    {...(props.arrivals.stored === null && { "data-refresh": REFRESH_SECONDS })}
    data-source={pathOf(props.workspace, "start")}
    aria-live="polite"
  >
    <Told {...props} />
  </div>
);

const Told: FC<ArrivalProps> = ({ workspace, arrivals: { stored, rejected, rejectedAs }, now }) => {
  if (stored !== null) return <Arrived workspace={workspace} stored={stored} now={now} />;
  if (rejected !== null) return <Rejected workspace={workspace} rejected={rejected} now={now} />;
  if (rejectedAs !== null) return <Counted code={rejectedAs} />;
  return (
    <div class="arrival waiting">
      <p class="arrival-title">Waiting for your first event</p>
      <p class="muted">Paste one of the snippets below. It shows here within seconds.</p>
    </div>
  );
};

const Arrived: FC<{ workspace: { id: string }; stored: StoredArrival; now: number }> = ({ workspace, stored, now }) => (
  <div class="arrival arrived">
    <p class="arrival-title">
      {stored.stored === 1
        ? `Your first ${stored.event === null ? "message" : "event"} arrived: `
        : `${amount(stored.stored)} messages have arrived. The newest: `}
      <strong>{named(stored)}</strong>, <Moment at={stored.receivedAt} now={now} />
    </p>
    {stored.event === null && (
      <p class="muted">
        It tells who somebody is. What people do comes with <code>track</code>.
      </p>
    )}
    <p class="row">
      <a class="button primary" href={pathOf(workspace, "live")}>
        See what arrives
      </a>
      <a class="button" href={pathOf(workspace, "accounts")}>
        See the accounts
      </a>
    </p>
  </div>
);

/** `report.exported of acme`; of somebody who was erased, and of nobody, only what it was. */
function named({ type, event, account, user }: StoredArrival): string {
  const whose = account ?? user;
  return whose === null ? (event ?? type) : `${event ?? type} of ${whose}`;
}

const Rejected: FC<{ workspace: { id: string }; rejected: NewestReject; now: number }> = (props) => (
  <div class="arrival rejected">
    <p class="arrival-title">
      Something came, and was rejected: <Moment at={props.rejected.receivedAt} now={props.now} />
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
      Nothing is stored yet. <a href={pathOf(props.workspace, "live")}>Live</a> shows what was kept of it; this page
      goes on waiting.
    </p>
  </div>
);

/** Of floods that client libraries send nothing is kept but their number: of types that are none, and of what names nobody. */
const Counted: FC<{ code: string }> = ({ code }) => (
  <div class="arrival rejected">
    <p class="arrival-title">Something came, and was rejected</p>
    <p>
      {code === "unsupported_type" ? (
        <>
          Its type is none that is stored: <code>track</code>, <code>identify</code> and <code>group</code> are.
        </>
      ) : (
        <>
          It names nobody: a message is an object with a <code>userId</code>, or with an account.
        </>
      )}
    </p>
    <p class="muted">Nothing is stored yet; this page goes on waiting.</p>
  </div>
);
