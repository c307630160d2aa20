/** The last attempts to deliver to a destination, with what they were about. */
import type { FC } from "hono/jsx";

import { counted, dateOf } from "../../core/health/texts.ts";
import { HEALTH_STATES, type HealthState } from "../../core/health/model.ts";
import { type Attempted, MAX_WAITING } from "../../db/destinations/attempted.ts";
import type { Attempt, Notification } from "../../db/destinations/deliveries.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { STATES } from "../accounts/labels.ts";
import { Badge, Card, Empty, Moment, Notice } from "../components/elements.tsx";
import { accountName } from "../components/format.ts";
import { Table } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { inboxPath } from "../inbox/inbox-filter.ts";
import { itemTexts } from "../inbox/item-labels.ts";
import { pathOf } from "../paths.ts";
import { NOTIFICATION_NAMES, OUTCOME_NAMES, statusNote } from "./labels.ts";

const MAX_ROWS_BYTES = 45_000;

interface AttemptsCardProps {
  workspace: OpenWorkspace;
  destination: Destination;
  attempts: Attempt[];
  attempted: Attempted;
}

export const AttemptsCard: FC<AttemptsCardProps> = ({ workspace, destination, attempts, attempted }) => {
  const summarized = summarizedIn(attempts, attempted);
  return (
    <Card title="Last attempts" lead="A failed notification is sent again for three days, at growing intervals.">
      <Waiting attempted={attempted} />
      <Table
        caption="Attempts, newest first"
        class="attempts narrow"
        columns={[
          { title: "Time", cell: ({ at }) => <Moment at={at} /> },
          {
            title: "Notification",
            cell: ({ type, notificationId }) => (
              <>
                {NOTIFICATION_NAMES[type]}
                <About {...{ workspace, attempted }} notification={attempted.notifications.get(notificationId)} />
              </>
            ),
          },
          { title: "Response", cell: (attempt) => <Response {...{ destination, attempt }} /> },
          {
            title: <span class="visually-hidden">Send again</span>,
            class: "num",
            cell: ({ id, type, notification, notificationId }) =>
              summarized.has(notification) ? (
                <span class="note">in a summary</span>
              ) : (
                (type === "test" || attempted.notifications.has(notificationId)) && (
                  <form
                    method="post"
                    action={pathOf(workspace, "settings", "destinations", destination.id, "attempts", id, "resend")}
                  >
                    <button class="quiet" type="submit">
                      Send again
                    </button>
                  </form>
                )
              ),
          },
        ]}
        rows={attempts}
        maxBytes={MAX_ROWS_BYTES}
        whereAll={`GET /api/v1/destinations/${destination.id}/attempts lists the last 100.`}
        empty={<Empty title="No attempts">Nothing was sent yet. Send a test.</Empty>}
      />
    </Card>
  );
};

/** Returns the numbers of the notifications that a delivered summary has replaced. */
function summarizedIn(attempts: Attempt[], { notifications }: Attempted): ReadonlySet<number | null> {
  const delivered = attempts.filter(({ type, outcome }) => type === "summary" && outcome === "delivered");
  const details = delivered.map(({ notificationId }) => notifications.get(notificationId)?.detail);
  return new Set(details.flatMap((detail) => (Array.isArray(detail) ? detail : [])));
}

const Waiting: FC<{ attempted: Attempted }> = ({ attempted: { waiting, nextAttemptAt } }) =>
  nextAttemptAt !== null && (
    <p>
      {waiting > MAX_WAITING
        ? `More than ${MAX_WAITING} notifications wait`
        : `Waiting: ${counted(waiting, "notification")}`}
      . Next attempt {nextAttemptAt > Date.now() ? <Moment at={nextAttemptAt} /> : "now"}.
    </p>
  );

/** The result of one attempt, after which the page opens. */
export const AttemptNotice: FC<{ destination: Destination; attempt: Attempt }> = ({ destination, attempt }) => {
  const { outcome, status } = attempt;
  const result = outcome === "delivered" ? "Delivered" : `Not delivered: ${OUTCOME_NAMES[outcome]}`;
  const note = statusNote(destination.kind, status);
  return (
    <Notice tone={outcome === "delivered" ? "good" : "bad"}>
      {`${result}${status === null ? "" : ` (${status})`}.${note === null ? "" : ` ${note}`}`}
    </Notice>
  );
};

const Response: FC<{ destination: Destination; attempt: Attempt }> = ({
  destination,
  attempt: { outcome, status },
}) => {
  const note = statusNote(destination.kind, status);
  return (
    <>
      <Badge tone={outcome === "delivered" ? "good" : "bad"}>{OUTCOME_NAMES[outcome]}</Badge>{" "}
      {status !== null && <code class="note">{status}</code>}
      {note !== null && <span class="under">{note}</span>}
    </>
  );
};

type AboutProps = Pick<AttemptsCardProps, "workspace" | "attempted"> & { notification: Notification | undefined };

/** What a notification was about, if that still exists. */
const About: FC<AboutProps> = ({ workspace, attempted: { subjects }, notification }) => {
  if (notification === undefined) return null;
  const { type, subject, day, change, detail } = notification;
  if (type === "digest") return <span class="under">up to {dateOf(day)}</span>;
  if (type === "summary")
    return <span class="under">{counted(Array.isArray(detail) ? detail.length : 0, "change")}</span>;
  const item = subjects.items.get(subject);
  const account = subjects.accounts.get(subject);
  if (type === "health.changed") {
    return (
      account !== undefined && (
        <span class="under">
          <AccountLink {...{ workspace, account }} /> {`${stateName(detail)} → ${stateName(change)}`}
        </span>
      )
    );
  }
  return (
    item !== undefined && (
      <span class="under">
        {item.account !== null && (
          <>
            <AccountLink workspace={workspace} account={{ ...item.account, identity: item.identity }} />{" "}
          </>
        )}
        <a href={inboxPath(workspace, { show: item.id })}>{itemTexts(item).title}</a>
      </span>
    )
  );
};

type AccountLinkProps = { workspace: OpenWorkspace; account: { id: string } & Parameters<typeof accountName>[0] };

const AccountLink: FC<AccountLinkProps> = ({ workspace, account }) => (
  <a href={pathOf(workspace, "accounts", account.id)}>{truncate(accountName(account))}</a>
);

const isState = (value: unknown): value is HealthState => HEALTH_STATES.some((state) => state === value);
const stateName = (value: unknown): string => (isState(value) ? STATES[value].name : String(value));
