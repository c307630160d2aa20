/**
 * Opens Segment's first Node library, and RudderStack's, which descends from it. Both post to `/v1/batch` with the key as
 * the user name of Basic authentication. RudderStack's gzips its JSON and labels it `application/x-www-form-urlencoded`.
 */
import Rudder from "@rudderstack/rudder-sdk-node";
import AnalyticsNode from "analytics-node";

import { type Sender, senderOf, type SenderOptions } from "./sender.ts";

/** Ignores errors, because the callbacks report them too. Without a handler the libraries end the process. */
const errorHandler = (): void => undefined;

export function analyticsNode({ url, writeKey, flushAt }: SenderOptions): Sender {
  return senderOf(new AnalyticsNode(writeKey, { host: url, flushAt, errorHandler }));
}

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
