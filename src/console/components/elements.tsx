/** The small pieces that pages are made of. All text in them is escaped by JSX. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";

export type Tone = "good" | "watch" | "bad" | "none" | "accent";

/** A heading, what is said of it in a line, and what can be done beside it. */
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

export const Badge: FC<PropsWithChildren<{ tone: Tone }>> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A number that stands for itself. */
export const Stat: FC<{ label: string; value: Child; note?: Child; tone?: Tone }> = ({ label, value, note, tone }) => (
  <div class="stat">
    <dt>{label}</dt>
    <dd class={tone}>{value}</dd>
    {note !== undefined && <dd class="note">{note}</dd>}
  </div>
);

/** Of `<Stat>`s. */
export const Stats: FC<PropsWithChildren> = ({ children }) => <dl class="stats">{children}</dl>;

export const Notice: FC<PropsWithChildren<{ tone: Tone; role?: "status" | "alert" }>> = (props) => (
  <div class={`notice ${props.tone}`} role={props.role ?? "status"}>
    {props.children}
  </div>
);

/** Where a list has nothing to show: what would be here, and how it comes. */
export const Empty: FC<PropsWithChildren<{ title: string }>> = ({ title, children }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** A moment, to the minute in UTC, and how long ago it was. */
export const Moment: FC<{ at: number; now: number }> = ({ at, now }) => (
  <time
    datetime={new Date(at).toISOString()}
    title={`${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`}
  >
    {ago(now - at)}
  </time>
);

const MINUTE_MS = 60_000;
const UNITS = [
  [365 * 24 * 60, "y"],
  [30 * 24 * 60, "mo"],
  [24 * 60, "d"],
  [60, "h"],
  [1, "min"],
] as const;

/** `3 d ago`, `in 2 h`, `just now`. */
export function ago(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const unit = UNITS.find(([length]) => minutes >= length);
  if (unit === undefined) return "just now";
  const text = `${Math.floor(minutes / unit[0])} ${unit[1]}`;
  return ms < 0 ? `in ${text}` : `${text} ago`;
}

/** Text to paste elsewhere, with a button that copies it where there is script. */
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

/** The way to the next page of a list, and back to its start. */
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

const money = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** `12,300`: whole, with commas. */
export const amount = (value: number): string => money.format(value);
