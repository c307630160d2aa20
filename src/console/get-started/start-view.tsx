import type { Child, FC } from "hono/jsx";

import type { Workspace } from "../../services/workspaces/workspaces.ts";
import { Heading, Notice } from "../components/elements.tsx";
import { NewKey } from "../components/new-key.tsx";
import { pathOf } from "../session/context.ts";
import { Senders } from "./senders.tsx";
import { KEY_PLACEHOLDER } from "./snippets.ts";

interface StartViewProps {
  workspace: Workspace;
  origin: string;
  /** The key, on the page that creates it. */
  newKey?: string;
  /** Whether the form that created the workspace was sent again. */
  isRepeated?: boolean;
  /** The status of the first event. */
  arrival: Child;
}

export const StartView: FC<StartViewProps> = ({ workspace, origin, newKey, isRepeated = false, arrival }) => {
  const settings = <a href={pathOf(workspace, "settings")}>settings</a>;
  return (
    <>
      <Heading
        title={newKey === undefined ? "Get started" : `${workspace.name} is ready`}
        lead="Send a first event. One of these ways is enough; you can add others later."
      />
      {isRepeated && (
        <Notice tone="watch">
          <span>
            This workspace already exists. Its key was shown once; if you didn’t copy it, create another in the{" "}
            {settings}.
          </span>
        </Notice>
      )}
      {arrival}
      {newKey !== undefined && (
        <>
          <NewKey value={newKey} label="The workspace’s key" />
          <p class="after-key">
            <span>
              This key has all scopes and is included in the snippets below: use it only on your servers. For browsers,
              create a key with only the scope “ingest” in the {settings}.
            </span>
            <noscript>
              <a class="button" href={pathOf(workspace, "start")} target="_blank">
                Watch for it in another tab
              </a>
            </noscript>
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
