/**
 * Opens the client libraries that people already use. All of them post to `<host>/v1/batch`.
 *
 * Segment's current library sends its key as Basic authentication and in the body, version 2 only in the body. Segment's
 * first library and RudderStack's, which descends from it, send it as Basic authentication. RudderStack's gzips its JSON
 * and labels it `application/x-www-form-urlencoded`.
 */
import Rudder from "@rudderstack/rudder-sdk-node";
import { Analytics } from "@segment/analytics-node";
import AnalyticsNode from "analytics-node";
import { Analytics as Analytics2 } from "segment-analytics-node-2";

import { type Sender, senderOf, type SenderOptions } from "./sender.ts";

export const segment3 = ({ url, writeKey, flushAt }: SenderOptions): Sender =>
  senderOf(new Analytics({ host: url, writeKey, flushAt }));

export const segment2 = ({ url, writeKey, flushAt }: SenderOptions): Sender =>
  senderOf(new Analytics2({ host: url, writeKey, flushAt }));

/** Ignores errors, because the callbacks report them too. Without a handler the libraries end the process. */
const errorHandler = (): void => undefined;

export const analyticsNode = ({ url, writeKey, flushAt }: SenderOptions): Sender =>
  senderOf(new AnalyticsNode(writeKey, { host: url, flushAt, errorHandler }));

export function rudder({ url, writeKey, flushAt }: SenderOptions): Sender {
  const client = new Rudder(writeKey, { dataPlaneUrl: url, flushAt, errorHandler });
  return senderOf({
    track: (message, done) => client.track(withOriginalTimestamp(message), done),
    identify: (message, done) => client.identify(withOriginalTimestamp(message), done),
    group: (message, done) => client.group(withOriginalTimestamp(message), done),
    page: (message, done) => client.page(withOriginalTimestamp(message), done),
    flush: () => client.flush(),
  });
}

/**
 * Passes the time as `originalTimestamp`: RudderStack's library puts the current time there otherwise, and that field
 * decides when the event occurred.
 */
function withOriginalTimestamp<Message extends { timestamp: Date }>({ timestamp, ...message }: Message) {
  return { ...message, originalTimestamp: timestamp };
}
