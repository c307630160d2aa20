/** Formats a message for an incoming webhook of Slack: https://docs.slack.dev/reference/block-kit */
import { type ChatMessage, formatParts } from "./chat.ts";

/** Every text object needs these, also `plain_text`, and Slack shows the characters: https://docs.slack.dev/messaging/formatting-message-text#escaping */
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Without entities, `<!channel>` in a name would mention everyone. */
const escape = (character: string): string => ENTITIES[character] ?? character;

/** Only headings of lists and the link are markup. Plain text also keeps `*`, `_` and `:name:` as they are. */
const plain = (text: string) => ({ type: "plain_text", text, emoji: false }) as const;

const marked = (text: string) => ({ type: "mrkdwn", text }) as const;

/** @returns the body of the request: at most 14 blocks and 10,000 characters */
export function slackBody(message: ChatMessage): string {
  const { title, paragraphs, facts, groups, link } = formatParts(message, escape);
  return JSON.stringify({
    // For notifications of the system and screen readers.
    text: title,
    mrkdwn: false,
    unfurl_links: false,
    blocks: [
      { type: "header", text: plain(title) },
      ...paragraphs.map((text) => ({ type: "section", text: plain(text) })),
      ...(facts.length === 0
        ? []
        : [{ type: "section", fields: facts.map(([label, value]) => plain(`${label}\n${value}`)) }]),
      ...groups.flatMap((group) => [
        { type: "section", text: marked(`*${group.title}*`) },
        ...(group.lines.length === 0 ? [] : [{ type: "section", text: plain(group.lines.join("\n")) }]),
      ]),
      ...(link === null ? [] : [{ type: "section", text: marked(`<${escapeLink(link)}|Open in the console>`) }]),
    ],
  });
}

const escapeLink = (link: string): string => Array.from(link.replaceAll("|", "%7C"), escape).join("");
