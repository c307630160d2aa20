/** A key, on the one page that ever shows it. */
import type { FC } from "hono/jsx";

import { Notice, Snippet } from "./elements.tsx";

export const NewKey: FC<{ value: string; label: string }> = ({ value, label }) => (
  <div class="new-key">
    <Notice tone="watch">
      <strong>Copy this key now: it will not be shown again.</strong>
      <span>Only its last four characters are kept to tell it by. Whoever has it can do what it opens.</span>
    </Notice>
    <Snippet text={value} label={label} />
  </div>
);
