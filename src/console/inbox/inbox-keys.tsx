/** Lists the keys of the inbox. `assets/scripts/inbox-keys.ts` implements them, so the list shows only with script. */
import type { FC } from "hono/jsx";

const KEYS = [
  ["j, k", "next, previous item"],
  ["Enter", "open the item"],
  ["Esc", "close the item"],
  ["s", "snooze"],
  ["e", "dismiss with a reason"],
  ["c", "contacted"],
  ["n", "note; Esc or Ctrl+Enter saves it"],
  ["o", "owner"],
  ["u", "undo"],
  ["x", "select for several at once"],
  ["/", "search"],
  ["?", "these keys"],
] as const;

export const InboxKeys: FC = () => (
  <>
    <button type="button" data-opens="keys" hidden>
      Keys
    </button>
    <dialog id="keys" aria-label="Keys of the inbox">
      <h2>Keys</h2>
      <dl class="details keys">
        {KEYS.map(([key, does]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  </>
);
