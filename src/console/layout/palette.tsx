/**
 * The command palette: pages of the workspace, and a search for accounts. `/` or Ctrl+K opens it (`assets/scripts/palette.ts`). The
 * search is a POST, because names stay out of addresses.
 */
import type { FC } from "hono/jsx";

import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { pathOf } from "../paths.ts";

interface PaletteProps {
  workspace: OpenWorkspace;
  pages: readonly (readonly [path: string, name: string])[];
}

export const Palette: FC<PaletteProps> = ({ workspace, pages }) => (
  <dialog id="palette" aria-label="Go to a page or an account">
    <form class="stack" method="post" action={pathOf(workspace, "accounts")} autocomplete="off">
      <label class="field">
        Go to a page or an account
        <input
          name="q"
          type="search"
          maxlength={200}
          placeholder="Name of a page, or name or id of an account or a user"
        />
      </label>
      <nav class="stack" aria-label="Pages">
        {pages.map(([path, name]) => (
          <a href={pathOf(workspace, path)}>{name}</a>
        ))}
      </nav>
      <button type="submit">Search accounts</button>
    </form>
  </dialog>
);

/** Lists the workspaces that an administrator may go to. The list is loaded when it is opened. */
export const WorkspaceSwitcher: FC<{ name: string }> = ({ name }) => (
  <>
    <a
      class="workspace"
      href="/console/workspaces"
      data-opens="switcher"
      hx-get="/console/workspaces"
      hx-select="#workspaces"
      hx-target="#switcher-list"
      hx-swap="innerHTML"
    >
      {name} <span aria-hidden="true">▾</span>
    </a>
    <dialog id="switcher" aria-label="Workspaces">
      <div id="switcher-list" />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  </>
);
