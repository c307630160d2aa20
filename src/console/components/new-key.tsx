/** A new key, on the only page that ever shows it. */
import type { FC } from "hono/jsx";

import { Notice, Snippet } from "./elements.tsx";

export const NewKey: FC<{ value: string; label: string }> = ({ value, label }) => (
  <div class="new-key">
    <Notice tone="watch">
      <strong>Copy this key now. It won’t be shown again.</strong>
      <span>We store only its hash and its last four characters. Anyone who has the key can use its scopes.</span>
    </Notice>
    <Snippet text={value} label={label} />
  </div>
);
