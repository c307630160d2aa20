import type { FC } from "hono/jsx";

import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";

/** An address takes up to nine bytes for a character of a name. */
const MAX_PATH_CHARACTERS = 200;

/** The name of an event, with a link to its page. The list of features has links by number, for any name. */
export const FeatureLink: FC<{ workspace: { id: string }; name: string }> = ({ workspace, name }) =>
  encodeURIComponent(name).length > MAX_PATH_CHARACTERS ? (
    <code>{truncate(name)}</code>
  ) : (
    <a href={pathOf(workspace, "features", name)}>
      <code>{truncate(name)}</code>
    </a>
  );
