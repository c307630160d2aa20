/** Small components that all pages use. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";

import { formatAgo, formatMinute } from "./format.ts";
import { truncate } from "./truncate.ts";

export type Tone = "good" | "watch" | "bad" | "none" | "accent";

/** The page's title and a line below it, with actions on the right. */
export const Heading: FC<PropsWithChildren<{ title: string; lead?: Child }>> = ({ title, lead, children }) => (
  <div class="heading cluster split">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
    {children !== undefined && <div class="cluster">{children}</div>}
  </div>
);

/** A page of the documentation: `wire/admin`. */
export const DocsLink: FC<{ page: string }> = ({ page }) => <a href={`/console/docs/${page}`}>Documentation</a>;

export const Card: FC<PropsWithChildren<{ title?: string; lead?: Child; id?: string }>> = (props) => (
  <section class="card" {...(props.id !== undefined && { id: props.id })}>
    {props.title !== undefined && <h2>{props.title}</h2>}
    {props.lead !== undefined && <p class="lead">{props.lead}</p>}
    {props.children}
  </section>
);

export type BadgeTone = Tone | "critical";

export const Badge: FC<PropsWithChildren<{ tone: BadgeTone }>> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A large number with its label, in a `<dl class="stats">`. */
export const Stat: FC<{ label: Child; value: Child; note?: Child; tone?: Tone }> = ({ label, value, note, tone }) => (
  <div class="stat">
    <dt>{label}</dt>
    <dd class={tone === undefined ? "figure" : `figure ${tone}`}>{value}</dd>
    {note !== undefined && <dd class="note">{note}</dd>}
  </div>
);

/** A name with its value, in a `<dl>`. */
export const Detail: FC<PropsWithChildren<{ name: Child; class?: string }>> = ({ name, class: classes, children }) => (
  <div class={classes}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export const Notice: FC<PropsWithChildren<{ tone: Tone; role?: "status" | "alert" }>> = (props) => (
  <div class={`notice cluster ${props.tone}`} role={props.role ?? "status"}>
    {props.children}
  </div>
);

const MAX_FAULT_CHARACTERS = 500;

/** Shows administrators why something failed. */
export const Fault: FC<{ text: string | null }> = ({ text }) =>
  text === null ? null : <p class="note fault">{truncate(text, MAX_FAULT_CHARACTERS)}</p>;

export const FormError: FC<{ error: string | undefined }> = ({ error }) =>
  error !== undefined && (
    <Notice tone="bad" role="alert">
      {error}
    </Notice>
  );

/** Says that a list is empty, and how to continue. */
export const Empty: FC<PropsWithChildren<{ title: string }>> = ({ title, children }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** A dash for a missing value, read aloud as “none”. */
const NoValue: FC = () => (
  <>
    <span aria-hidden="true" class="muted">
      –
    </span>
    <span class="visually-hidden">none</span>
  </>
);

export const orNone = (value: Child): Child => value ?? <NoValue />;

/** How long ago a moment was. Its title gives the time in UTC. */
export const Moment: FC<{ at: number | null }> = ({ at }) =>
  at === null ? (
    <NoValue />
  ) : (
    <time datetime={new Date(at).toISOString()} title={`${formatMinute(at)} UTC`}>
      {formatAgo(Date.now() - at)}
    </time>
  );

/** Code to copy. The button appears only with script. */
export const Snippet: FC<{ text: string; label: string }> = ({ text, label }) => (
  <div class="snippet">
    <pre tabindex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
    <button class="copy" type="button" data-copy={text} hidden>
      Copy
    </button>
  </div>
);

/** A new token of administrators, on the only page that ever shows it. */
export const NewTokenNotice: FC<{ value: string; readOnly: boolean }> = ({ value, readOnly }) => (
  <div class="new-key stack">
    <Notice tone="watch">
      <strong>Copy this token now. It won’t be shown again.</strong>
      <span>
        We store only its hash and its last four characters. Anyone who has it can {readOnly ? "read" : "change"} all
        workspaces.
      </span>
    </Notice>
    <Snippet text={value} label="The new token" />
  </div>
);

/** A new key, on the only page that ever shows it and its signing secret. */
export const NewKeyNotice: FC<{ value: string; signingSecret?: string | null; isPublic?: boolean }> = (props) => (
  <div class="new-key stack">
    {props.isPublic === true ? (
      <Notice tone="good">
        <strong>Your key for web pages.</strong>
        <span>Every visitor can read it. It only sends events, from pages of its origins.</span>
      </Notice>
    ) : (
      <Notice tone="watch">
        <strong>Copy this key now. It won’t be shown again.</strong>
        <span>We store only its hash and its last four characters. Anyone who has the key can use its scopes.</span>
      </Notice>
    )}
    <Snippet text={props.value} label="The new key" />
    {props.signingSecret != null && (
      <>
        <p class="label">Its signing secret, which won’t be shown again either</p>
        <Snippet text={props.signingSecret} label="The signing secret" />
      </>
    )}
  </div>
);

export const Pager: FC<{ next: string | null; first: string | null }> = ({ next, first }) =>
  (next !== null || first !== null) && (
    <nav class="cluster" aria-label="Pages">
      {first !== null && (
        <a class="button" href={first}>
          ← First page
        </a>
      )}
      <span class="spring" />
      {next !== null && (
        <a class="button" href={next}>
          Next page →
        </a>
      )}
    </nav>
  );
