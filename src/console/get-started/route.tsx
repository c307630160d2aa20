/** Get started: snippets for sending a first event, and the status of that event. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";

import type { AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { readNewestArrivals, type NewestArrivals } from "../../db/events/arrivals.ts";
import type { Workspace } from "../../db/workspaces/find-workspace.ts";
import { Heading, NewKeyNotice, Notice } from "../components/elements.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { FirstArrival } from "./arrival.tsx";
import { KEY_PLACEHOLDER, Senders } from "./senders.tsx";

export const startPages = new Hono<AppEnv>().get("/", operation("console_start"), async (c) => {
  const workspace = c.get("workspace");
  const arrivals = await readNewestArrivals(c.env, workspace, 1);
  return c.html(
    <Page c={c} title="Get started" tab="start">
      <StartView
        {...{ workspace, arrivals }}
        origin={new URL(c.req.url).origin}
        isRepeated={c.req.query("done") === "created"}
      />
    </Page>,
  );
});

interface StartViewProps {
  workspace: Workspace;
  arrivals: NewestArrivals;
  origin: string;
  newKey?: string;
  /** Whether the form that created the workspace was sent again. */
  isRepeated?: boolean;
}

export const StartView: FC<StartViewProps> = ({ workspace, arrivals, origin, newKey, isRepeated = false }) => {
  const settings = <a href={pathOf(workspace, "settings")}>settings</a>;
  return (
    <>
      <Heading
        title={newKey === undefined ? "Get started" : `${workspace.name} is ready`}
        lead="Send your first event. One of these ways is enough; you can add others later."
      />
      {isRepeated && (
        <Notice tone="watch">
          <span>
            This workspace already exists. Its key was shown once; if you didn’t copy it, create another in the{" "}
            {settings}.
          </span>
        </Notice>
      )}
      <FirstArrival {...{ workspace, arrivals }} />
      {newKey !== undefined && (
        <>
          <NewKeyNotice value={newKey} />
          <p class="muted">
            This key has all scopes and is included in the snippets below: use it only on your servers. For browsers,
            create a key with only the scope “ingest” in the {settings}.
          </p>
        </>
      )}
      <Senders origin={origin} apiKey={newKey ?? KEY_PLACEHOLDER} />
      {newKey === undefined && (
        <p class="note">
          Replace <code>{KEY_PLACEHOLDER}</code> with a key that has the scope “ingest”. You can create keys in the{" "}
          {settings}. A key is shown only once.
        </p>
      )}
    </>
  );
};
