/** Messages to Slack and Teams stay within the platforms' limits, whatever names contain. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import type { ChatMessage } from "../../../src/core/notify/chat.ts";
import { slackBody } from "../../../src/core/notify/slack.ts";
import { teamsBody } from "../../../src/core/notify/teams.ts";

const LINK = "https://events.example.com/console/w/ws_1/inbox?show=itm_1";
const message = (parts: Partial<ChatMessage> = {}): ChatMessage => ({
  title: "Acme has gone silent",
  paragraphs: ["No activity for 9 business days.", "What to do: Get in touch."],
  facts: [
    ["Account", "Acme"],
    ["MRR", "490 EUR"],
  ],
  groups: [],
  link: LINK,
  ...parts,
});

const PlainText = z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1), emoji: z.literal(false) });
const Slack = z.strictObject({
  text: z.string().min(1).max(150),
  mrkdwn: z.literal(false),
  unfurl_links: z.literal(false),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal("header"), text: PlainText.extend({ text: z.string().min(1).max(150) }) }),
        z.strictObject({
          type: z.literal("section"),
          fields: z
            .array(PlainText.extend({ text: z.string().max(2_000) }))
            .min(1)
            .max(10),
        }),
        z.strictObject({ type: z.literal("section"), text: PlainText.extend({ text: z.string().min(1).max(3_000) }) }),
        z.strictObject({
          type: z.literal("section"),
          text: z.strictObject({ type: z.literal("mrkdwn"), text: z.string().max(3_000) }),
        }),
      ]),
    )
    .min(1)
    .max(50),
});
const TextBlock = z.object({ type: z.literal("TextBlock"), text: z.string().min(1), wrap: z.literal(true) });
const Teams = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      contentUrl: z.null(),
      content: z.object({
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        body: z.array(
          z.union([
            TextBlock,
            z.strictObject({
              type: z.literal("FactSet"),
              facts: z.array(z.strictObject({ title: z.string(), value: z.string() })),
            }),
          ]),
        ),
        actions: z
          .tuple([z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string(), url: z.string() })])
          .optional(),
      }),
    }),
  ]),
});

const slack = (given: ChatMessage) => Slack.parse(JSON.parse(slackBody(given)));
const teams = (given: ChatMessage) => Teams.parse(JSON.parse(teamsBody(given)));

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('&<>*_`~[]()\\#+-.1\n\t\u0000\u2028\ud800😀é"'), "<!channel>"),
    maxLength: 3_000,
  }),
  fc.constantFrom(
    "&".repeat(5_000),
    "<".repeat(5_000),
    "\u{1f600}".repeat(3_000),
    '"'.repeat(5_000),
    "*".repeat(5_000),
  ),
);
/** A name has at least a letter. */
const name = text.map((given) => `A${given}`);
const anyMessage = fc.record({
  title: name,
  paragraphs: fc.array(name, { maxLength: 3 }),
  facts: fc.array(fc.tuple(fc.constantFrom("Account", "Severity", "MRR"), name), { maxLength: 8 }),
  groups: fc.array(
    fc
      .record({
        title: fc.constant("Still open (1,234)"),
        lines: fc.array(name, { maxLength: 30 }),
        extra: fc.nat(1_000),
      })
      .map(({ extra, ...group }) => ({ ...group, count: group.lines.length + extra })),
    { maxLength: 4 },
  ),
  link: fc.constantFrom(null, LINK),
});

