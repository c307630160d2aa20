/** What was just done: it stands in the address that an action leads back to, and the page says it in words. */
import type { WorkspaceSettings } from "../../services/workspaces/workspaces.ts";
import type { Tone } from "../components/elements.tsx";

export const DEEDS = ["changed", "revoked", "accepted", "withdrawn", "recomputed", "running", "failed"] as const;
export type Deed = (typeof DEEDS)[number];

export const WORDS: Record<Deed, { tone: Tone; text: string }> = {
  changed: { tone: "good", text: "The workspace was changed. The limit holds from the next message on." },
  revoked: {
    tone: "good",
    text: "The key was revoked. Writes with it are refused from now on, reads within 30 seconds.",
  },
  accepted: { tone: "good", text: "The acceptance is on record. Identity traits can be attached from now on." },
  withdrawn: {
    tone: "good",
    text: "The agreement was withdrawn, and all identity traits of the workspace were erased.",
  },
  recomputed: { tone: "good", text: "The recompute ran. What it did is below." },
  running: { tone: "watch", text: "A recompute is under way already: look again in a moment." },
  failed: {
    tone: "bad",
    text: "The recompute failed. What is known of it is below; the next run goes on where it stopped.",
  },
};

/** Addresses can be made up: of what a page can see for itself, nothing is said that is not so. */
export function isSo(deed: Deed, keyId: string | undefined, { keys, agreements }: WorkspaceSettings): boolean {
  const standing = agreements.some(({ withdrawnAt }) => withdrawnAt === null);
  switch (deed) {
    case "revoked":
      return keys.some(({ id, revokedAt }) => id === keyId && revokedAt !== null);
    case "accepted":
      return standing;
    case "withdrawn":
      return agreements.length > 0 && !standing;
    case "changed":
    case "recomputed":
    case "running":
    case "failed":
      return true;
  }
}
