/** The newest events of an account or a user. */
import type { FC } from "hono/jsx";

import { ERASED_NAME } from "../../core/erased-name.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import { MAX_EVENTS_SCANNED } from "../../db/events/newest-events.ts";
import { Card, Empty, Moment } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { takeBytes, truncate } from "../components/truncate.ts";
import { FeatureLink } from "../features/feature-link.tsx";
import { pathOf } from "../paths.ts";

const MAX_EVENTS_BYTES = 9_000;
const MAX_ID_CHARACTERS = 40;

interface NewestEventsProps {
  workspace: { id: string };
  events: AccountPageDetails["events"];
  /** Whether the events are of several users. */
  hasUsers?: boolean;
}

export const NewestEvents: FC<NewestEventsProps> = ({ workspace, events, hasUsers }) => (
  <Card
    title="Newest events"
    lead={
      <>
        Among the newest {formatNumber(MAX_EVENTS_SCANNED)} messages of the workspace.{" "}
        <a href={pathOf(workspace, "live")}>Open Live</a>
      </>
    }
  >
    {events.length === 0 ? (
      <Empty title="No recent events" />
    ) : (
      <ul class="stack">
        {takeBytes(
          events.map(({ event, occurredAt, user }) => (
            <li class="cluster">
              <FeatureLink {...{ workspace }} name={event ?? ""} />
              {hasUsers === true && user !== null && (
                <a class="note" href={pathOf(workspace, "users", user.id)}>
                  {truncate(user.externalId ?? ERASED_NAME, MAX_ID_CHARACTERS)}
                </a>
              )}
              <span class="spring" />
              <span class="note">
                <Moment at={occurredAt} />
              </span>
            </li>
          )),
          MAX_EVENTS_BYTES,
        )}
      </ul>
    )}
  </Card>
);