/** All texts of a value, by depth first. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

describe("§23 a message to Slack", () => {
  it("has who, what, since when, and one link", () => {
    expect(slack(message())).toEqual({
      text: "Acme has gone silent",
      mrkdwn: false,
      unfurl_links: false,
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Acme has gone silent", emoji: false } },
        { type: "section", text: { type: "plain_text", text: "No activity for 9 business days.", emoji: false } },
        { type: "section", text: { type: "plain_text", text: "What to do: Get in touch.", emoji: false } },
        {
          type: "section",
          fields: ["Account\nAcme", "MRR\n490 EUR"].map((each) => ({ type: "plain_text", text: each, emoji: false })),
        },
        { type: "section", text: { type: "mrkdwn", text: `<${LINK}|Open in the console>` } },
      ],
    });
  });

  it("has no name in the markup: only headings of lists and the link are markup", () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        const marked = slack(given).blocks.flatMap((block) =>
          "text" in block && block.text.type === "mrkdwn" ? block.text.text : [],
        );
        const link = given.link === null ? [] : [`<${LINK}|Open in the console>`];
        expect(marked).toEqual([...given.groups.map(({ title }) => `*${title}*`), ...link]);
      }),
    );
  });

  it("escapes names, so that none mentions a channel or breaks a line", () => {
    const { blocks } = slack(message({ title: "<!channel> & <@U1>\nsecond" }));
    expect(blocks[0]).toMatchObject({ text: { text: "&lt;!channel&gt; &amp; &lt;@U1&gt; second" } });
  });

  it("stays within Block Kit's limits, with valid JSON and no markup of a name", () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        const parsed = slack(given);
        const texts = textsIn(parsed);
        expect(texts.reduce((sum, each) => sum + each.length, 0)).toBeLessThanOrEqual(12_000);
        for (const each of texts) {
          expect(each.isWellFormed()).toBe(true);
          expect(each.replace(`<${LINK}|`, "").replace("Open in the console>", "")).not.toMatch(/[<>]/);
          expect(each).not.toMatch(/&(?!amp;|lt;|gt;)/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("§23 a message to Teams", () => {
  it("is an Adaptive Card with one link", () => {
    const [{ content }] = teams(
      message({ groups: [{ title: "Opened (3)", lines: ["Acme", "Beta"], count: 3 }] }),
    ).attachments;
    expect(
      textsIn(content.body).filter((each) => each.length > 6 && !/^(?:TextBlock|FactSet|Bolder|Medium)$/.test(each)),
    ).toEqual([
      "Acme has gone silent",
      "No activity for 9 business days.",
      "What to do: Get in touch.",
      "Account",
      "490 EUR",
      "Opened (3)",
      "- Acme\n- Beta\n- and 1 more",
    ]);
    expect(content.actions).toEqual([{ type: "Action.OpenUrl", title: "Open in the console", url: LINK }]);
    expect(teams(message({ link: null })).attachments[0].content.actions).toBeUndefined();
  });

  it.each([
    ["*Acme* [site](https://evil.example)", "\\*Acme\\* \\[site\\](https://evil.example)"],
    ["# Acme", "\\# Acme"],
    ["1. Acme", "1\\. Acme"],
    ["- Acme - West", "\\- Acme - West"],
    ["snake_case `code` ~~x~~ <b>", "snake\\_case \\`code\\` \\~\\~x\\~\\~ \\<b>"],
    ["C:\\Acme", "C:\\\\Acme"],
    ["Version 2.5", "Version 2.5"],
  ])("escapes the Markdown of %s", (title, escaped) => {
    expect(teams(message({ title })).attachments[0].content.body[0]).toMatchObject({ text: escaped });
  });

  it("stays below 28 KB, with valid JSON and no link of a name", () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        const body = teamsBody(given);
        expect(new TextEncoder().encode(body).length).toBeLessThan(28_000);
        for (const each of textsIn(teams(given).attachments[0].content.body)) {
          expect(each.isWellFormed()).toBe(true);
          expect(each.replaceAll(/\\./gu, "")).not.toMatch(/[*_`[\]<~]/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("§23 lists of a message", () => {
  it("count what doesn't fit", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Account ${index} ${"x".repeat(300)}`);
    const { blocks } = slack(message({ groups: [{ title: "Opened (55)", lines, count: 55 }] }));
    expect(blocks.at(-3)).toEqual({ type: "section", text: { type: "mrkdwn", text: "*Opened (55)*" } });
    const rows = (textsIn(blocks.at(-2)).find((each) => each.startsWith("Account 0")) ?? "").split("\n");
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.at(-1)).toBe(`and ${55 - (rows.length - 1)} more`);
  });
});

it("a name can't turn, hide or compute what stands beside it", () => {
  const title = "Acme \u202egnp.exe\u200b {{DATE(2026-01-01)}} \u{1f469}\u200d\u{1f4bb}";
  for (const body of [slackBody(message({ title })), teamsBody(message({ title }))]) {
    expect(body).not.toMatch(/\u202e|\u200b/);
    expect(body).toContain("\u{1f469}\u200d\u{1f4bb}");
  }
  expect(teamsBody(message({ title }))).not.toContain("{{");
});
