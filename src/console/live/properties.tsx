import type { FC } from "hono/jsx";

import type { JsonObject } from "../../core/json.ts";

/** More of a message than this nobody reads in a list. */
const MAX_CHARS = 1_200;

/** What a message carried, as JSON. */
export const Properties: FC<{ of: string; value: JsonObject | null }> = ({ of, value }) => {
  if (value === null || Object.keys(value).length === 0) return <></>;
  const text = JSON.stringify(value, null, 2);
  return (
    <pre class="properties" tabindex={0} aria-label={of}>
      {text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text}
    </pre>
  );
};
