/** The log as a table: a line for each message, and below the opened one its details. */
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import { ERASED_NAME } from "../../core/erased-name.ts";
import type { Arrival } from "../../db/events/arrivals.ts";
import { type LogEntry, MAX_SEARCHED, type MessageLog } from "../../db/events/message-log.ts";
import type { RejectedArrival } from "../../db/events/rejections.ts";
import { Badge, Empty, orNone } from "../components/elements.tsx";
import { formatMinute, formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";
import { RejectedDetails, rejectionText, StoredDetails } from "./log-details.tsx";
import type { LiveFilter } from "./search.tsx";

/** With these, a page of 40 messages stays small. */
const MAX_NAME_CHARACTERS = 40;
const MAX_REASON_CHARACTERS = 120;

interface LogCardProps {
  workspace: { id: string };
  filter: LiveFilter;
  log: MessageLog;
  /** The number of the opened message. */
  open: string | undefined;
  /** The cursors of this page and of the next. */
  at: string;
  next: string | null;
}

/**
 * One form, whose buttons open a message and lead to older messages, and whose fields have the position of the page. Only the form of a search is
 * a POST.
 */
export const LogCard: FC<LogCardProps> = ({ workspace, filter, log, open, at, next }) => (
  <form id="log-form" class="column" method={filter.q === "" ? "get" : "post"} action={pathOf(workspace, "live")}>
    {filter.q !== "" && <input type="hidden" name="q" value={filter.q} />}
    <input type="hidden" name="span" value={filter.span} />
    <input type="hidden" name="show" value={filter.show} />
    <input type="hidden" name="at" value={at} />
    {log.entries.length === 0 ? (
      <NoMessages {...{ workspace, filter, log }} />
    ) : (
      <div class="table-scroll" role="region" aria-label="Messages, newest first" tabindex={0}>
        <table class="log narrow">
          <caption class="visually-hidden">Messages, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">Event</th>
              <th scope="col">Account</th>
              <th scope="col" class="optional">
                User
              </th>
              <th scope="col" class="optional">
                Source
              </th>
              <th scope="col">Status</th>
              <th scope="col">
                <span class="visually-hidden">Details</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {log.entries.map((entry) => (
              <Row {...{ workspace, entry }} isOpen={open === idOf(entry)} />
            ))}
          </tbody>
        </table>
      </div>
    )}
    {next !== null && (
      <button name="next" value={next} type="submit">
        {log.isUnread ? "Search older messages" : "Older messages"} →
      </button>
    )}
    <p class="note">{noteOn(filter, log)}</p>
  </form>
);

/** Says what the list leaves out. */
function noteOn({ q, show }: LiveFilter, { archivedUntil }: MessageLog): string {
  const archived =
    archivedUntil === null
      ? ""
      : ` Messages received until ${formatMinute(archivedUntil)} UTC are in the archive, and not in this list.`;
  if (q !== "")
    return `The search finds a message id among all messages, and events, accounts and users among ${formatNumber(MAX_SEARCHED)} messages at a time.${archived}`;
  const rejected =
    show === "stored"
      ? ""
      : "Rejected messages are not stored: the newest 1,000 are listed for 30 days. Messages of unsupported types, and messages without a user or an account, as pages send before the visitor signs in, are only counted by day: GET /api/v1/rejected.";
  return rejected + archived;
}

const NoMessages: FC<Pick<LogCardProps, "workspace" | "filter" | "log">> = ({ workspace, filter, log }) => {
  if (filter.q !== "")
    return (
      <Empty title="Nothing found">
        <p>Enter the whole id or the whole name of the event.</p>
      </Empty>
    );
  if (filter.show === "rejected")
    return (
      <Empty title="No rejected messages to show">
        <p>Invalid messages appear here with the field that is wrong.</p>
      </Empty>
    );
  return (
    <Empty title={log.archivedUntil === null ? "No messages yet" : "No recent messages"}>
      <p>
        <a href={pathOf(workspace, "start")} hx-boost="false">
          Send an event
        </a>
        . It appears here within seconds.
      </p>
    </Empty>
  );
};

/** `s12` for a stored message, `r7` for a rejected one. */
const idOf = ({ kind, message }: LogEntry): string => `${kind === "stored" ? "s" : "r"}${message.seq}`;

const Row: FC<{ workspace: { id: string }; entry: LogEntry; isOpen: boolean }> = ({ workspace, entry, isOpen }) => {
  const { kind, message } = entry;
  const { event, type, receivedAt } = message;
  const id = idOf(entry);
  const name = truncate(event || type || "message", MAX_NAME_CHARACTERS);
  return (
    <>
      <tr id={`message-${id}`} class={kind}>
        <td>
          <time datetime={new Date(receivedAt).toISOString()}>{clockTime(receivedAt)}</time>
        </td>
        <th scope="row">{event ? name : <Badge tone="accent">{name}</Badge>}</th>
        {kind === "stored" ? <StoredCells {...{ workspace, message }} /> : <RejectedCells {...{ message }} />}
        <td class="num">
          <button
            id={`open-${id}`}
            class="quiet"
            type="submit"
            name="open"
            value={isOpen ? "" : id}
            aria-expanded={isOpen ? "true" : "false"}
            aria-label={`${isOpen ? "Close" : "Open"} ${name}`}
          >
            {isOpen ? "Close" : "Open"}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colspan={7}>
            {kind === "stored" ? <StoredDetails {...{ message }} /> : <RejectedDetails {...{ message }} />}
          </td>
        </tr>
      )}
    </>
  );
};

/** `14:05:09`, with the date in front unless it is today. */
function clockTime(at: number): string {
  const [date = "", time = ""] = new Date(at).toISOString().split(/[T.]/);
  return Math.floor(at / DAY_MS) === Math.floor(Date.now() / DAY_MS) ? time : `${date} ${time}`;
}

const nameOf = (entity: { externalId: string | null }): string =>
  truncate(entity.externalId ?? ERASED_NAME, MAX_NAME_CHARACTERS);

const StoredCells: FC<{ workspace: { id: string }; message: Arrival }> = ({ workspace, message }) => {
  const { account, user, source } = message;
  return (
    <>
      <td>
        {account === null ? (
          <span class="muted">no account yet</span>
        ) : (
          <a href={pathOf(workspace, "accounts", account.id)} hx-boost="false">
            {nameOf(account)}
          </a>
        )}
      </td>
      <td class="optional">{orNone(user && nameOf(user))}</td>
      <td class="optional">{source === "native" ? "API" : "CDP"}</td>
      <td>stored</td>
    </>
  );
};

const RejectedCells: FC<{ message: RejectedArrival }> = ({ message }) => (
  <>
    <td>{orNone(message.accountId && truncate(message.accountId, MAX_NAME_CHARACTERS))}</td>
    <td class="optional">{orNone(message.userId && truncate(message.userId, MAX_NAME_CHARACTERS))}</td>
    <td class="optional">{orNone(null)}</td>
    <td>
      <Badge tone="bad">{message.code.replaceAll("_", " ")}</Badge> {rejectionText(message, MAX_REASON_CHARACTERS)}
    </td>
  </>
);
