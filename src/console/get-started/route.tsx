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
import { Card, FormError, Heading, NewKeyNotice, Notice } from "../components/elements.tsx";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field, Select } from "../forms/fields.tsx";
import { type Entered, readStartForm, textIn } from "../forms/key-forms.ts";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireAdmin } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";
import { FirstArrival } from "./arrival.tsx";
import { type NewKey, Senders } from "./senders.tsx";
import { KEY_PLACEHOLDER } from "./snippets.ts";

export const startPages = new Hono<AppEnv>()
  .get("/", operation("console_start"), (c) => startPage(c))
  .post("/key", operation("console_create_key"), requireAdmin, async (c) => {
    const entered = await readForm(c);
    const form = readStartForm(entered);
    if (!form.ok) return startPage(c, { entered, error: form.error });
    const created = await createKey(c.env, c.get("workspace"), form.value, Date.now(), actorOf(c.get("session")));
    if (created === null) return c.redirect(`${pathOf(c.get("workspace"), "start")}?done=key_exists`, 303);
    const { key, signingSecret, record } = created;
    const use = record.origins !== null ? "pages" : signingSecret !== null ? "segment" : "servers";
    return startPage(c, { newKey: { value: key, signingSecret, use } });
  });

async function startPage(
  c: AppContext,
  { newKey, entered, error }: { newKey?: NewKey; entered?: Entered; error?: string } = {},
): Promise<Response> {
  const workspace = c.get("workspace");
  const user = c.get("session");
  const arrivals = await readNewestArrivals(c.env, workspace, 1);
  return c.html(
    <Page c={c} title="Get started" tab="start">
      <StartView
        {...{ workspace, arrivals, entered }}
        {...(newKey && { newKey })}
        title="Get started"
        origin={new URL(c.req.url).origin}
        createsKeys={isAdministrator(user) && mayPost(user, pathOf(workspace, "start", "key"))}
        done={c.req.query("done")}
        error={error}
      />
    </Page>,
    error === undefined ? 200 : 400,
  );
}

interface StartViewProps {
  workspace: Workspace;
  arrivals: NewestArrivals;
  title: string;
  origin: string;
  createsKeys: boolean;
  newKey?: NewKey;
  /** What a refused form had. */
  entered?: Entered | undefined;
  /** Names the form that was sent again: the one that created the workspace, or the key. */
  done?: string | undefined;
  error?: string | undefined;
}

export const StartView: FC<StartViewProps> = (props) => {
  const { workspace, arrivals, title, origin, createsKeys, newKey, entered, done, error } = props;
  const contractEnd = `${new Date(Date.now() + 365 * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
  const values = { origin, key: KEY_PLACEHOLDER, contractEnd };
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
      <FormError error={error} />
      <FirstArrival {...{ workspace, arrivals }} />
      {newKey === undefined ? <KeyCard {...{ workspace, createsKeys, entered }} /> : <NewKeyCard {...newKey} />}
      <Senders {...{ values, newKey }} />
    </>
  );
};

const USES: Record<NewKey["use"], string> = {
  all: "This key has all scopes and is included in the snippets below, except those for web pages: use it only on your servers.",
  servers: "This key may only send events. The snippets below contain it, except those for web pages.",
  pages: "The snippets for web pages below contain it.",
  segment:
    "Paste the key and the secret into the settings of the Segment webhook destination below. Without the signature that you switch on there, batches are refused.",
};

const NewKeyCard: FC<NewKey> = ({ value, use, signingSecret }) => (
  <>
    <NewKeyNotice value={value} signingSecret={signingSecret ?? null} isPublic={use === "pages"} />
    <p class="muted">{USES[use]}</p>
  </>
);

const SOURCES = [
  ["servers", "Your servers"],
  ["pages", "Web pages"],
  ["segment", "Segment’s webhook destination, which signs"],
] as const;

type KeyCardProps = Pick<StartViewProps, "workspace" | "createsKeys" | "entered">;

const KeyCard: FC<KeyCardProps> = ({ workspace, createsKeys, entered = {} }) => (
  <Card title="A key for the snippets">
    {createsKeys ? (
      <form class="column start-key" method="post" action={pathOf(workspace, "start", "key")} autocomplete="off">
        <CreationId />
        <Select
          label="Where do you send from?"
          name="from"
          options={SOURCES}
          selected={textIn(entered, "from") || "servers"}
        />
        <Field
          label="Origins of your web pages"
          name="origins"
          placeholder="https://app.example.com"
          value={textIn(entered, "origins")}
        />
        <button class="primary" type="submit">
          Create a key
        </button>
      </form>
    ) : (
      <p>
        Replace <code>{KEY_PLACEHOLDER}</code> with a key that has the scope “ingest”. Administrators can create one.
      </p>
    )}
  </Card>
);
