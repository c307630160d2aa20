import { ADMINISTRATOR } from "../core/inbox/marks.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";
import type { ConsoleUser } from "../db/workspaces/find-workspace.ts";

/** Names the key that marks an item or an account: by its name, else its id. */
export const actorNameOf = ({ keyId, name }: Pick<KeyGrant, "keyId" | "name">): string => name ?? keyId;

/** Names who marks it in the console: a person by the e-mail address. */
export function userNameOf(user: ConsoleUser): string {
  switch (user.by) {
    case "admin":
      return ADMINISTRATOR;
    case "token":
      return user.token.name;
    case "key":
      return actorNameOf(user.key);
    case "person":
      return user.person.email;
  }
}

/** The owner that “mine” means; `null` for anybody but a person. */
export const ownName = (user: ConsoleUser): string | null => (user.by === "person" ? user.person.email : null);
