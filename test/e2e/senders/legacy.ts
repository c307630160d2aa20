/**
 * Segment's first Node library, and RudderStack's, which descends from it. Both post to `/v1/batch` with the key as
 * the user name of Basic authentication; RudderStack's gzips its JSON, and calls it `application/x-www-form-urlencoded`.
 */
import Rudder from "@rudderstack/rudder-sdk-node";
import AnalyticsNode from "analytics-node";

import { type Sender, senderOf, type SenderOptions } from "./sender.ts";

/** The callbacks tell of it too; without a handler, the libraries' own flushes would reject with nobody listening. */
const errorHandler = (): void => undefined;

export function analyticsNode({ url, writeKey, flushAt }: SenderOptions): Sender {
  return senderOf(new AnalyticsNode(writeKey, { host: url, flushAt, errorHandler }));
}

export function rudder({ url, writeKey, flushAt }: SenderOptions): Sender {
  const client = new Rudder(writeKey, { dataPlaneUrl: url, flushAt, errorHandler });
  return senderOf({
    track: (message, done) => client.track(madeThen(message), done),
    identify: (message, done) => client.identify(madeThen(message), done),
    group: (message, done) => client.group(madeThen(message), done),
    page: (message, done) => client.page(madeThen(message), done),
    flush: () => client.flush(),
  });
}

/**
 * RudderStack's library puts the time of the call into `originalTimestamp` unless it is given one, and that is what the
 * time of a message goes by: something of the past is sent with its own.
 */
function madeThen<Message extends { timestamp: Date }>({ timestamp, ...message }: Message) {
  return { ...message, originalTimestamp: timestamp };
}
