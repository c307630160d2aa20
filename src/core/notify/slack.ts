/** Formats a message for an incoming webhook of Slack: https://docs.slack.dev/reference/block-kit */
import { type ChatMessage, formatParts } from "./chat.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Without entities, `<!channel>` in a name would mention everyone. */
const escape = (character: string): string => ENTITIES[character] ?? character;

/** Only the link is markup. Plain text also keeps `*`, `_` and `:name:` as they are. */
const plain = (text: string) => ({ type: "plain_text", text, emoji: false }) as const;

/** @returns the body of the request: at most 8 blocks and 9,500 characters */
export function slackBody(message: ChatMessage): string {
  const { title, text, facts, groups, link } = formatParts(message, escape);
  return JSON.stringify({
    // For notifications of the system and screen readers.
    text: title,
    mrkdwn: false,
    unfurl_links: false,
    blocks: [
      { type: "header", text: plain(title) },
      ...(text === "" ? [] : [{ type: "section", text: plain(text) }]),
      ...(facts.length === 0
        ? []
        : [{ type: "section", fields: facts.map(([label, value]) => plain(`${label}\n${value}`)) }]),
      ...groups.map((group) => ({ type: "section", text: plain([group.title, ...group.lines].join("\n")) })),
      ...(link === null
        ? []
        : [{ type: "section", text: { type: "mrkdwn", text: `<${escapeLink(link)}|Open in the console>` } }]),
    ],
  });
}

const escapeLink = (link: string): string => Array.from(link.replaceAll("|", "%7C"), escape).join("");
