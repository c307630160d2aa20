/** §24: the page of keys has what agents need to connect. */
import { expect, it } from "vitest";

import { ORIGIN } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { signedIn } from "./support/signed-in.ts";

const unescape = (html: string) => html.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

it("§24 the page of keys has a snippet for each agent, with the address and where the key goes", async () => {
  const workspace = await newWorkspace();
  const { html } = await (await signedIn(workspace.key)).get(`/console/w/${workspace.id}/settings/keys`);
  const copied = [...html.matchAll(/data-copy="([^"]*)"/g)].map(([, text = ""]) => unescape(text));
  const snippets = copied.filter((text) => text.includes(`${ORIGIN}/mcp`));
  expect(snippets).toHaveLength(6);
  for (const text of snippets) expect(text).toMatch(/BEHAVIOR_INGEST_KEY|\$\{input:key\}|YOUR_KEY/);
  const parsed: unknown[] = snippets.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
  expect(parsed).toHaveLength(4);
  expect(html).not.toContain(workspace.key);
  // People who are no developers read first that they need one.
  expect(textOf(html)).toMatch(/Agents Claude Desktop, claude\.ai and ChatGPT .* developer.*BEHAVIOR_INGEST_KEY/);
});
