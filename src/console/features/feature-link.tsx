import type { FC } from "hono/jsx";

import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";

/** An address takes up to nine bytes for a character of a name. */
const MAX_PATH_CHARACTERS = 200;

interface FeatureLinkProps {
  workspace: { id: string };
  name: string;
  /** Leads to names that are too long for an address. */
  number?: number;
}

/** The name of an event, with a link to its page. */
export const FeatureLink: FC<FeatureLinkProps> = ({ workspace, name, number }) => {
  const key = encodeURIComponent(name).length > MAX_PATH_CHARACTERS ? number?.toString() : name;
  const text = <code>{truncate(name)}</code>;
  return key === undefined ? text : <a href={pathOf(workspace, "features", key)}>{text}</a>;
};
