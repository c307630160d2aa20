/** Small components that all pages use. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";

import { formatAgo, formatMinute } from "./format.ts";

export type Tone = "good" | "watch" | "bad" | "none" | "accent";

/** The page's title and a line below it, with actions on the right. */
export const Heading: FC<PropsWithChildren<{ title: string; lead?: Child }>> = ({ title, lead, children }) => (
  <div class="heading">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
    {children !== undefined && <div class="heading-actions">{children}</div>}
  </div>
);

export const Card: FC<PropsWithChildren<{ title?: string; lead?: Child; id?: string }>> = (props) => (
  <section class="card" {...(props.id !== undefined && { id: props.id })}>
    {props.title !== undefined && <h2>{props.title}</h2>}
    {props.lead !== undefined && <p class="lead">{props.lead}</p>}
    {props.children}
  </section>
);

/** A column's title; `num` aligns it to the right, `optional` hides it on narrow screens. */
type Column = string | { title: Child; class: "num" | "optional" | "num optional" };

/** A table that scrolls sideways where the screen is too narrow. */
export const Table: FC<PropsWithChildren<{ caption: string; columns: readonly Column[]; class?: string }>> = (
  props,
) => (
  <div class="table-scroll" role="region" aria-label={props.caption} tabindex={0}>
    <table class={props.class}>
      <caption class="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th scope="col" class={typeof column === "string" ? undefined : column.class}>
              {typeof column === "string" ? column : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  </div>
);

export const Badge: FC<PropsWithChildren<{ tone: Tone }>> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A large number with its label. */
export const Stat: FC<{ label: string; value: Child; note?: Child; tone?: Tone }> = ({ label, value, note, tone }) => (
  <div class="stat">
    <dt>{label}</dt>
    <dd class={tone}>{value}</dd>
    {note !== undefined && <dd class="note">{note}</dd>}
  </div>
);

/** The container of `<Stat>`s. */
export const Stats: FC<PropsWithChildren> = ({ children }) => <dl class="stats">{children}</dl>;

export const Notice: FC<PropsWithChildren<{ tone: Tone }>> = ({ tone, children }) => (
  <div class={`notice ${tone}`} role="status">
    {children}
  </div>
);

/** The error of a form; nothing without one. */
export const FormError: FC<{ error: string | undefined }> = ({ error }) =>
  error === undefined ? (
    <></>
  ) : (
    <div class="notice bad" role="alert">
      {error}
    </div>
  );

/** What an empty list shows, with a way to continue. */
export const Empty: FC<PropsWithChildren<{ title: string }>> = ({ title, children }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** A dash for a missing value, read aloud as “none”. */
export const NoValue: FC = () => (
  <>
    <span aria-hidden="true" class="muted">
      –
    </span>
    <span class="visually-hidden">none</span>
  </>
);

/** How long ago a moment was. Its title gives the time in UTC. */
export const Moment: FC<{ at: number; now: number }> = ({ at, now }) => (
  <time datetime={new Date(at).toISOString()} title={`${formatMinute(at)} UTC`}>
    {formatAgo(now - at)}
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

/** Links to the next page of a list and back to the first. */
export const Pager: FC<{ next: string | null; first: string | null }> = ({ next, first }) =>
  next === null && first === null ? (
    <></>
  ) : (
    <nav class="pager" aria-label="Pages">
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
