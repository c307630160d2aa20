import type { Child, FC } from "hono/jsx";

import type { Workspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { NewKey } from "../components/new-key.tsx";
import { Heading } from "../components/elements.tsx";
import { Senders } from "./senders.tsx";
import { KEY_PLACEHOLDER } from "./snippets.ts";

interface StartViewProps {
  workspace: Workspace;
  origin: string;
  /** The key, on the page alone that it is made on. */
  newKey?: string;
  /** What has come in. */
  arrival: Child;
}

export const StartView: FC<StartViewProps> = ({ workspace, origin, newKey, arrival }) => (
  <>
    <Heading
      title={newKey === undefined ? "Get started" : `${workspace.name} is ready`}
      lead="Send a first event. One of these ways is enough; more can come later."
    />
    {arrival}
    {newKey !== undefined && (
      <>
        <NewKey value={newKey} label="The key of the workspace" />
        <p class="after-key">
          <span>
            It has all scopes, and stands in what is to be pasted below: keep it on your servers. For browsers make one
            with the scope “ingest” alone in the <a href={pathOf(workspace, "settings")}>settings</a>.
          </span>
          <noscript>
            <a class="button" href={pathOf(workspace, "start")} target="_blank">
              Watch it arrive in another tab
            </a>
          </noscript>
        </p>
      </>
    )}
    <Senders origin={origin} apiKey={newKey ?? KEY_PLACEHOLDER} />
    {newKey === undefined && (
      <p class="note">
        Put a key with the scope “ingest” in place of <code>{KEY_PLACEHOLDER}</code>. The{" "}
        <a href={pathOf(workspace, "settings")}>settings</a> are where keys are made; none of them is ever shown again.
      </p>
    )}
  </>
);
