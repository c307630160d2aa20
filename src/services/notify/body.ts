/**
 * Writes the body of a request. What it says is read when it is sent, so that erasures and withdrawals hold: the outbox has codes
 * only.
 */
import { slackBody } from "../../core/notify/slack.ts";
import { teamsBody } from "../../core/notify/teams.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import { type Content, messageOf, readSettings, type Reading } from "./content.ts";
import { readDigestContent } from "./digest.ts";
import { readNews, readSummary } from "./news.ts";
import { payloadOf } from "./payload.ts";

/** @returns `null` if what the notification is about is gone */
export async function readBody(reading: Reading, notification: Notification): Promise<string | null> {
  const content = await readContent(reading, notification);
  if (content === null) return null;
  switch (reading.destination.kind) {
    case "webhook":
      return payloadOf(notification.type, notification.createdAt, content.data);
    case "slack":
      return slackBody(content.message);
    case "teams":
      return teamsBody(content.message);
  }
}

async function readContent(reading: Reading, notification: Notification): Promise<Content | null> {
  switch (notification.type) {
    case "test": {
      const { name } = await readSettings(reading);
      const message = { title: "Test from Behavior Ingest", paragraphs: [`Notifications about ${name} arrive here.`] };
      return { data: {}, message: messageOf(reading, `settings/destinations/${reading.destination.id}`, message) };
    }
    case "digest":
      return readDigestContent(reading, notification);
    case "summary":
      return readSummary(reading, notification);
    case "inbox.opened":
    case "inbox.resolved":
    case "health.changed":
      return readNews(reading, notification);
  }
}
