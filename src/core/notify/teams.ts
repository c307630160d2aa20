/** Formats a message for a Workflows webhook of Teams, as an Adaptive Card: https://adaptivecards.io/explorer */
import { type ChatMessage, formatParts } from "./chat.ts";

/** Cards read Markdown: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format */
function escape(character: string, before: string): string {
  if (/[\\`*_[\]<~]/.test(character)) return `\\${character}`;
  // Cards evaluate {{DATE(…)}}.
  if (character === "{" && before.endsWith("{")) return " {";
  // Headings, quotes and lists begin a line.
  const beginsList = before === "" ? /[#>+-]/.test(character) : /^\d+$/.test(before) && /[.)]/.test(character);
  return beginsList ? `\\${character}` : character;
}

const block = (text: string, style = {}) => ({ type: "TextBlock", text, wrap: true, ...style });

/** @returns the body of the request: less than 28 KB */
export function teamsBody(message: ChatMessage): string {
  const { title, paragraphs, facts, groups, link } = formatParts(message, escape);
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      block(title, { weight: "Bolder", size: "Medium" }),
      ...paragraphs.map((text) => block(text)),
      ...(facts.length === 0
        ? []
        : [{ type: "FactSet", facts: facts.map(([label, value]) => ({ title: label, value })) }]),
      ...groups.flatMap((group) => [
        block(group.title, { weight: "Bolder", separator: true }),
        ...(group.lines.length === 0
          ? []
          : [block(group.lines.map((line) => `- ${line}`).join("\n"), { spacing: "Small" })]),
      ]),
    ],
    ...(link !== null && { actions: [{ type: "Action.OpenUrl", title: "Open in the console", url: link }] }),
  };
  return JSON.stringify({
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
  });
}
