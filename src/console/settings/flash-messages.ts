/** Messages about the action that led to the page. The redirect names the message in the page's address. */
import type { WorkspaceSettings } from "../../services/workspaces/workspaces.ts";
import type { Tone } from "../components/elements.tsx";

export const FLASHES = [
  "changed",
  "key_exists",
  "revoked",
  "accepted",
  "withdrawn",
  "recomputed",
  "running",
  "failed",
] as const;
export type Flash = (typeof FLASHES)[number];

export const FLASH_MESSAGES: Record<Flash, { tone: Tone; text: string }> = {
  changed: { tone: "good", text: "Workspace updated. The new limit applies from the next message." },
  key_exists: {
    tone: "watch",
    text: "This key already exists. It was shown once; if you didn’t copy it, create another.",
  },
  revoked: { tone: "good", text: "Key revoked. Writes with it are refused from now on, and reads within 30 seconds." },
  accepted: { tone: "good", text: "Agreement accepted. You can now attach identity traits." },
  withdrawn: { tone: "good", text: "Agreement withdrawn. All identity traits of the workspace were erased." },
  recomputed: { tone: "good", text: "Recompute finished. See its results below." },
  running: { tone: "watch", text: "A recompute is already running. Check again in a moment." },
  failed: { tone: "bad", text: "Recompute failed. See the error below. The next run continues where it stopped." },
};

/** Ignores forged messages: checks what the page itself can verify. */
export function isTrue(flash: Flash, keyId: string | undefined, { keys, agreements }: WorkspaceSettings): boolean {
  const isAccepted = agreements.some(({ withdrawnAt }) => withdrawnAt === null);
  switch (flash) {
    case "key_exists":
      return keys.some(({ id }) => id === keyId);
    case "revoked":
      return keys.some(({ id, revokedAt }) => id === keyId && revokedAt !== null);
    case "accepted":
      return isAccepted;
    case "withdrawn":
      return agreements.length > 0 && !isAccepted;
    case "changed":
    case "recomputed":
    case "running":
    case "failed":
      return true;
  }
}
