import type { FC } from "hono/jsx";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { LIMIT_LABEL } from "./admin-forms.ts";

interface NameAndLimitProps {
  name: string;
  /** A number, or what the user entered. */
  writeLimit: number | string;
  placeholder?: string;
}

/** The fields `name` and `writeLimit` of a workspace. */
export const NameAndLimit: FC<NameAndLimitProps> = ({ name, writeLimit, placeholder }) => (
  <>
    <div class="grow">
      <label for="workspace-name">Name</label>
      <input id="workspace-name" name="name" required maxlength={200} value={name} placeholder={placeholder} />
    </div>
    <div>
      <label for="write-limit">{LIMIT_LABEL}</label>
      <input
        id="write-limit"
        name="writeLimit"
        type="number"
        required
        min="1"
        max={MAX_WRITE_LIMIT}
        step="1"
        value={writeLimit}
      />
    </div>
  </>
);
