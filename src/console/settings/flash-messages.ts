/** Messages about the action that led to the page. The redirect names the message in the page's address. */
import type { WorkspaceSettings } from "../../services/workspaces/workspaces.ts";
import type { Tone } from "../components/elements.tsx";

export interface FlashMessage {
  tone: Tone;
  text: string;
  /** Ignores forged messages: checks what the page itself can verify. */
  isTrue?: (settings: WorkspaceSettings, keyId: string | undefined) => boolean;
}

export type Flash = keyof typeof FLASH_MESSAGES;

export const FLASH_MESSAGES = {
  changed: { tone: "good", text: "Workspace updated. The new limit applies from the next message." },
  key_exists: {
    tone: "watch",
    text: "This key already exists. It was shown once; if you didn’t copy it, create another.",
    isTrue: ({ keys }, keyId) => keys.some(({ id }) => id === keyId),
  },
  revoked: {
    tone: "good",
    text: "Key revoked. Writes with it are refused from now on, and reads within 30 seconds.",
    isTrue: ({ keys }, keyId) => keys.some(({ id, revokedAt }) => id === keyId && revokedAt !== null),
  },
  accepted: {
    tone: "good",
    text: "Agreement accepted. You can now attach identity traits.",
    isTrue: (settings) => isAccepted(settings),
  },
  withdrawn: {
    tone: "good",
    text: "Agreement withdrawn. All identity traits of the workspace were erased.",
    isTrue: (settings) => settings.agreements.length > 0 && !isAccepted(settings),
  },
  recomputed: { tone: "good", text: "Recompute finished. See its results below." },
  running: { tone: "watch", text: "A recompute is already running. Check again in a moment." },
  moving: { tone: "good", text: "The move has started. Reload the page to see its progress." },
  move_cancelled: { tone: "good", text: "Move cancelled. The copy is deleted within minutes." },
  failed: { tone: "bad", text: "Recompute failed. See the error below. The next run continues where it stopped." },
} satisfies Record<string, FlashMessage>;

const isAccepted = ({ agreements }: WorkspaceSettings): boolean =>
  agreements.some(({ withdrawnAt }) => withdrawnAt === null);
