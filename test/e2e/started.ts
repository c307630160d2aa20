/** What a group of processes that `npm start` began prints, runs and leaves behind. */
import type { ProcessGroup } from "../harness/process-group.ts";

/** How long a clean end may take. */
export const STOP_MS = 15_000;
/** The link that signs in to the console. */
export const LINK = /^ +(http:\S+\/console\/sign-in\?link=\S+)$/m;

/** The indented paragraphs without the console's link: the commands to paste. */
export function commandsOf(group: ProcessGroup): string[] {
  const paragraphs = group.output().split("\n\n");
  return paragraphs.filter((text) => text.split("\n").every((line) => line.startsWith("  ")) && !LINK.test(text));
}

export const CLEAN_END = { exitCode: 0, left: [], complaints: [] };

/** Waits for the end of the command. @returns what a clean end has as in `CLEAN_END` */
export async function endOf(group: ProcessGroup) {
  const exitCode = await group.end(STOP_MS);
  return { exitCode, left: group.members(), complaints: group.output().match(/^npm start:.*$/gm) ?? [] };
}

/** Lists the processes of a command. */
export const pidsOf = (group: ProcessGroup, command: string): number[] =>
  group.members().flatMap((member) => (member.includes(command) ? [Number.parseInt(member, 10)] : []));

/** The lines of the Worker's log about the requests that `npm start` sends too. */
export const livenessOf = (group: ProcessGroup) => group.output().match(/^.*"operation":"liveness"/gm) ?? [];
