/** Finds the workerd process that Miniflare starts: its API doesn't expose the process. */
import { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** The channel on which Node announces each child process of this process. */
const CHANNEL = "child_process";

export interface WorkerdWatch extends Disposable {
  /** The id of the newest workerd that this process started since the watch began. */
  pid(): number;
}

/**
 * Watches this process start a workerd.
 *
 *     using watch = watchWorkerd();
 *     await miniflare.ready;
 *     const pid = watch.pid();
 */
export function watchWorkerd(): WorkerdWatch {
  const children: ChildProcess[] = [];
  const onSpawn = (message: unknown): void => {
    const child: unknown = Reflect.get(Object(message), "process");
    if (child instanceof ChildProcess) children.push(child);
  };
  subscribe(CHANNEL, onSpawn);
  return {
    pid: () => {
      const pid = children.findLast(({ spawnfile }) => spawnfile.includes("workerd"))?.pid;
      if (pid === undefined) throw new Error("No workerd was started");
      return pid;
    },
    [Symbol.dispose]: () => void unsubscribe(CHANNEL, onSpawn),
  };
}
