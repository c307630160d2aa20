/** Shows the progress: one line that is rewritten in a terminal, a line for each step elsewhere. */
const WIDTH = 30;

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** @param share 0 to 1 */
export function showProgress(share: number, text: string): void {
  const percent = `${Math.floor(share * 100)} %`;
  if (!process.stdout.isTTY) return console.log(`${percent}, ${text}`);
  const done = Math.floor(share * WIDTH);
  process.stdout.write(
    `\r[${"#".repeat(done).padEnd(WIDTH, ".")}] ${percent}, ${text}\u001B[K${share < 1 ? "" : "\n"}`,
  );
}
