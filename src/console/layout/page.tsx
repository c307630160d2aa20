/** What every page has around it: the head, the bar with the workspace's pages, and the place for what it says. */
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import type { AppContext } from "../../edge/context.ts";
import { raw } from "hono/html";
import type { FC, PropsWithChildren } from "hono/jsx";

import { ICON_PATH, SCRIPT, STYLES } from "../assets/route.ts";
import { may, pathOf, type Session } from "../session/context.ts";

/** The pages of a workspace, in the order of the bar. */
const TABS = [
  ["live", "Live"],
  ["accounts", "Accounts"],
  ["inbox", "Inbox"],
  ["ask", "Ask"],
  ["start", "Get started"],
  ["settings", "Settings"],
] as const;
export type Tab = (typeof TABS)[number][0];

type PageProps = PropsWithChildren<{
  c: AppContext;
  /** In the browser's tab; the page itself has its own `<h1>`. */
  title: string;
  tab?: Tab;
  /** Without script the page loads itself again so often, in seconds. */
  reloadSeconds?: number;
}>;

export const Page: FC<PageProps> = ({ c, title, tab, reloadSeconds, children }) => {
  const workspace: OpenWorkspace | undefined = c.get("workspace");
  const session: Session | undefined = c.get("session");
  return (
    <Html title={workspace === undefined ? title : `${title} · ${workspace.name}`} {...{ reloadSeconds }}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <div class="bar-top">
          <a class="brand" href="/console">
            <img src={ICON_PATH} alt="" width="22" height="22" />
            Behavior Ingest
          </a>
          {workspace !== undefined && <span class="workspace">{workspace.name}</span>}
          <span class="spring" />
          {session?.who === "admin" && <a href="/console/workspaces">Workspaces</a>}
          {session !== undefined && (
            <form method="post" action="/console/sign-out">
              <button class="quiet" type="submit">
                Sign out
              </button>
            </form>
          )}
        </div>
        {workspace !== undefined && <Tabs workspace={workspace} current={tab} />}
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
    </Html>
  );
};

const Html: FC<PropsWithChildren<{ title: string; reloadSeconds?: number | undefined }>> = (props) => (
  <>
    {raw("<!doctype html>")}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{props.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href={STYLES} />
        <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
        <script src={SCRIPT} defer />
        {props.reloadSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(props.reloadSeconds)} />
          </noscript>
        )}
      </head>
      <body>{props.children}</body>
    </html>
  </>
);

const Tabs: FC<{ workspace: OpenWorkspace; current: Tab | undefined }> = ({ workspace, current }) => (
  <nav class="tabs" aria-label="Workspace">
    {TABS.filter(([tab]) => tab !== "ask" || may(workspace, "ask")).map(([tab, name]) => (
      <a href={pathOf(workspace, tab)} aria-current={tab === current ? "page" : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
