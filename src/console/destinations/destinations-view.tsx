/** The list of destinations, and the page of one with its last attempts. */
import type { FC } from "hono/jsx";

import type { Attempt } from "../../db/destinations/deliveries.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Card, Detail, Empty, Moment, Notice, orNone, Snippet } from "../components/elements.tsx";
import { Table } from "../components/table.tsx";
import { pathOf } from "../paths.ts";
import { EVENT_NAMES, KIND_NAMES, OUTCOME_NAMES, REASON_TEXTS } from "./labels.ts";

const MAX_ROWS_BYTES = 45_000;

interface OfDestination {
  workspace: OpenWorkspace;
  destination: Destination;
}

const pathTo = ({ workspace, destination }: OfDestination, ...action: string[]): string =>
  pathOf(workspace, "settings", "destinations", destination.id, ...action);

const State: FC<{ destination: Destination }> = ({ destination: { disabledReason, failingSince } }) => {
  if (disabledReason !== null) return <Badge tone="bad">disabled</Badge>;
  if (failingSince === null) return <Badge tone="good">working</Badge>;
  return (
    <>
      <Badge tone="watch">failing</Badge> since <Moment at={failingSince} />
    </>
  );
};

const sends = ({ events }: Destination): string => events.map((event) => EVENT_NAMES[event]).join(", ");

export const DestinationsTable: FC<{ workspace: OpenWorkspace; destinations: Destination[] }> = ({
  workspace,
  destinations,
}) => (
  <Table
    caption="Destinations"
    columns={[
      {
        title: "Destination",
        cell: (destination) => (
          <>
            <a href={pathTo({ workspace, destination })}>{KIND_NAMES[destination.kind]}</a>
            <span class="under">{destination.shownUrl}</span>
          </>
        ),
      },
      { title: "Sends", cell: sends },
      { title: "State", cell: (destination) => <State destination={destination} /> },
    ]}
    rows={destinations}
    maxBytes={MAX_ROWS_BYTES}
    whereAll="GET /api/v1/destinations lists all of them."
    empty={<Empty title="No destinations">News stays in the inbox.</Empty>}
  />
);

/** The secret of a new webhook, on the only page that ever shows it. */
export const SecretNotice: FC<{ secret: string }> = ({ secret }) => (
  <div class="new-key stack">
    <Notice tone="watch">
      <strong>Copy this signing secret now. It won’t be shown again.</strong>
      <span>The receiver checks with it that notifications come from this service.</span>
    </Notice>
    <Snippet text={secret} label="The signing secret" />
  </div>
);

const filterText = ({ filter: { kinds, minSeverity, minMrr, owner } }: Destination): string | null =>
  [
    kinds && `kinds: ${kinds.join(", ")}`,
    minSeverity && `severity ${minSeverity} or higher`,
    minMrr !== undefined && `MRR of at least ${minMrr}`,
    owner && `accounts of ${owner}`,
  ]
    .filter(Boolean)
    .join("; ") || null;

const digestText = ({ digest }: Destination, timezone: string): string | null =>
  digest &&
  `${digest.every === "day" ? "every day" : `every ${digest.weekday ?? "monday"}`} at ${digest.at} (${timezone})`;

export const DestinationCard: FC<OfDestination> = ({ workspace, destination }) => (
  <Card title="Settings">
    <dl class="details">
      <Detail name="State">
        <State destination={destination} />{" "}
        {destination.disabledReason !== null && <span class="note">{REASON_TEXTS[destination.disabledReason]}</span>}
      </Detail>
      <Detail name="Sends">{sends(destination)}</Detail>
      <Detail name="Only">{orNone(filterText(destination))}</Detail>
      <Detail name="Digest">{orNone(digestText(destination, workspace.timezone))}</Detail>
      <Detail name="Names of companies and people">{destination.includeIdentity ? "included" : "left out"}</Detail>
      <Detail name="Created">
        <Moment at={destination.createdAt} />
      </Detail>
    </dl>
    <div class="cluster">
      <form method="post" action={pathTo({ workspace, destination }, "test")}>
        <button class="primary" type="submit">
          Send a test
        </button>
      </form>
      <form
        method="post"
        action={pathTo({ workspace, destination }, destination.disabledAt === null ? "disable" : "enable")}
      >
        <button type="submit">{destination.disabledAt === null ? "Disable" : "Enable"}</button>
      </form>
      <details class="confirm">
        <summary>Delete</summary>
        <form class="stack" method="post" action={pathTo({ workspace, destination }, "delete")}>
          <p class="note">What isn’t delivered yet is lost. This can’t be undone.</p>
          <button class="bad" type="submit">
            Delete destination
          </button>
        </form>
      </details>
    </div>
  </Card>
);

export const AttemptsCard: FC<OfDestination & { attempts: Attempt[] }> = ({ workspace, destination, attempts }) => (
  <Card title="Last attempts" lead="A failed notification is sent again for three days, at growing intervals.">
    <Table
      caption="Attempts, newest first"
      columns={[
        { title: "Time", cell: ({ at }) => <Moment at={at} /> },
        { title: "Notification", cell: ({ type }) => EVENT_NAMES[type] },
        {
          title: "Response",
          cell: ({ outcome, status }) => (
            <>
              <Badge tone={outcome === "delivered" ? "good" : "bad"}>{OUTCOME_NAMES[outcome]}</Badge>{" "}
              {status !== null && <code class="note">{status}</code>}
            </>
          ),
        },
        {
          title: <span class="visually-hidden">Send again</span>,
          class: "num",
          cell: ({ id }) => (
            <form method="post" action={pathTo({ workspace, destination }, "attempts", id, "resend")}>
              <button class="quiet" type="submit">
                Send again
              </button>
            </form>
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
