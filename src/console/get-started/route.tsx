/** Get started: a key, snippets for sending a first event, and the status of that event. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";

import { isAdministrator } from "../../core/role.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { readNewestArrivals, type NewestArrivals } from "../../db/events/arrivals.ts";
import type { Workspace } from "../../db/workspaces/find-workspace.ts";
import { createKey } from "../../services/workspaces/key-changes.ts";
import { Card, Heading, NewKeyNotice, Notice } from "../components/elements.tsx";
import { CreationId, keyForm } from "../forms/admin-forms.tsx";
import { readForm } from "../forms/read-form.ts";
import { invalidPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireAdmin } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";
import { FirstArrival } from "./arrival.tsx";
import { Senders } from "./senders.tsx";
import { KEY_PLACEHOLDER } from "./snippets.ts";

export const startPages = new Hono<AppEnv>()
  .get("/", operation("console_start"), (c) => startPage(c))
  .post("/key", operation("console_create_key"), requireAdmin, async (c) => {
    const { creationId } = await readForm(c);
    const form = keyForm.safeParse({ creationId, name: "Get started", scopes: "ingest" });
    if (!form.success) return invalidPage(c, "Incomplete form. Reload the page and try again.");
    const { creationId: id, ...fields } = form.data;
    const key = { ...fields, id: `key_${id}` };
    const created = await createKey(c.env, c.get("workspace"), key, Date.now(), actorOf(c.get("session")));
    if (created === null) return c.redirect(`${pathOf(c.get("workspace"), "start")}?done=key_exists`, 303);
    return startPage(c, { value: created.key, isIngest: true });
  });

async function startPage(c: AppContext, newKey?: NewKey): Promise<Response> {
  const workspace = c.get("workspace");
  const arrivals = await readNewestArrivals(c.env, workspace, 1);
  return c.html(
    <Page c={c} title="Get started" tab="start">
      <StartView
        {...{ workspace, arrivals }}
        {...(newKey && { newKey })}
        title="Get started"
        origin={new URL(c.req.url).origin}
        isAdmin={isAdministrator(c.get("session"))}
        done={c.req.query("done")}
      />
    </Page>,
  );
}

interface NewKey {
  value: string;
  /** Whether its only scope is `ingest`. */
  isIngest: boolean;
}

interface StartViewProps {
  workspace: Workspace;
  arrivals: NewestArrivals;
  title: string;
  origin: string;
  isAdmin: boolean;
  newKey?: NewKey;
  /** Names the form that was sent again: the one that created the workspace, or the key. */
  done?: string | undefined;
}

export const StartView: FC<StartViewProps> = ({ workspace, arrivals, title, origin, isAdmin, newKey, done }) => {
  const contractEnd = `${new Date(Date.now() + 365 * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
  const values = { origin, key: newKey?.value ?? KEY_PLACEHOLDER, contractEnd };
  return (
    <>
      <Heading title={title} lead="Send your first event. One of these ways is enough; you can add others later." />
      {done === "created" && (
        <Notice tone="watch">
          This workspace already exists. Its key was shown once; if you didn’t copy it, create another below.
        </Notice>
      )}
      {done === "key_exists" && (
        <Notice tone="watch">This key already exists. It was shown once; if you didn’t copy it, create another.</Notice>
      )}
      <FirstArrival {...{ workspace, arrivals }} />
      {newKey === undefined ? <KeyCard {...{ workspace, isAdmin }} /> : <NewKeyCard {...newKey} />}
      <Senders values={values} isIngestKey={newKey?.isIngest ?? true} />
    </>
  );
};

const NewKeyCard: FC<NewKey> = ({ value, isIngest }) => (
  <>
    <NewKeyNotice value={value} />
    <p class="muted">
      {isIngest
        ? "This key may only send events. The snippets below contain it."
        : "This key has all scopes and is included in the snippets below, except the one for browsers: use it only on your servers."}
    </p>
  </>
);

const KeyCard: FC<{ workspace: { id: string }; isAdmin: boolean }> = ({ workspace, isAdmin }) => (
  <Card title="A key for the snippets">
    {isAdmin ? (
      <form class="stack" method="post" action={pathOf(workspace, "start", "key")}>
        <CreationId />
        <button class="primary" type="submit">
          Create a key
        </button>
        <span class="note">It may only send events, and is filled into the snippets. A key is shown only once.</span>
      </form>
    ) : (
      <p>
        Replace <code>{KEY_PLACEHOLDER}</code> with a key that has the scope “ingest”. Administrators can create one.
      </p>
    )}
  </Card>
);
