/** The list of destinations, and the settings of one. */
import type { FC, PropsWithChildren } from "hono/jsx";

import type { Destination } from "../../db/destinations/destinations.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Card, Detail, Empty, Moment, Notice, orNone, Snippet } from "../components/elements.tsx";
import { Table } from "../components/table.tsx";
import { pathOf } from "../paths.ts";
import { digestText, EVENT_NAMES, filterText, KIND_NAMES, REASON_TEXTS } from "./labels.ts";

const MAX_ROWS_BYTES = 45_000;

interface OfDestination {
  workspace: OpenWorkspace;
  destination: Destination;
}

const pathTo = ({ workspace, destination }: OfDestination, ...action: string[]): string =>
  pathOf(workspace, "settings", "destinations", destination.id, ...action);

/** Nothing is wrong with a destination that somebody has disabled. */
const State: FC<{ destination: Destination }> = ({ destination: { disabledAt, disabledReason, failingSince } }) => {
  if (disabledAt !== null) {
    return (
      <>
        <Badge tone={disabledReason === "requested" ? "none" : "bad"}>disabled</Badge> <Moment at={disabledAt} />
      </>
    );
  }
  return failingSince === null ? <Badge tone="good">working</Badge> : <Badge tone="watch">failing</Badge>;
};

const sends = ({ events }: Destination): string => events.map((event) => EVENT_NAMES[event]).join(", ");

export const DestinationsTable: FC<{ workspace: OpenWorkspace; destinations: Destination[] }> = ({
  workspace,
  destinations,
}) => (
  <Table
    caption="Destinations"
    class="destinations narrow"
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
      {
        title: "Sends",
        cell: (destination) => (
          <>
            {sends(destination)}
            {[filterText(destination.filter), digestText(destination.digest, workspace.timezone)].map(
              (text) => text !== null && <span class="under">{text}</span>,
            )}
          </>
        ),
      },
      { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
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

export const DestinationCard: FC<OfDestination> = ({ workspace, destination }) => (
  <Card title="Settings">
    <dl class="details">
      <Detail name="State">
        <State destination={destination} />{" "}
        {destination.disabledReason !== null && <span class="note">{REASON_TEXTS[destination.disabledReason]}</span>}
        {destination.disabledAt === null && destination.failingSince !== null && (
          <span class="note">
            The first failure was <Moment at={destination.failingSince} />.
          </span>
        )}
      </Detail>
      <Detail name="Sends">{sends(destination)}</Detail>
      <Detail name="Only">{orNone(filterText(destination.filter))}</Detail>
      <Detail name="Digest">{orNone(digestText(destination.digest, workspace.timezone))}</Detail>
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
      {destination.disabledAt === null ? (
        <Confirmed action={pathTo({ workspace, destination }, "disable")} verb="Disable">
          What isn’t delivered yet is given up: enabling the destination again doesn’t send it.
        </Confirmed>
      ) : (
        <form method="post" action={pathTo({ workspace, destination }, "enable")}>
          <button type="submit">Enable</button>
        </form>
      )}
      <Confirmed action={pathTo({ workspace, destination }, "delete")} verb="Delete">
        What isn’t delivered yet is lost. This can’t be undone.
      </Confirmed>
    </div>
  </Card>
);

/** A button that says first what it does. */
const Confirmed: FC<PropsWithChildren<{ action: string; verb: string }>> = ({ action, verb, children }) => (
  <details class="confirm">
    <summary>{verb}</summary>
    <form class="stack" method="post" action={action}>
      <p class="note">{children}</p>
      <button class="bad" type="submit">
        {verb} destination
      </button>
    </form>
  </details>
);
