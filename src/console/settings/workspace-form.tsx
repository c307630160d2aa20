import type { FC } from "hono/jsx";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { type OpenWorkspace, pathOf } from "../context.ts";

/** The workspace's name and limit, to be changed. */
export const WorkspaceForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <form method="post" action={pathOf(workspace, "settings")} class="row settings-form" autocomplete="off">
    <div class="grow">
      <label for="workspace-name">Name</label>
      <input id="workspace-name" name="name" required maxlength={200} value={workspace.name} />
    </div>
    <div>
      <label for="write-limit">Messages in 10 s</label>
      <input
        id="write-limit"
        name="writeLimit"
        type="number"
        required
        min="1"
        max={MAX_WRITE_LIMIT}
        step="1"
        value={workspace.writeLimit}
      />
    </div>
    <button type="submit">Change name and limit</button>
  </form>
);
