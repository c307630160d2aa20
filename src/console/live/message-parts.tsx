/** The parts that stored and rejected messages share. */
import type { FC, PropsWithChildren } from "hono/jsx";

import type { JsonObject } from "../../core/json.ts";
import { Moment } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";

const MAX_FACT_CHARACTERS = 300;
const MAX_PAYLOAD_CHARACTERS = 400;

export const MessageHead: FC<PropsWithChildren<{ name: string; receivedAt: number; now: number }>> = (props) => (
  <div class="message-head">
    <strong>{truncate(props.name)}</strong>
    {props.children}
    <span class="spring" />
    <span class="note">
      <Moment at={props.receivedAt} now={props.now} />
    </span>
  </div>
);

/** A row of a `<dl>`; nothing without a value. */
export const Fact: FC<{ name: string; value: string | null }> = ({ name, value }) =>
  value === null ? (
    <></>
  ) : (
    <>
      <dt>{name}</dt>
      <dd>{truncate(value, MAX_FACT_CHARACTERS)}</dd>
    </>
  );

/** Properties or traits as JSON. */
export const Payload: FC<{ name: string; value: JsonObject | null }> = ({ name, value }) => {
  if (value === null || Object.keys(value).length === 0) return <></>;
  return (
    <pre class="payload" tabindex={0} aria-label={name}>
      {truncate(JSON.stringify(value, null, 2), MAX_PAYLOAD_CHARACTERS)}
    </pre>
  );
};
