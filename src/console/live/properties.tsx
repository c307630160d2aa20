import type { FC } from "hono/jsx";

import type { JsonObject } from "../../core/json.ts";
import { shortened } from "../components/truncate.ts";

/** More of a message than this nobody reads in a list. */
const MAX_CHARACTERS = 400;

/** What a message carried, as JSON. */
export const Properties: FC<{ of: string; value: JsonObject | null }> = ({ of, value }) => {
  if (value === null || Object.keys(value).length === 0) return <></>;
  return (
    <pre class="properties" tabindex={0} aria-label={of}>
      {shortened(JSON.stringify(value, null, 2), MAX_CHARACTERS)}
    </pre>
  );
};
