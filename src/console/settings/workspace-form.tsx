import type { FC } from "hono/jsx";

import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { NameAndLimit } from "../forms/name-and-limit.tsx";

/** The workspace's name and limit, to be changed. */
export const WorkspaceForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <form method="post" action={pathOf(workspace, "settings")} class="row settings-form" autocomplete="off">
    <NameAndLimit name={workspace.name} writeLimit={workspace.writeLimit} />
    <button type="submit">Change name and limit</button>
  </form>
);
